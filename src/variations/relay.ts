import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { passOn } from '../client/pass-on.ts'
import { readReceived } from '../client/receiver.ts'
import type { OwnCalls } from './calls.ts'
import { NotJudged } from './loop.ts'
import type { Story } from './story.ts'
import type { Site } from './world-fork.ts'

/** What the relay serves at the moment. */
interface Served {
  /** Base URL of the world of the run. */
  base: string
  story: Story
  calls: OwnCalls
  isPlaying: boolean
}

/** A path that neither the contract nor the control API has. */
const WEBHOOKS_PATH = '/webhooks-of-the-story'

/**
 * One address for the worlds of all runs: it hands their webhooks to the story, and serves the API to
 * the integrator's code.
 */
export class Relay {
  served: Served | undefined
  readonly #fetch: Site['fetch']
  readonly #server = http.createServer((incoming, outgoing) => void this.#serve(incoming, outgoing))

  private constructor(fetch: Site['fetch']) {
    this.#fetch = fetch
  }

  static async open(port: number, fetch: Site['fetch']): Promise<Relay> {
    const relay = new Relay(fetch)
    relay.#server.listen(port, '127.0.0.1')
    await once(relay.#server, 'listening').catch((error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? ', which is in use: stop the program listening there, or choose another port'
          : `: ${error.message}`
      throw new NotJudged(`Cannot serve the API on port ${port}${why}.`)
    })
    return relay
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get webhookUrl(): string {
    return this.url + WEBHOOKS_PATH
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const request = await readReceived(incoming)
      if (this.served === undefined) throw new Error('No run is under way.')
      const { base, story, calls, isPlaying } = this.served
      if (request.path === WEBHOOKS_PATH) {
        await story.take(request)
        outgoing.writeHead(200).end()
        return
      }
      const pass = () => passOn(request, base + request.path, { fetch: this.#fetch })
      const closing = new AbortController()
      outgoing.once('close', () => closing.abort())
      const isOwn = isPlaying && !request.path.startsWith('/_sandbox')
      const reply = isOwn
        ? await calls.meet(request, { pass, closed: closing.signal })
        : await pass()
      if (reply === 'broken') outgoing.destroy()
      else outgoing.writeHead(reply.status, reply.headers).end(reply.body)
    } catch (error) {
      if (!outgoing.headersSent) outgoing.writeHead(500).end(String(error))
    }
  }
}
