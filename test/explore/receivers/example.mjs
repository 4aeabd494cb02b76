// node example.mjs PORT STORE NAME: a receiver of the examples, as `explore` asks for it: `POST /hooks`
// and `/reset`, which starts it anew, and `GET /state`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer, text } from 'node:stream/consumers'
import { startReceiver } from '../../examples/jest/src/receiver.js'
import { applyEvent } from '../../examples/receivers/orders.js'
import { isGenuine } from '../../examples/receivers/webhook.js'
import { createWallet } from '../../examples/wallet/src/wallet.js'
import { createWebhookHandler } from '../../examples/wallet/src/webhook.js'

const examples = join(import.meta.dirname, '../../examples')
const MONEY = 'request money transfer'
const KNOWN = [
  ...[`pending ${MONEY}`, `processing ${MONEY}`, 'complete'].map(
    (status) => `transaction.update ${status}`,
  ),
  ...['initial', 'verified'].map((status) => `user.update ${status}`),
]

/** How often each event was taken; one that is new to it is kept or printed, and nothing is made of it. */
const count = (events) =>
  Object.fromEntries(KNOWN.map((known) => [known, events.filter((each) => each === known).length]))

const name = ({ type, payload }) => `${type} ${payload.status}`

/** Each starts with a place and returns `handle`, or the `url` where it takes webhooks. */
const EXAMPLES = {
  wallet({ signingSecret: secret }) {
    const wallet = createWallet()
    const handle = createWebhookHandler({ secret, onEvent: wallet.onEvent })
    return { handle, state: wallet.state }
  },

  orders({ signingSecret: secret }) {
    const orders = {}
    const handle = (headers, body) => {
      if (!isGenuine(headers, body, secret)) return 401
      const event = JSON.parse(body)
      const { transactionId: id } = event.payload
      if (id) orders[id] = applyEvent(orders[id] ?? { id, status: `pending ${MONEY}` }, event)
      return 204
    }
    return { handle, state: () => orders }
  },

  async jest({ signingSecret }) {
    const receiver = await startReceiver()
    receiver.trust(signingSecret)
    return { ...receiver, state: () => count(receiver.accepted.map(name)) }
  },

  'receiver.mjs': (place) =>
    startProgram(place, process.execPath, join(examples, 'receivers/receiver.mjs')),

  'receiver.py': (place) => startProgram(place, 'python3', join(examples, 'receivers/receiver.py')),

  async 'test_buy.py'(place) {
    const script = join(import.meta.dirname, 'serve_test_buy.py')
    const program = await startProgram(place, 'python3', script)
    const state = async () => count((await (await fetch(program.url)).json()).map(name))
    return { ...program, state }
  },
}

/** A program that prints where it listens, and each event that it takes. */
async function startProgram({ url, apiKey, signingSecret }, command, ...args) {
  const env = {
    ...process.env,
    RAMP_SANDBOX_URL: url,
    RAMP_SANDBOX_API_KEY: apiKey,
    RAMP_SANDBOX_SIGNING_SECRET: signingSecret,
    PORT: '0',
  }
  const program = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = []
  const lines = createInterface({ input: program.stdout })
  const [first] = await once(lines, 'line')
  lines.on('line', (line) => printed.push(line))
  return {
    url: first.replace('listening on ', ''),
    state: () => count(printed),
    async close() {
      program.kill()
      await once(program, 'exit')
    },
  }
}

/** Hands a webhook on as it comes; returns the status of the response. */
async function passOn(incoming, url) {
  const { method, headers } = incoming
  const [response] = await once(
    incoming.pipe(request(url, { method, headers, agent: false })),
    'response',
  )
  response.resume()
  return response.statusCode
}

/** Serves one of the examples, which each reset starts anew. */
export function serveExample(example) {
  let running
  const routes = {
    async '/reset'(incoming) {
      await running?.close?.()
      running = await EXAMPLES[example](JSON.parse(await text(incoming)))
      return { status: 204 }
    },
    async '/state'() {
      return { status: 200, body: JSON.stringify(await running.state()) }
    },
    async '/hooks'(incoming) {
      const { handle, url } = running
      if (url) return { status: await passOn(incoming, url) }
      return { status: handle(incoming.headers, await buffer(incoming)) }
    },
  }
  const server = createServer(async (incoming, outgoing) => {
    try {
      const { status, body } = await routes[incoming.url](incoming)
      outgoing.writeHead(status).end(body)
    } catch (error) {
      outgoing.writeHead(502).end(String(error))
    }
  })
  return server.on('close', () => running?.close?.())
}

const [, file, port, , example] = process.argv
if (file === import.meta.filename) {
  const server = serveExample(example).listen(Number(port), '127.0.0.1')
  process.once('SIGTERM', () => server.close() && server.closeAllConnections())
}
