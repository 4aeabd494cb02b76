import { createHttpClient, type HttpRequest, type Json } from '../../client/http.ts'
import { asJson, call, toError } from '../../dashboard/client/calls.ts'
import { log, type Row, state } from './store.ts'

const { key = '' } = document.body.dataset
/** Path of the world, such as `/w/name`. */
export const { prefix = '' } = document.body.dataset
const http = createHttpClient({ url: prefix })

/** Calls the provider's API as the integrator's server would. */
export async function api(method: string, path: string, body?: Json): Promise<Json> {
  const headers = {
    'x-api-key': key,
    ...(state.token && { authorization: `Bearer ${state.token}` }),
  }
  return (await send('call', { method, path: `/v2${path}`, headers, body }))?.data
}

export const simulate = (path: string, body: Json = {}): Promise<Json> =>
  send('outside', { method: 'POST', path: `/_sandbox${path}`, body })

/** Calls the control API without adding a row to the server's column. */
export const control = (method: string, path: string, body?: Json): Promise<Json> =>
  call({ method, path: pathTo(path), body })

export const readControl = (path: string): Promise<Json> => control('GET', path)

async function send(kind: Row['kind'], request: HttpRequest): Promise<Json> {
  const response = await http.send(asJson(request))
  const { status, body } = response
  const error = status < 300 ? undefined : toError(response, request)
  log({
    kind,
    title: `${request.method} ${request.path}`,
    result: error || kind === 'call' ? String(status) : 'done',
    isBad: error !== undefined,
    note: error?.message ?? '',
    parts: [
      ...(request.body === undefined ? [] : [['Sent', pretty(request.body)] as const]),
      ...(body ? [['Response', pretty(body)] as const] : []),
    ],
  })
  if (error) throw error
  return body
}

const SECRETS = ['accessToken', 'signingSecret']

/** Formats JSON, with only the end of each secret. */
export const pretty = (value: unknown): string =>
  JSON.stringify(
    value,
    (name, inner) => (SECRETS.includes(name) ? `…${String(inner).slice(-8)}` : inner),
    2,
  )

export const pathTo = (path: string): string => `${prefix}/_sandbox${path}`
export const catchName = 'demo-wallet'
