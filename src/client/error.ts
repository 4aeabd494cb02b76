/** Wrong field of a request. */
export interface FieldProblem {
  field: string
  message: string
}

export interface SandboxErrorDetail {
  code: string
  status?: number | undefined
  problems?: readonly FieldProblem[] | undefined
  /** Status of the transaction, for an illegal move. */
  from?: string | undefined
  /** Statuses it can go to from there, for an illegal move. */
  allowed?: readonly string[] | undefined
  hint?: string | undefined
  cause?: unknown
}

/**
 * An error of the control API, or one of the library itself, with a stable `code`.
 *
 * Codes of the library: `timeout` (nothing matched in time), `unreachable` (nothing responds at the
 * URL, or the connection broke), `closed` (after `close`), `no-socket` (needs a sandbox that listens), `not-control` (the
 * response is not from the control API), `fake-timers` (microtasks or ticks are faked), `elsewhere` (the URL
 * does not belong to this sandbox), `contract` (`login` was refused, or `data` was read from a failed call).
 *
 * @example
 * await using sandbox = await createSandbox({ fixture: 'verified-user' })
 * const error = await sandbox.simulate.expired('no-such-id').catch((reason) => reason)
 * assert(error instanceof SandboxError)
 * assert.equal(error.code, 'not-found')
 */
export class SandboxError extends Error {
  /** Stable, for programs. */
  readonly code: string
  /** HTTP status of the response; undefined where there was none. */
  readonly status: number | undefined
  /** Problems of the request, field by field. */
  readonly problems: readonly FieldProblem[]
  readonly from: string | undefined
  readonly allowed: readonly string[] | undefined
  /** What would have worked, if the sandbox knows. */
  readonly hint: string | undefined

  constructor(message: string, detail: SandboxErrorDetail) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.name = 'SandboxError'
    this.code = detail.code
    this.status = detail.status
    this.problems = detail.problems ?? []
    this.from = detail.from
    this.allowed = detail.allowed
    this.hint = detail.hint
  }
}

/** Reads the error of a response, which may come from a server that is not a sandbox. */
export function toSandboxError({ status, body }: ErrorResponse, call: string): SandboxError {
  if (typeof body?.code !== 'string') {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    // The body of a success may look right.
    const why = status < 300 ? ' (no x-sandbox-version header)' : ''
    const said = text === '' ? '.' : `: ${text.slice(0, 200)}`
    const message = `${call} responded with ${status}, and the response is not from the control API${why}${said}`
    return new SandboxError(message, { code: 'not-control', status })
  }
  const { title, detail, code, errors = [], from, allowed } = body
  const problems: FieldProblem[] = errors
  const sentences = new Set([title, ...problems.map(({ message }) => message), detail ?? title])
  const hint = detail === title ? undefined : detail
  return new SandboxError([...sentences].join(' '), { code, status, problems, from, allowed, hint })
}

/** An error about a value that the caller gave, before anything is sent. */
export const invalidValue = (field: string, message: string): SandboxError =>
  new SandboxError(message, { code: 'invalid', problems: [{ field, message }] })

interface ErrorResponse {
  status: number
  body: ReturnType<typeof JSON.parse>
}

/** Wraps an error of `fetch`; errors of the library pass through. */
export function toUnreachable(error: unknown, url: string): SandboxError {
  if (error instanceof SandboxError) return error
  const message = isBroken(error)
    ? `The connection to ${url} broke: ${error.cause.message.replace(/\.$/, '')}.`
    : `No sandbox responds at ${url}: ${reasonOf(error)}.`
  return new SandboxError(message, { code: 'unreachable', cause: error })
}

const BROKEN = ['ECONNRESET', 'UND_ERR_SOCKET']

/** Recognises an error of `fetch` about a connection that broke, as one does under a fault. */
export function isBroken(error: unknown): error is Error & { cause: Error } {
  const { cause } = error as { cause?: Error & { code?: string } }
  return cause instanceof Error && BROKEN.includes(cause.code ?? '')
}

/** `fetch failed` alone explains nothing, so this looks at the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  const { code, address, port } = cause as { code?: string; address?: string; port?: number }
  // With a proxy this is the proxy's address, not the one that was called.
  if (code && address !== undefined && port !== undefined) return `${code} ${address}:${port}`
  if (cause.message === 'bad port') return 'browsers and fetch refuse this port, so choose another'
  return code ?? cause.message
}
