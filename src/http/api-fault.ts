import type { Context } from 'hono'
import { type AppliedApiFault, describeEffect } from '../engine/faults.ts'
import { realTime } from '../real-time.ts'
import type { Env, RunningCall } from './operation.ts'
import { noteBody } from './request.ts'
import { HttpError } from './status.ts'
import { explainMalformed } from './validators.ts'

/** Tells the server to leave the connection alone: the response is written here or never. */
function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
  // The server's fast path ignores the header; reading `body` takes the response off it.
  void response.body
  return response
}

/** The fault that a call meets, if any. */
export function takeFault({ c, operation, services, world, header, record }: RunningCall) {
  const { faults } = services
  if (!operation.dialect.isContract || faults.list().length === 0) return undefined
  const integrator = world.integratorsByKey.get(header('x-api-key') ?? '')?.name ?? null
  // A call that the fault ends is never authenticated.
  record.integrator = integrator
  const { method, path } = c.req
  return faults.takeApi({ operation: operation.id, method, path, integrator })
}

export async function runWithFault<Result>(
  fault: AppliedApiFault,
  call: RunningCall,
  next: () => Result,
): Promise<Response | Awaited<Result>> {
  const { delayMs = 0, status, connection } = fault.effect
  const { c, record } = call
  record.note(formatFault(fault))
  record.broken = connection ?? null
  await noteBody(call)
  if (delayMs > 0) await realTime.pause(delayMs, undefined, { ref: false })
  call.services.assertAlive()
  if (connection === 'reset') {
    call.close()
    return breakOff(c, fault)
  }
  if (status !== undefined) throw toError(status, fault)
  const response = await proceed(call, next)
  if (connection !== 'lost') return response
  // Hono would add the headers of the lost response to what takes its place.
  c.res = undefined
  c.res = breakOff(c, fault)
  return c.res
}

/** Goes on with the call; what fails is a response too, because a fault may still take it away. */
async function proceed<Result>(call: RunningCall, next: () => Result) {
  try {
    call.authenticate()
    return await next()
  } catch (error) {
    return call.fail(await explainMalformed(error, call.c))
  }
}

function toError(status: number, { id, effect }: AppliedApiFault): HttpError {
  const { error, body, headers: given = {} } = effect
  const { field = 'fault', message = `This is an injected fault (${status}).` } = error ?? {}
  const rule = `none; ${id} caused this`
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
const formatFault = ({ id, effect }: AppliedApiFault): string =>
  `${id}: ${describeEffect('api', effect)}`

/** Thrown by a call without a socket, as `fetch` throws when the connection breaks. */
export class BrokenConnection extends TypeError {
  constructor({ id, effect }: AppliedApiFault) {
    const cause = new Error(`${id} ${describeEffect('api', effect)}.`)
    super('fetch failed', { cause: Object.assign(cause, { code: 'ECONNRESET' }) })
  }
}

function breakOff({ env: { socket } }: Context<Env>, fault: AppliedApiFault): Response {
  if (socket === undefined) throw new BrokenConnection(fault)
  socket.incoming.socket.resetAndDestroy()
  return alreadySent()
}
