import { request } from 'node:http'
import type { WorldsOptions } from '../../src/host/worlds.ts'
import { type Live, openLive } from '../control/live.ts'
import { KEY } from '../helpers/app.ts'

/** A world behind a real socket, which faults can break. */
export interface Served extends Live {
  /** One contract call on a connection of its own. */
  call(method: string, path: string, sent?: { body?: unknown; token?: string }): Promise<Outcome>
}

/** How a call ended: with a response, with a part of one, or with a broken connection. */
export interface Outcome {
  status: number | null
  headers: Record<string, string | string[] | undefined>
  body: string
  /** Code of the error that ended it. */
  broken: string | null
}

export async function openServed(options: WorldsOptions = {}): Promise<Served> {
  const live = await openLive(options)
  const port = Number(new URL(live.url).port)
  return { ...live, call: (method, path, sent) => call(port, method, { path, ...sent }) }
}

function call(
  port: number,
  method: string,
  { path, body, token }: { path: string; body?: unknown; token?: string },
): Promise<Outcome> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = {
    'x-api-key': KEY,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
  }
  return new Promise((resolve) => {
    const outcome: Outcome = { status: null, headers: {}, body: '', broken: null }
    const fail = ({ code = 'unknown' }: NodeJS.ErrnoException) =>
      resolve({ ...outcome, broken: code })
    const asked = request({ port, host: '127.0.0.1', method, path, headers, agent: false })
    asked.on('error', fail)
    asked.on('response', (incoming) => {
      outcome.status = incoming.statusCode ?? null
      outcome.headers = incoming.headers
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => (outcome.body += chunk))
      incoming.on('error', fail)
      incoming.on('end', () => resolve(outcome))
    })
    asked.end(text)
  })
}
