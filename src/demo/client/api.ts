import { type Json, send } from '../../dashboard/client/calls.ts'
import { log, state } from './store.ts'

const { prefix = '', key = '' } = document.body.dataset

/** A call that was refused, in the words of the answer. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Calls the provider's API as the integrator's server would; every call shows in the side panel. */
export async function api(method: string, path: string, body?: Json): Promise<Json> {
  const headers = {
    'x-api-key': key,
    ...(state.token && { authorization: `Bearer ${state.token}` }),
  }
  const answer = await send({ method, path: `${prefix}/v2${path}`, body, headers })
  log({
    kind: 'call',
    title: `${method} /v2${path}`,
    came: String(answer.status),
    ok: answer.ok,
    sent: body,
    answered: answer.body,
  })
  if (answer.ok) return answer.body?.data
  throw new Refused(answer.status, answer.body?.errors?.[0]?.message ?? 'The call failed.')
}

/** Makes the outside world do something. */
export async function lever(title: string, path: string, body: Json = {}): Promise<Json> {
  const answer = await send({ method: 'POST', path: `${prefix}/_sandbox${path}`, body })
  const came = answer.ok ? 'done' : String(answer.status)
  log({ kind: 'lever', title, came, ok: answer.ok, sent: body, answered: answer.body })
  if (!answer.ok) throw new Refused(answer.status, answer.body?.title ?? 'It did not work.')
  return answer.body
}

/** Reads the control API without showing it. */
export async function peek(path: string): Promise<Json> {
  return (await send({ method: 'GET', path: `${prefix}/_sandbox${path}` })).body
}

export const pathTo = (path: string): string => `${prefix}/_sandbox${path}`
export const catchUrl = `${location.origin}${prefix}/_sandbox/catch/demo-wallet`
