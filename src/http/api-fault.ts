import type { Context } from 'hono'
import { type ApiEffect, type AppliedApiFault, describeEffect } from '../engine/faults.ts'
import { realTime } from '../real-time.ts'
import type { Env } from './services.ts'
import { HttpError } from './status.ts'

/** Tells the server to leave the connection alone: the response is written here or never. */
function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
  // The server's fast path ignores the header; reading `body` takes the response off it.
  void response.body
  return response
}

interface FaultyCall {
  proceed(): Response | Promise<Response>
  fail(error: unknown): Response
  /** Closes the journal row of a call that never gets a response. */
  giveUp(): void
}

export async function runWithFault(
  { effect }: AppliedApiFault,
  c: Context<Env>,
  call: FaultyCall,
): Promise<Response> {
  const { delayMs = 0, status, connection } = effect
  if (delayMs > 0) await realTime.pause(delayMs, undefined, { ref: false })
  if (connection === 'reset') {
    call.giveUp()
    return breakOff(c)
  }
  const response = await (status === undefined
    ? call.proceed()
    : call.fail(toError(status, effect)))
  return connection === 'lost' ? breakOff(c) : response
}

function toError(status: number, { error, body, headers: given = {} }: ApiEffect): HttpError {
  const { field = 'fault', message = `An injected fault: ${status}.` } = error ?? {}
  const rule = 'none (the fault was added with POST /_sandbox/faults)'
  const lower = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])
  const headers: Record<string, string> = Object.fromEntries(lower)
  if (body !== undefined) {
    headers['content-type'] ??= 'text/plain;charset=UTF-8'
    // A page served here must not act on the inspector, which has the same origin.
    const policy = headers['content-security-policy']
    headers['content-security-policy'] = policy ? `${policy}, sandbox` : 'sandbox'
  }
  return new HttpError(status, field, message, { code: 'fault', rule, headers, body })
}

/** Describes a fault for the journal of the call that met it. */
export const formatFault = ({ id, effect }: AppliedApiFault): string =>
  `fault ${id}: ${describeEffect('api', effect)}`

/** Thrown by a call without a socket, as `fetch` throws when the connection breaks. */
export class BrokenConnection extends TypeError {
  constructor() {
    const cause = new Error('A fault reset the connection.')
    super('fetch failed', { cause: Object.assign(cause, { code: 'ECONNRESET' }) })
  }
}

function breakOff({ env: { socket } }: Context<Env>): Response {
  if (socket === undefined) throw new BrokenConnection()
  socket.incoming.socket.resetAndDestroy()
  return alreadySent()
}
