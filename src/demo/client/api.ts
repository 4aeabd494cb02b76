import { type JsonBody, send } from '../../dashboard/client/calls.ts'
import { log, state } from './store.ts'

const { prefix = '', key = '' } = document.body.dataset

/** An answer that is an error, with the message in it. */
export class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Calls the provider's API as the integrator's server would, and logs the call. */
export async function api(method: string, path: string, body?: JsonBody): Promise<JsonBody> {
  const headers = {
    'x-api-key': key,
    ...(state.token && { authorization: `Bearer ${state.token}` }),
  }
  const answer = await send({ method, path: `${prefix}/v2${path}`, body, headers })
  log({
    kind: 'call',
    title: `${method} /v2${path}`,
    result: String(answer.status),
    ok: answer.ok,
    sent: body,
    answered: answer.body,
  })
  if (answer.ok) return answer.body?.data
  throw new ApiError(answer.status, answer.body?.errors?.[0]?.message ?? 'The call failed.')
}

/** Makes the outside world do something. */
export async function simulate(
  title: string,
  path: string,
  body: JsonBody = {},
): Promise<JsonBody> {
  const answer = await send({ method: 'POST', path: `${prefix}/_sandbox${path}`, body })
  const result = answer.ok ? 'done' : String(answer.status)
  log({ kind: 'simulate', title, result, ok: answer.ok, sent: body, answered: answer.body })
  if (!answer.ok) throw new ApiError(answer.status, answer.body?.title ?? 'It did not work.')
  return answer.body
}

/** Reads the control API without logging it. */
export async function readControl(path: string): Promise<JsonBody> {
  return (await send({ method: 'GET', path: `${prefix}/_sandbox${path}` })).body
}

export const pathTo = (path: string): string => `${prefix}/_sandbox${path}`
export const catchUrl = `${location.origin}${prefix}/_sandbox/catch/demo-wallet`
