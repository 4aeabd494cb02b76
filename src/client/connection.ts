import { SandboxError } from './error.ts'

/** Answers a request, as the global `fetch` does. */
export type Fetch = (request: Request) => Response | Promise<Response>

export interface ConnectionOptions {
  fetch: Fetch
  /** Goes with every control call, where the sandbox asks for one. */
  controlToken?: string | undefined
  /** Whether webhooks and other programs can reach the sandbox. */
  hasSocket: boolean
}

/** How a sandbox is reached: over HTTP, or in this very process. */
export interface Connection {
  readonly controlToken: string | undefined
  readonly hasSocket: boolean
  send(request: Request): Promise<Response>
  /** Another one to the same place, which ends with this one at the latest. */
  branch(): Connection
  /** Ends what is under way and refuses what comes. */
  close(): void
}

export function createConnection(options: ConnectionOptions): Connection {
  const { fetch, controlToken, hasSocket } = options
  const running = new Set<AbortController>()
  const branches = new Set<Connection>()
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
        throw isClosed ? closed() : toError(error, request)
      } finally {
        running.delete(controller)
        request.signal.removeEventListener('abort', abort)
      }
    },
    branch() {
      const branch = createConnection(options)
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

  /** A sandbox in this process does not watch the signal, so the waiting ends here too. */
  async function answerOf(request: Request, signal: AbortSignal): Promise<Response> {
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    return await Promise.race([fetch(new Request(request, { signal })), aborted])
  }
}

function toError(error: unknown, { url, signal }: Request): unknown {
  if (signal.aborted) return error
  const message = `No sandbox answers at ${url}: ${reasonOf(error)}.`
  return new SandboxError(message, { code: 'unreachable', cause: error })
}

const closed = () => new SandboxError('The sandbox was closed.', { code: 'closed' })

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return (cause as NodeJS.ErrnoException).code ?? cause.message
}
