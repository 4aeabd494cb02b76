import type { ControlClient } from '../../client/control.ts'
import type { Json } from '../../client/http.ts'
import type { RequestRecord } from '../../http/control/wire.ts'
import { createMasker } from '../mask.ts'
import { parseTarget } from '../operations.ts'
import { createRecorder } from '../record/recorder.ts'
import { type RecordingEntry, readRecording } from '../recording.ts'

export interface ReadJournalOptions {
  call: ControlClient['call']
  keep?: readonly string[] | undefined
}

export interface SessionJournal {
  entries: RecordingEntry[]
  /** Whether earlier calls are kept no longer. */
  isCut: boolean
}

/** What the sandbox remembers of the calls and events of a world, as a recording: masked, too. */
export async function readJournal({ call, keep }: ReadJournalOptions): Promise<SessionJournal> {
  const { requests } = await call<{ requests: RequestRecord[] }>('GET', '/requests', {
    query: { limit: ROWS_MAX },
  })
  const { integrators, names } = await call<Json>('GET', '/info')
  const users = await readAll(call, '/users', 'items')
  const events = await readAll(call, '/events', 'events')
  let now = 0
  const lines: string[] = []
  const masker = createMasker({ keep, now: () => now })
  const recorder = createRecorder({ masker, write: (line) => void lines.push(line) })
  const keys = new Map(integrators.map(({ name, apiKey }: Json) => [name, apiKey]))
  const tokens = createTokens(users)
  for (const row of inOrder(requests, events)) {
    now = Date.parse(row.at)
    const n = recorder.begin()
    if ('payload' in row) {
      const { id, at: occurredAt, type, payload } = row
      const body = JSON.stringify({ id, apiVersion: 'v2', occurredAt, type, payload })
      const headers = { [names.timestampHeader]: '*', [names.signatureHeader]: '*' }
      recorder.webhook(n, now, { headers, body }, 200)
    } else recorder.call(n, now, toRawCall(row))
  }
  return {
    entries: readRecording(lines.join('')),
    isCut: Number(requests[0]?.id.slice(4) ?? 1) > 1,
  }

  function toRawCall(row: RequestRecord) {
    const token = tokens.find(row)
    const key = row.integrator === null ? undefined : keys.get(row.integrator)
    const headers: Record<string, string> = {
      ...(row.request.body !== null && { 'content-type': 'application/json' }),
      ...(typeof key === 'string' && { 'x-api-key': key }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const response = {
      status: row.status,
      headers: { 'content-type': 'application/json' },
      body: toText(tokens.restore(row)),
    }
    const request = { headers, body: toText(row.request.body) }
    return { method: row.method, target: row.url, request, response, ms: 0 }
  }
}

const ROWS_MAX = 1_000

async function readAll(call: ControlClient['call'], path: string, name: string): Promise<Json[]> {
  const all: Json[] = []
  for (let after: string | undefined; ; ) {
    const query = path === '/events' ? { after } : { after, limit: ROWS_MAX }
    const page = await call<Json>('GET', path, { query })
    all.push(...page[name])
    if (page[name].length === 0 || page.more === false) return all
    after = page.cursor
  }
}

/** Each event after the call that caused it; what came from outside after the calls of its instant. */
function inOrder(requests: readonly RequestRecord[], events: readonly Json[]) {
  const rows: (RequestRecord | Json)[] = []
  const rest = [...events]
  for (const request of requests) {
    while (rest[0] && !isCausedByCall(rest[0]) && isBefore(rest[0], request))
      rows.push(rest.shift())
    rows.push(request)
    while (rest[0]?.cause?.id === request.id) rows.push(rest.shift())
  }
  return [...rows, ...rest.filter((event) => !isCausedByCall(event))]
}

/** At one instant, a call that shows the new status was made after the event. */
function isBefore(event: Json, { at, response }: RequestRecord): boolean {
  if (event.at !== at) return event.at < at
  const shown = JSON.stringify(response.body) ?? ''
  return shown.includes(event.ref) && shown.includes(`"status":"${event.status}"`)
}

const isCausedByCall = (event: Json): boolean => event.cause?.kind === 'call'

const toText = (body: unknown): string => {
  if (body === null || body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** The journal keeps no tokens: each login gets one again, and later calls for its user send it. */
function createTokens(users: readonly Json[]) {
  const ofUser = new Map<string, string>()
  return {
    find({ operation, integrator, userId }: RequestRecord): string | undefined {
      if (userId === null || NEEDS_KEY_ONLY.test(operation ?? '')) return undefined
      return ofUser.get(`${integrator} ${userId}`)
    },
    /** The answer of a login with its token. */
    restore({ id, operation, integrator, status, url, request, response }: RequestRecord): Json {
      if (!/erifyLoginCode$/.test(operation ?? '') || status !== 200) return response.body
      const sent: Json = request.body
      const query = parseTarget(url).searchParams.get('email')
      const email = String(sent?.email ?? query).toLowerCase()
      const user = users.find((known) => known.email.toLowerCase() === email)
      const token = `token.of.${id}`
      ofUser.set(`${integrator} ${user?.id}`, token)
      const { data, ...body }: Json = response.body
      return data ? { ...body, data: { ...data, accessToken: token } } : { ...body, token }
    },
  }
}

const NEEDS_KEY_ONLY =
  /^(getRequirements|importKyc|createUser|findUsers|(v1S|s)endLoginCode|(v1V|v)erifyLoginCode|createQuote|v1.*User|submitKyb)$/
