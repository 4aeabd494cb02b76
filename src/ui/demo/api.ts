import type { Wire } from '../../control-api/wire.ts'
import { type ApiCall, control as callControl, findError, send } from '../lib/api.ts'
import { log, type Row, state } from './store.ts'

/** Calls the provider's API as the integrator's server would. */
export async function api<Data>(method: string, path: string, body?: unknown): Promise<Data> {
  const { apiKey, prefix } = state.world
  const headers = {
    'x-api-key': apiKey,
    ...(state.token && { authorization: `Bearer ${state.token}` }),
  }
  const call = { method, path: `${prefix}/v2${path}`, headers, body }
  return (await show<{ data: Data }>('call', call)).data
}

/** Lets the outside world do something, as a row of the server's column. */
export const simulate = (path: string, body: object = {}): Promise<unknown> =>
  show('outside', { method: 'POST', path: pathTo(path), body })

/** Calls the control API without adding a row; the name is that of the operation. */
export const control = <Name extends keyof Wire>(method: string, path: string, body?: object) =>
  callControl<Wire[Name]['response']>(method, pathTo(path), body)

/** Sends a call and adds it to the server's column. */
async function show<Body>(kind: Row['kind'], call: ApiCall): Promise<Body> {
  const response = await send<Body>(call)
  const error = findError(response)
  log({
    kind,
    title: `${call.method} ${call.path.slice(state.world.prefix.length)}`,
    result: error || kind === 'call' ? String(response.status) : 'done',
    isBad: error !== undefined,
    note: error?.message ?? '',
    parts: [
      ...(call.body === undefined ? [] : [['Sent', pretty(call.body)] as const]),
      ...(response.body ? [['Response', pretty(response.body)] as const] : []),
    ],
  })
  if (error) throw error
  return response.body
}

const SECRETS = ['accessToken', 'signingSecret']

/** Formats JSON, with only the end of each secret. */
export const pretty = (value: unknown): string =>
  JSON.stringify(
    value,
    (name, inner) => (SECRETS.includes(name) ? `…${String(inner).slice(-8)}` : inner),
    2,
  )

export const pathTo = (path: string): string => `${state.world.prefix}/_sandbox${path}`
