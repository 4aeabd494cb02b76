import { SandboxError, toUnreachable } from './error.ts'

/** Responds to a request, as the global `fetch` does. */
export type Fetch = (request: Request) => Response | Promise<Response>

export interface TransportOptions {
  fetch: Fetch
  /** Sent with every control call, where the sandbox asks for one. */
  controlToken?: string | undefined
  /** Whether webhooks and other programs can reach the sandbox. */
  hasSocket: boolean
}

/** How a sandbox is reached: over HTTP, or in this very process. */
export interface Transport {
  readonly controlToken: string | undefined
  readonly hasSocket: boolean
  send(request: Request): Promise<Response>
  /** Another one to the same place, which is closed with this one at the latest. */
  branch(): Transport
  /** Aborts what is under way; later requests fail. */
  close(): void
}

export function createTransport(options: TransportOptions): Transport {
  const { fetch, controlToken, hasSocket } = options
  /** Functions that end each request that is under way, and each branch. */
  const ends = new Set<() => void>()
  let isClosed = false
  return {
    controlToken,
    hasSocket,
    async send(request) {
      if (isClosed) throw closed()
      const ending = new AbortController()
      const abort = () => ending.abort(request.signal.reason)
      const end = () => ending.abort(closed())
      ends.add(end)
      request.signal.addEventListener('abort', abort)
      if (request.signal.aborted) abort()
      try {
        return await responseOf(request, ending.signal)
      } catch (error) {
        throw ending.signal.aborted ? ending.signal.reason : toUnreachable(error, request.url)
      } finally {
        ends.delete(end)
        request.signal.removeEventListener('abort', abort)
      }
    },
    branch() {
      const branch = createTransport(options)
      ends.add(branch.close)
      return branch
    },
    close() {
      isClosed = true
      for (const end of ends) end()
    },
  }

  /** A sandbox in this process does not watch the signal, so the wait ends here too. */
  async function responseOf(request: Request, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted()
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    return await Promise.race([fetch(new Request(request, { signal })), aborted])
  }
}

const closed = () => new SandboxError('The sandbox was closed.', { code: 'closed' })
