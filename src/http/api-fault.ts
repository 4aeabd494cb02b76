import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from 'hono'
import type { ApiEffect, AppliedApiFault } from '../engine/faults.ts'
import { formatDuration } from '../world/duration.ts'
import type { Env } from './services.ts'
import { HttpError } from './status.ts'

/** Tells the server that the answer was written, or will never be. */
function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
  // The fast path of the server does not know the header; a body that was looked at leaves it.
  void response.body
  return response
}

interface FaultyCall {
  proceed(): Response | Promise<Response>
  refuse(error: unknown): Response
  /** Ends the journal's row of a call that gets no answer at all. */
  giveUp(): void
}

/** Lets a call meet the fault that was ordered for it. */
export async function meetFault(
  { effect }: AppliedApiFault,
  c: Context<Env>,
  call: FaultyCall,
): Promise<Response> {
  const { delayMs = 0, status, connection } = effect
  if (delayMs > 0) await pause(delayMs, undefined, { ref: false })
  if (connection === 'reset') {
    call.giveUp()
    return breakOff(c)
  }
  const response = await (status === undefined
    ? call.proceed()
    : call.refuse(toRefusal(status, effect)))
  if (connection === 'lost') return breakOff(c)
  return connection === 'truncate' ? truncate(c, response) : response
}

function toRefusal(status: number, { error, headers = {} }: ApiEffect): HttpError {
  const { field, message } = error ?? { field: 'fault', message: `An ordered fault: ${status}.` }
  const rule = 'None: it was ordered with POST /_sandbox/faults'
  return new HttpError(status, field, message, { code: 'fault', rule, headers })
}

/** What a fault does, for the journal of the call that met it. */
export function tellFault({ id, effect }: AppliedApiFault): string {
  const { delayMs, status, connection } = effect
  const told = [
    delayMs !== undefined && `it waits for ${formatDuration(delayMs)}`,
    status !== undefined && `it is answered ${status} instead of being done`,
    connection && BROKEN[connection],
  ].filter((part) => typeof part === 'string')
  return `met ${id}: ${told.join(', ')}`
}

const BROKEN: Record<NonNullable<ApiEffect['connection']>, string> = {
  reset: 'the connection is reset before anything is done',
  truncate: 'half of the answer is sent',
  lost: 'the connection is reset instead of an answer',
}

/** A call without a socket ends as a `fetch` whose connection broke does: it throws. */
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

/** Announces the whole body, sends half of it, and breaks the connection. */
async function truncate(c: Context<Env>, response: Response): Promise<Response> {
  const { socket } = c.env
  const text = await response.text()
  const half = Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2))
  if (socket === undefined) return new Response(breakingStream(half), response)
  const { outgoing } = socket
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': Buffer.byteLength(text),
  })
  outgoing.write(half, () => outgoing.socket?.destroy())
  return alreadySent()
}

/** Ends as the body of a `fetch` whose connection broke half-way. */
function breakingStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated', { cause: new BrokenConnection() }))
      else controller.enqueue(bytes)
      isSent = true
    },
  })
}
