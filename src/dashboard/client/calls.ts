import { plural, shellQuote } from '../format.ts'

/** Whatever JSON holds. */
export type JsonBody = ReturnType<typeof JSON.parse>

export interface CallRequest {
  method: string
  path: string
  body?: JsonBody
  headers?: Record<string, string>
}

export interface CallAnswer {
  ok: boolean
  status: number
  body: JsonBody
}

/** One call of the sandbox's own server; never throws. */
export async function send(request: CallRequest): Promise<CallAnswer> {
  try {
    return await read(await call(request))
  } catch {
    return GONE
  }
}

/** One call that is answered bit by bit; its answer alone where that is an error. */
export async function open(
  request: CallRequest,
): Promise<ReadableStream<BufferSource> | CallAnswer> {
  try {
    const response = await call(request)
    return response.ok && response.body ? response.body : await read(response)
  } catch {
    return GONE
  }
}

const GONE = {
  ok: false,
  status: 0,
  body: { title: 'The sandbox does not answer. Is it running?' },
} as const

const call = ({ method, path, body, headers }: CallRequest) =>
  fetch(path, {
    method,
    headers: { ...headers, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(method !== 'GET' && method !== 'DELETE' && { body: JSON.stringify(body ?? {}) }),
  })

async function read(response: Response): Promise<CallAnswer> {
  return { ok: response.ok, status: response.status, body: parse(await response.text()) }
}

function parse(text: string): JsonBody {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The same call for a terminal. */
export function toCurl({ method, path, body, headers = {} }: CallRequest): string {
  const parts = ['curl', '-sS']
  if (method !== 'GET') parts.push('-X', method)
  for (const [name, value] of Object.entries(headers))
    parts.push('-H', shellQuote(`${name}: ${value}`))
  if (method !== 'GET' && method !== 'DELETE') {
    parts.push('--json', shellQuote(JSON.stringify(body ?? {})))
  }
  return [...parts, shellQuote(new URL(path, location.href).href)].join(' ')
}

/** The result of a call, in a sentence. */
export function formatAnswer({ ok, status, body }: CallAnswer, done?: string): string {
  if (!ok) return formatProblem(status, body)
  if (typeof body?.from === 'string' && body.to !== body.from && body.transactionId) {
    return `${body.from} → ${body.to}${formatDeliveries(body)}`
  }
  return `${done ?? 'Done'}${formatFired(body)}${formatDeliveries(body)}`
}

function formatProblem(status: number, body: JsonBody): string {
  const [first] = body?.errors ?? []
  const title = body?.title ?? first?.message ?? body?.message ?? `The call failed with ${status}.`
  const detail = body?.detail && body.detail !== title ? ` ${body.detail}` : ''
  return title + detail
}

function formatFired(body: JsonBody): string {
  const count = body?.firedCount ?? 0
  return count > 0 ? `; ${plural(count, 'task')} ran` : ''
}

function formatDeliveries(body: JsonBody): string {
  const outcomes: string[] = (body?.deliveries ?? [])
    .map(({ outcome }: JsonBody) => outcome)
    .filter((outcome: string) => outcome !== 'suppressed')
  if (outcomes.length === 0) return ''
  const all = outcomes.every((outcome) => outcome === outcomes[0])
  const noun = outcomes.length === 1 ? 'webhook' : 'webhooks'
  return `, ${outcomes.length} ${noun} ${all ? outcomes[0] : 'sent'}`
}

/** A value somewhere inside an answer, by a path such as `data.id`. */
export function pick(value: JsonBody, path: string): JsonBody {
  return path.split('.').reduce((inside, name) => inside?.[name], value)
}
