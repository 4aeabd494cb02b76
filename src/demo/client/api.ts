import { createHttpClient, type HttpRequest, type Json } from '../../client/http.ts'
import { asJson, call, toError } from '../../dashboard/client/calls.ts'
import { log, type Row, state } from './store.ts'

const { key = '' } = document.body.dataset
/** The path of the world, before any path of its APIs. */
export const { prefix = '' } = document.body.dataset
/** Where others reach the sandbox. */
export const siteOrigin = document.body.dataset.origin ?? location.origin
const { hostname = '' } = URL.parse?.(siteOrigin) ?? {}
export const isLoopback = /^(localhost|127\.|\[::1\])/.test(hostname)
const http = createHttpClient({ url: prefix })

/** Calls the provider's API as the integrator's server would. */
export async function api(method: string, path: string, body?: Json): Promise<Json> {
  const headers = {
    'x-api-key': key,
    ...(state.token && { authorization: `Bearer ${state.token}` }),
  }
  const line = { kind: 'call', title: `${method} /v2${path}` } as const
  return (await send(line, { method, path: `/v2${path}`, headers, body }))?.data
}

/** Makes the outside world do something. */
export function simulate(path: string, body: Json = {}): Promise<Json> {
  const line = { kind: 'outside', title: `POST /_sandbox${path}` } as const
  return send(line, { method: 'POST', path: `/_sandbox${path}`, body })
}

/** Asks the control API without a line of its own. */
export const control = (method: string, path: string, body?: Json): Promise<Json> =>
  call({ method, path: pathTo(path), body })

export const readControl = (path: string): Promise<Json> => control('GET', path)

async function send(line: Pick<Row, 'kind' | 'title'>, request: HttpRequest): Promise<Json> {
  const answer = await http.send(asJson(request))
  const ok = answer.status < 300
  const error = ok ? undefined : toError(answer, request)
  log({
    ...line,
    result: ok && line.kind === 'outside' ? 'done' : String(answer.status),
    ok,
    note: error?.message ?? '',
    parts: [
      ...(request.body === undefined ? [] : [['Sent', pretty(request.body)] as const]),
      ...(answer.body ? [['Answer', pretty(answer.body)] as const] : []),
    ],
  })
  if (error) throw error
  return answer.body
}

const SECRETS = ['accessToken', 'signingSecret']

/** Secrets are the server's: they are shown by their ends alone. */
export const pretty = (value: unknown): string =>
  JSON.stringify(value, (name, inner) => (SECRETS.includes(name) ? shorten(inner) : inner), 2)

const shorten = (text: unknown) => `…${String(text).slice(-8)}`

export const pathTo = (path: string): string => `${prefix}/_sandbox${path}`
export const catchName = 'demo-wallet'
export const catchUrl = `${location.origin}${pathTo(`/catch/${catchName}`)}`
