import { SandboxError, toUnreachable } from './error.ts'

/** Answers a request, as the global `fetch` does. */
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
  const running = new Set<AbortController>()
  const branches = new Set<Transport>()
  let isClosed = false
  return {
    controlToken,
    hasSocket,
    async send(request) {
      if (isClosed) throw closed()
      const controller = new AbortController()
      running.add(controller)
      const abort = () => controller.abort(request.signal.reason)
      request.signal.addEventListener('abort', abort)
      try {
        request.signal.throwIfAborted()
        return await answerOf(request, controller.signal)
      } catch (error) {
        if (isClosed) throw closed()
        throw request.signal.aborted ? error : toUnreachable(error, request.url)
      } finally {
        running.delete(controller)
        request.signal.removeEventListener('abort', abort)
      }
    },
    branch() {
      const branch = createTransport(options)
      branches.add(branch)
      const close = () => {
        branches.delete(branch)
        branch.close()
      }
      return { ...branch, close }
    },
    close() {
      isClosed = true
      for (const controller of running) controller.abort()
      for (const branch of branches) branch.close()
    },
  }

  /** A sandbox in this process does not watch the signal, so the wait ends here too. */
  async function answerOf(request: Request, signal: AbortSignal): Promise<Response> {
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    return await Promise.race([fetch(new Request(request, { signal })), aborted])
  }
}

const closed = () => new SandboxError('The sandbox was closed.', { code: 'closed' })
