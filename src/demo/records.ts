import type { Context, Hono } from 'hono'
import { assertControl } from '../http/control/auth.ts'
import { BODY_MAX, readBytes } from '../http/input.ts'
import type { Env } from '../http/services.ts'
import type { World } from '../world/world.ts'

/** Most records of one world; beyond it the oldest is dropped. */
const RECORDS_MAX = 200
const PATH = '/_sandbox/demo/records/:key{[A-Za-z0-9.%@_+-]{1,300}}'

interface DemoRecord {
  version: number
  /** JSON, as it was sent. */
  text: string
}

/** Database of the demo wallet's server: its sessions and customers, by key. */
class Records {
  readonly #rows = new Map<string, DemoRecord>()

  get(key: string): DemoRecord {
    return this.#rows.get(key) ?? { version: 0, text: 'null' }
  }

  put(key: string, text: string): DemoRecord {
    const row = { version: this.get(key).version + 1, text }
    this.#rows.delete(key)
    this.#rows.set(key, row)
    const [oldest] = this.#rows.keys()
    if (this.#rows.size > RECORDS_MAX && oldest !== undefined) this.#rows.delete(oldest)
    return row
  }
}

/** Records are not part of a world's state. A reset, a restore or an import makes a new world without them. */
const recordsOf = new WeakMap<World, Records>()

function openRecords({ env }: Context<Env>): Records {
  const { world } = env.services
  const records = recordsOf.get(world) ?? new Records()
  recordsOf.set(world, records)
  return records
}

/** Mounts the routes of the records, for callers who may use the control API. */
export function mountRecords(app: Hono<Env>): void {
  app.get(PATH, (c) => {
    assertAllowed(c)
    const { version, text } = openRecords(c).get(c.req.param('key'))
    const isKnown = c.req.query('after') === String(version)
    return respond(isKnown ? `{"version":${version}}` : `{"version":${version},"value":${text}}`)
  })
  app.put(PATH, async (c) => {
    assertAllowed(c)
    c.env.control.assertMemory()
    const text = (await readBytes(c, BODY_MAX)).toString()
    if (!isJson(text)) return respond('{"title":"The record is not JSON."}', 400)
    const { version } = openRecords(c).put(c.req.param('key'), text)
    return respond(`{"version":${version}}`)
  })
}

function assertAllowed({ req, env }: Context<Env>): void {
  const { isPrivate } = env.services
  const header = (name: string) => req.header(name)
  const host = header('host') ?? new URL(req.url).host
  assertControl({ method: req.method, host, header, isPrivate }, env.control)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const respond = (text: string, status = 200) =>
  new Response(text, { status, headers: { 'content-type': 'application/json' } })
