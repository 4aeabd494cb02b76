// One of the two builds: its process, the calls it gets and the webhooks that it sends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const CALL_MAX_MS = 20_000
const CLOCK = '2026-07-01T12:00:00Z'
/** Stand in calls and responses for the two origins, whose ports differ. */
const SANDBOX = 'http://sandbox.test'
const RECEIVER = 'http://receiver.test'

export class Build {
  #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  #process
  #receiver
  #webhooks = []
  #names = []
  #lastWords = ''

  constructor(side, folder) {
    this.side = side
    this.folder = resolve(folder)
  }

  async start(args) {
    this.#receiver = createServer((call, response) => this.#receive(call, response))
    await once(this.#receiver.listen(0, '127.0.0.1'), 'listening')
    const env = Object.entries(process.env).filter(([name]) => !name.startsWith('RAMP_SANDBOX'))
    const options = ['start', '--port', '0', '--json', '--log', 'off', '--clock', CLOCK, ...args]
    this.#process = spawn(process.execPath, [join(this.folder, 'dist/cli.cjs'), ...options], {
      // A project file of the folder that this runs in would change the options.
      cwd: mkdtempSync(join(tmpdir(), 'compare-builds-')),
      env: Object.fromEntries(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process.stderr.on('data', (text) => {
      this.#lastWords = (this.#lastWords + text).slice(-2_000)
    })
    const lines = createInterface({ input: this.#process.stdout })
    const line = await Promise.race([once(lines, 'line'), once(lines, 'close')])
    if (line.length === 0) {
      await once(this.#process, 'close')
      throw this.ended()
    }
    const { port } = JSON.parse(line[0])
    this.#names = [
      [`http://127.0.0.1:${port}`, SANDBOX],
      [`http://127.0.0.1:${this.#receiver.address().port}`, RECEIVER],
    ]
    this.#names.push(...this.#names.map((pair) => pair.map((url) => url.replace('http://', ''))))
    this.port = port
  }

  /** The reason why nothing can be asked of it; undefined while it runs. */
  ended() {
    const { exitCode, signalCode } = this.#process
    if (exitCode === null && signalCode === null) return undefined
    const how = `exited with ${exitCode ?? signalCode}`
    return new Error(`${this.side} (${this.folder}) ${how}: ${this.#lastWords.trim()}`)
  }

  /** Sends a call as it is; names of origins in it are replaced by the origins and back. */
  async send({ method, path, headers, body }) {
    const text = body === undefined ? undefined : this.#replace(body, 1, 0)
    const sent = headers.includes('host') ? headers : ['host', `127.0.0.1:${this.port}`, ...headers]
    const options = {
      ...{ host: '127.0.0.1', port: this.port, agent: this.#agent, method },
      ...{ path: this.#replace(path, 1, 0), timeout: CALL_MAX_MS },
      headers: text === undefined ? sent : [...sent, 'content-length', Buffer.byteLength(text)],
    }
    const response = await new Promise((resolve) => {
      const asked = request(options, (incoming) => {
        const chunks = []
        const { statusCode: status, headers: got } = incoming
        const end = (how) => resolve({ status: how ?? status, headers: got, chunks })
        // A stream has no end, so only its head is compared.
        if (got['content-type'] === 'text/event-stream') return end() ?? incoming.destroy()
        incoming.on('data', (chunk) => chunks.push(chunk))
        incoming.on('error', () => end(`${status}, then broken`))
        incoming.on('end', () => end())
      })
      asked.on('timeout', () => asked.destroy(new Error('timeout')))
      asked.on('error', ({ message }) => {
        const status = message === 'timeout' ? 'timeout' : 'broken'
        resolve({ status, headers: {}, chunks: [] })
      })
      asked.end(text)
    })
    const { status, headers: got, chunks } = response
    const head = JSON.parse(this.#replace(JSON.stringify(got), 0, 1))
    return { status, headers: head, text: this.#replace(Buffer.concat(chunks).toString(), 0, 1) }
  }

  /** The webhooks since it was last asked. */
  takeWebhooks() {
    return this.#webhooks.splice(0)
  }

  async stop() {
    this.#agent.destroy()
    this.#receiver?.close()
    this.#receiver?.closeAllConnections()
    if (!this.#process || this.ended()) return
    this.#process.kill('SIGTERM')
    await once(this.#process, 'exit')
  }

  /** Responds with the status that the path ends in. */
  async #receive(call, response) {
    const chunks = []
    for await (const chunk of call) chunks.push(chunk)
    const raw = Buffer.concat(chunks).toString()
    const text = this.#replace(raw, 0, 1)
    this.#webhooks.push({ path: call.url, headers: call.headers, raw, text })
    const status = Number(/\d+$/.exec(call.url)?.[0] ?? 204)
    response.writeHead(status, { 'content-type': 'text/plain' }).end(status < 300 ? '' : 'no')
  }

  #replace(text, from, to) {
    return this.#names.reduce((result, pair) => result.replaceAll(pair[from], pair[to]), text)
  }
}
