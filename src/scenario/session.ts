import type { ControlClient } from '../client/control.ts'
import type { SandboxEvent } from '../client/events.ts'
import { createEvents } from '../client/events.ts'
import type { Json } from '../client/http.ts'
import { createLevers } from '../client/levers.ts'
import type { FixtureDocument, FixtureProfile } from '../fixture/format.ts'
import { toProfile } from '../fixture/profile.ts'
import { toFixture, toKnown } from '../fixture/save.ts'
import type { Assumption } from '../levers/settings.ts'
import type { ActionRecord, RequestRecord } from '../levers/wire.ts'
import type { State } from '../world/state.ts'

type Row = RequestRecord | ActionRecord

/** Session of one world as a sandbox saw it: its calls and actions in order, and whom they concern. */
export interface SeenSession {
  rows: Row[]
  events: SandboxEvent[]
  state: State
  /** The world before the first row, with new API keys. */
  fixture: FixtureDocument
  /** Levers that repeat the actions, by operation. */
  levers: Map<string, Lever>
  /** True if earlier calls are missing. */
  isCut: boolean
}

interface Lever {
  method: string
  /** Below `/_sandbox`, with the subject of the action as `{…}`. */
  path: string
  title: string
}

export const isCall = (row: Row): row is RequestRecord => 'method' in row

/** Characters of an input that a sandbox keeps. */
export const INPUT_MAX = 1_000

export const inputOf = ({ input }: ActionRecord): Json =>
  input === null || input.length >= INPUT_MAX ? {} : JSON.parse(input)

export async function readSession(call: ControlClient['call']): Promise<SeenSession> {
  const levers = createLevers({ call })
  const requests = await levers.requests.list()
  const actions = await levers.actions.list()
  const all = inOrder(requests, actions)
  const state = await call<State>('GET', '/state')
  const assumptions = await levers.assumptions.list()
  // A restore or an import replaces the world that the earlier calls made.
  const restored = all.findLastIndex((row) => isNamed(row, /^(restoreSnapshot|importState)$/))
  const rows = all.slice(restored + 1)
  const events = await createEvents({ call }).list()
  const fixture = { ...toStart({ state, rows, events }), settings: toSettings(assumptions, rows) }
  const firsts = [requests[0], actions[0]].map((row) => Number(row?.id.slice(4) ?? 1))
  const isCut = restored >= 0 || firsts.some((first) => first > 1)
  return { rows, events, state, fixture, levers: await readLevers(call), isCut }
}

/** Levers that can be repeated in a world with other ids. */
const REPEATABLE = /^\/_sandbox(\/(simulate\/.*|users|rates|settings|faults))$/

/** The levers as the sandbox documents them. */
async function readLevers(call: ControlClient['call']) {
  const { paths } = await call<Json>('GET', '/openapi.json')
  const levers = Object.entries<Json>(paths).flatMap(([whole, methods]) => {
    const [, path = ''] = REPEATABLE.exec(whole) ?? []
    return Object.entries<Json>(path ? methods : {}).map(
      ([method, { operationId, summary }]): [string, Lever] => {
        return [operationId, { method, path, title: summary.split(/[,;:] /)[0] }]
      },
    )
  })
  return new Map(levers)
}

/** Each action says how many calls were made before it. */
function inOrder(requests: readonly RequestRecord[], actions: readonly ActionRecord[]): Row[] {
  const rest = [...actions]
  const rows = requests.flatMap((request): Row[] => {
    const later = rest.findIndex(({ callsBefore }) => callsBefore >= Number(request.id.slice(4)))
    return [...rest.splice(0, later === -1 ? rest.length : later), request]
  })
  return [...rows, ...rest]
}

/** A scenario receives webhooks on loopback, and moves the money in steps of its own. */
const LEFT_OUT = ['preset', 'webhooks.url', 'transactions.settlement']

/** Selects the non-default settings that the session did not change itself. */
function toSettings(items: readonly Assumption[], rows: readonly Row[]) {
  const changed = rows.flatMap((row) =>
    isNamed(row, /^patchSettings$/) ? Object.keys(inputOf(row)) : [],
  )
  const others = items.filter(({ id, value, default: standard }) => {
    return value !== standard && ![...LEFT_OUT, ...changed].includes(id)
  })
  return Object.fromEntries(others.map(({ id, value }) => [id, value]))
}

const isNamed = (row: Row, name: RegExp): row is ActionRecord =>
  !isCall(row) && name.test(row.operation)

/** The users, transactions and keys that the rows use and do not create. */
function toStart({
  state,
  rows,
  events,
}: Omit<SeenSession, 'fixture' | 'levers' | 'isCut'>): FixtureDocument {
  const text = JSON.stringify(rows).toLowerCase()
  const created = rows.flatMap(createdIn)
  const { integrators = [], users = [], transactions = [], rates } = toFixture(state)
  const earlier = users.filter(({ email, id = '' }) => {
    const isUsed = text.includes(email.toLowerCase()) || text.includes(id)
    return isUsed && !created.includes(email.toLowerCase())
  })
  const older = transactions.filter(({ id = '', user, createdAt = '' }) => {
    const isEarlier = Date.parse(createdAt) < Date.parse(rows[0]?.at ?? '')
    return isEarlier && text.includes(id) && earlier.some(({ email }) => email === user)
  })
  return {
    ...(!rows.some((row) => isNamed(row, /^putRates$/)) && { rates }),
    integrators: integrators.map(({ name, actsWithoutToken }, i) => ({
      name,
      apiKey: `key-${i + 1}`,
      ...(actsWithoutToken && { actsWithoutToken }),
    })),
    users: earlier.map(({ id, createdAt, reasons, profile, ...user }) => ({
      ...user,
      id,
      status: statusAtStart(events, id, state.users),
      profile: toStartProfile(rows, id, profile),
    })),
    transactions: older.map(({ closedAt, paymentId, ...row }) => ({
      ...row,
      status: toKnown(statusAtStart(events, row.id, state.transactions) ?? ''),
    })),
  }
}

/** Goes back one entry of the history for each event since the start. */
function statusAtStart<Status>(
  events: readonly SandboxEvent[],
  id: string | undefined,
  all: readonly { id: string; history: readonly { status: Status }[] }[],
) {
  const own = events.filter(({ ref, cause }) => ref === id && cause !== null)
  const changes = own.filter(({ integrator }) => integrator === own[0]?.integrator).length
  return all.find((row) => row.id === id)?.history.at(-1 - changes)?.status
}

/** Restores the profile: changed fields had other values, and outstanding ones had none. */
function toStartProfile(
  rows: readonly Row[],
  id: string | undefined,
  profile: FixtureProfile = {},
): FixtureProfile {
  const calls = rows.filter(isCall).filter(({ url }) => url.includes(String(id)))
  const read = calls.find(({ operation }) => operation === 'getRequirements')
  const { data }: Json = read?.response.body ?? {}
  const list: Json[] = (Array.isArray(data) ? data : data?.outstanding) ?? []
  const changed = calls
    .filter(({ operation, status }) => operation === 'updateUser' && status < 300)
    .flatMap(({ request }) => Object.keys(request.body ?? {}))
  const others: Json = toProfile([])
  const fields = Object.entries(profile).flatMap(([name, value]) => {
    const earlier = changed.includes(name) ? others[name] : value
    const isThere = earlier !== undefined && !list.some(({ field }) => field === name)
    return isThere ? [[name, earlier]] : []
  })
  return Object.fromEntries(fields)
}

/** Returns the address of the user whom a call or an action registered. */
function createdIn(row: Row): string[] {
  if (isNamed(row, /^addUser$/)) return [String(inputOf(row).email).toLowerCase()]
  if (!isCall(row) || row.status >= 300) return []
  return /^(createUser|v1GenerateApiLink)$/.test(row.operation ?? '') ? [emailIn(row)] : []
}

/** The address that a call names in its body or query. */
export function emailIn({ url, request }: RequestRecord): string {
  const { email } = (request.body ?? {}) as { email?: unknown }
  return String(email ?? new URL(url, 'http://any').searchParams.get('email')).toLowerCase()
}
