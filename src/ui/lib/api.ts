import type { FieldError } from '../../http/v2/shapes.ts'

/** Longest wait for a response: a control call waits up to a minute for the webhooks it causes. */
const WAIT_MAX_MS = 90_000

export interface ApiCall {
  method: string
  /** Path on this origin, such as `/w/name/v2/quotes`. */
  path: string
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  body?: unknown
}

export interface ApiResponse<Body> {
  status: number
  /** The parsed JSON, or the text of anything else. */
  body: Body
}

/** A call that was refused, or that nothing responded to. */
export class ApiError extends Error {
  /** HTTP status; 0 if nothing responded. */
  readonly status: number
  readonly problems: readonly FieldError[]

  constructor(message: string, { status = 0, problems = [] as readonly FieldError[] } = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.problems = problems
  }

  /** The first field that is wrong, where the response names one. */
  get field(): string {
    return this.problems[0]?.field ?? ''
  }
}

/** Sends a call and returns any response. Throws an `ApiError` only if nothing responds. */
export async function send<Body>(call: ApiCall): Promise<ApiResponse<Body>> {
  const { method, path, body } = call
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = { ...(text && { 'content-type': 'application/json' }), ...call.headers }
  try {
    const signal = AbortSignal.timeout(WAIT_MAX_MS)
    const response = await fetch(path, { method, headers, signal, ...(text && { body: text }) })
    return { status: response.status, body: parse(await response.text()) }
  } catch (error) {
    throw new ApiError(`No response to ${method} ${path}: ${error}`)
  }
}

/** Calls the control API; throws an `ApiError` for a refusal. The path is below `/_sandbox`. */
export async function control<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  // Only a request with a JSON content type can be no form of another site.
  const json = method === 'POST' || method === 'PUT' || method === 'PATCH' ? (body ?? {}) : body
  const response = await send<Body>({ method, path, body: json })
  const error = findError(response)
  if (error) throw error
  return response.body
}

/** Reads the error of a response of v2 or of the control API. */
export function findError({ status, body }: ApiResponse<unknown>): ApiError | undefined {
  if (status < 300) return undefined
  const { title, detail, errors } = Object(body) as Partial<{
    title: string
    detail: string
    errors: FieldError[]
  }>
  const problems = errors ?? []
  const sentences = new Set([title, ...problems.map((each) => each.message), detail])
  const text = [...sentences].filter(Boolean).join(' ')
  return new ApiError(text || `HTTP ${status}`, { status, problems })
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
