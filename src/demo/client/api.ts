import { createHttpClient, type HttpRequest, type Json } from '../../client/http.ts'
import { asJson, toError } from '../../dashboard/client/calls.ts'
import { log, state, type WireEntry } from './store.ts'

const { prefix = '', key = '' } = document.body.dataset
const http = createHttpClient({ url: prefix })

/** Calls the provider's API as the integrator's server would. */
export async function api(method: string, path: string, body?: Json): Promise<Json> {
  const headers = {
    'x-api-key': key,
    ...(state.token && { authorization: `Bearer ${state.token}` }),
  }
  const entry = { kind: 'call', title: `${method} /v2${path}` } as const
  return (await send(entry, { method, path: `/v2${path}`, headers, body }))?.data
}

/** Makes the outside world do something. */
export function simulate(title: string, path: string, body: Json = {}): Promise<Json> {
  return send({ kind: 'simulate', title }, { method: 'POST', path: `/_sandbox${path}`, body })
}

/** Reads the control API without logging it. */
export async function readControl(path: string): Promise<Json> {
  return (await http.send({ method: 'GET', path: `/_sandbox${path}` })).body
}

/** Every call is logged in the side panel. */
async function send(entry: Pick<WireEntry, 'kind' | 'title'>, request: HttpRequest): Promise<Json> {
  const answer = await http.send(asJson(request))
  const ok = answer.status < 300
  const result = ok && entry.kind === 'simulate' ? 'done' : String(answer.status)
  log({ ...entry, result, ok, sent: request.body, answered: answer.body })
  if (!ok) throw toError(answer, request)
  return answer.body
}

export const pathTo = (path: string): string => `${prefix}/_sandbox${path}`
export const catchUrl = `${location.origin}${prefix}/_sandbox/catch/demo-wallet`
