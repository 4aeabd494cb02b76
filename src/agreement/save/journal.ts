import type { ControlClient } from '../../client/control.ts'
import { createEvents } from '../../client/events.ts'
import type { Json } from '../../client/http.ts'
import { createRecords } from '../../client/records.ts'
import type { SandboxEvent } from '../../client/types.ts'
import type { Assumption } from '../../http/control/assumptions.ts'
import type { RequestRecord, UserRecord, WorldInfo } from '../../http/control/wire.ts'
import { createMasker } from '../mask.ts'
import { parseTarget } from '../operations.ts'
import { createRecorder } from '../record/recorder.ts'
import { readRecording } from '../recording.ts'
import { isLogin } from '../replay/call-parts.ts'

interface ReadJournalOptions {
  call: ControlClient['call']
  keep?: readonly string[] | undefined
}

/** What the sandbox remembers of the calls and events of a world, as a recording: masked, too. */
export async function readJournal({ call, keep }: ReadJournalOptions) {
  const records = createRecords({ call })
  const requests = await records.requests.list()
  const { integrators, names } = await call<WorldInfo>('GET', '/info')
  const users = await records.users.list()
  const events = await createEvents({ call }).list()
  const { items } = await call<{ items: Assumption[] }>('GET', '/assumptions')
  let now = 0
  const lines: string[] = []
  const masker = createMasker({ keep, now: () => now })
  const recorder = createRecorder({ masker, write: (line) => void lines.push(line) })
  const keys = new Map(integrators.map(({ name, apiKey }) => [name, apiKey]))
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
    settings: toSettings(items),
    /** Whether earlier calls are kept no longer. */
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

/** A scenario receives webhooks on loopback, and moves the money in steps of its own. */
const LEFT_OUT = ['preset', 'webhooks.url', 'transactions.settlement']

const toSettings = (items: readonly Assumption[]) =>
  Object.fromEntries(
    items
      .filter(({ id, value, default: standard }) => value !== standard && !LEFT_OUT.includes(id))
      .map(({ id, value }) => [id, value]),
  )

/** Each event after the call that caused it; what came from outside after the calls of its instant. */
function inOrder(requests: readonly RequestRecord[], events: readonly SandboxEvent[]) {
  const rows: (RequestRecord | SandboxEvent)[] = []
  const rest = [...events]
  for (const request of requests) {
    const fromOutside = takeWhile(rest, (event) => !isCausedByCall(event))
    // Also what is not shown any more, because another event followed it.
    const before = fromOutside.findLastIndex((event) => isBefore(event, request)) + 1
    rows.push(...rest.splice(0, before), request)
    const caused = takeWhile(rest, ({ cause }) => cause?.id === request.id)
    rows.push(...rest.splice(0, caused.length))
  }
  return [...rows, ...rest.filter((event) => !isCausedByCall(event))]
}

function takeWhile<Row>(rows: readonly Row[], matches: (row: Row) => boolean): Row[] {
  const end = rows.findIndex((row) => !matches(row))
  return rows.slice(0, end === -1 ? rows.length : end)
}

/** At one instant, a call that shows the new status was made after the event. */
function isBefore(event: SandboxEvent, { at, response }: RequestRecord): boolean {
  if (event.at !== at) return event.at < at
  const shown = JSON.stringify(response.body) ?? ''
  return shown.includes(event.ref) && shown.includes(`"status":"${event.status}"`)
}

const isCausedByCall = (event: SandboxEvent): boolean => event.cause?.kind === 'call'

const toText = (body: unknown): string => {
  if (body === null || body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** The journal keeps no tokens: each login gets one again, and later calls for its user send it. */
function createTokens(users: readonly UserRecord[]) {
  const ofUser = new Map<string, string>()
  return {
    find({ operation, integrator, userId }: RequestRecord): string | undefined {
      if (userId === null || NEEDS_KEY_ONLY.test(operation ?? '')) return undefined
      return ofUser.get(`${integrator} ${userId}`)
    },
    restore({ id, operation, integrator, status, url, request, response }: RequestRecord): Json {
      if (!isLogin({ operation }) || status !== 200) return response.body
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
