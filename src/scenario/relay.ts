import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fetch } from '../client/http.ts'
import { passOn } from '../client/pass-on.ts'
import { type Received, readReceived } from '../client/receiver.ts'
import { type CallWorld, RelayedStory, type RelayRun } from './relayed-story.ts'
import { RELAYED_PATH } from './types.ts'

interface RelayOptions {
  /** 0 picks a free one. */
  port: number
  send: Fetch
}

/**
 * One address for the worlds of all runs. It passes their webhooks, disturbed, on to the receiver,
 * and serves the API to the integrator's code.
 */
export class Relay {
  readonly #send: Fetch
  readonly #server = http.createServer(
    (incoming, outgoing) => void this.#answer(incoming, outgoing),
  )
  #base = ''
  #story: RelayedStory | undefined
  url = ''

  private constructor(send: Fetch) {
    this.#send = send
  }

  static async open({ port, send }: RelayOptions): Promise<Relay> {
    const relay = new Relay(send)
    relay.#server.listen(port, '127.0.0.1')
    await once(relay.#server, 'listening').catch((error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? ', which is taken: end what listens there, or choose another port'
          : `: ${error.message}`
      throw new Error(`The API cannot be offered at port ${port}${why}.`)
    })
    relay.url = `http://127.0.0.1:${(relay.#server.address() as AddressInfo).port}`
    return relay
  }

  get webhookUrl(): string {
    return this.url + RELAYED_PATH
  }

  /** Sends calls to the world at this base URL from now on. */
  lead(to: string): void {
    this.#base = to
  }

  begin(run: RelayRun): RelayedStory {
    const call: CallWorld = (path, input) => this.#callWorld(path, input, run.place.apiKey)
    this.#story = new RelayedStory(run, call)
    return this.#story
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const request = await readReceived(incoming)
      const story = this.#story
      if (request.path === RELAYED_PATH) {
        await story?.take(request)
        outgoing.writeHead(200).end()
        return
      }
      const pass = (changed: Received) =>
        passOn(changed, this.#base + changed.path, { fetch: this.#send })
      const isOwn = !request.path.startsWith('/_sandbox') && story?.isPlaying === true
      const closed = new Promise<void>((resolve) => outgoing.once('close', resolve))
      const reply = isOwn ? await story.calls.meet(request, { pass, closed }) : await pass(request)
      if (reply === 'broken') outgoing.destroy()
      else outgoing.writeHead(reply.status, reply.headers).end(reply.body)
    } catch (error) {
      if (!outgoing.headersSent) outgoing.writeHead(500).end(String(error))
    }
  }

  async #callWorld(path: string, input: object, apiKey: string) {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const body = JSON.stringify(input)
    const request = new Request(this.#base + path, { method: 'POST', headers, body })
    const response = await this.#send(request)
    return await response.json()
  }
}
