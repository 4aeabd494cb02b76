import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from 'hono'
import type { ApiEffect } from '../faults.ts'
import type { Env } from './doors.ts'
import { HttpRefusal } from './status.ts'

/** Tells the server that the answer was written, or will never be. */
function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
  // The fast path of the server does not know the header; a body that was looked at leaves it.
  void response.body
  return response
}

/** Lets a call meet the fault that was ordered for it. */
export async function meetFault(
  effect: ApiEffect,
  c: Context<Env>,
  call: { proceed(): Response | Promise<Response>; refuse(error: unknown): Response },
): Promise<Response> {
  const { delayMs = 0, status, error, headers = {}, connection } = effect
  if (delayMs > 0) await pause(delayMs, undefined, { ref: false })
  if (connection === 'reset') return breakOff(c)
  if (status !== undefined) {
    const { field, message } = error ?? { field: 'fault', message: `An ordered fault: ${status}.` }
    return call.refuse(new HttpRefusal(status, field, message, { code: 'fault', headers }))
  }
  const response = await call.proceed()
  if (connection === 'lost') return breakOff(c)
  return connection === 'truncate' ? truncate(c, response) : response
}

/** A call without a socket ends as one whose connection broke does: it throws. */
function breakOff({ env: { socket } }: Context<Env>): Response {
  if (socket === undefined) throw new TypeError('fetch failed: the connection was reset (a fault)')
  socket.incoming.socket.resetAndDestroy()
  return alreadySent()
}

/** Announces the whole body, sends half of it, and breaks the connection. */
async function truncate(c: Context<Env>, response: Response): Promise<Response> {
  const { socket } = c.env
  const text = await response.text()
  const half = Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2))
  if (socket === undefined) return new Response(half, response)
  const { outgoing } = socket
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': Buffer.byteLength(text),
  })
  outgoing.write(half, () => outgoing.socket?.destroy())
  return alreadySent()
}
