import type { ControlClient } from '../../client/control.ts'
import { createEvents } from '../../client/events.ts'
import { createLevers } from '../../client/levers.ts'
import type { SandboxEvent } from '../../client/types.ts'
import type { FixtureDocument } from '../../fixture/format.ts'
import type { Assumption } from '../../http/control/assumptions.ts'
import type { ActionRecord, RequestRecord } from '../../http/control/wire.ts'
import type { State } from '../../world/state.ts'
import { createMasker, type Masker } from '../mask.ts'
import { toProfile } from '../profile.ts'
import { toFixture } from './fixture.ts'

/** What a sandbox has seen of one world: its calls and actions in order, and whom they concern. */
export interface SeenSession {
  rows: (RequestRecord | ActionRecord)[]
  events: SandboxEvent[]
  state: State
  masker: Masker
  /** The world before the first row, with stand-ins for keys and personal data. */
  fixture: FixtureDocument
  /** Whether earlier calls are kept no longer. */
  isCut: boolean
}

/** After one of these, the world is no longer the one that the calls before have made. */
const ANOTHER_WORLD = /^(restoreSnapshot|importState)$/
const CREATIONS = /^(createUser|v1GenerateApiLink)$/

export const isCall = (row: RequestRecord | ActionRecord): row is RequestRecord => 'method' in row

export async function readSession(
  call: ControlClient['call'],
  keep: readonly string[] = [],
): Promise<SeenSession> {
  const records = createLevers({ call })
  const [requests, actions] = [await records.requests.list(), await records.actions.list()]
  const state = await call<State>('GET', '/state')
  const { items } = await call<{ items: Assumption[] }>('GET', '/assumptions')
  const all = inOrder(requests, actions)
  const restored = all.findLastIndex((row) => !isCall(row) && ANOTHER_WORLD.test(row.operation))
  const rows = all.slice(restored + 1)
  const masker = createMasker({ keep, now: () => Date.parse(rows[0]?.at ?? '') })
  const events = await createEvents({ call }).list()
  const fixture = { ...toStart({ state, rows, events, masker }), settings: toSettings(items, rows) }
  const isCut = restored >= 0 || Number(requests[0]?.id.slice(4) ?? 1) > 1
  return { rows, events, state, masker, fixture, isCut }
}

/** Each action says how many calls were made before it. */
function inOrder(requests: readonly RequestRecord[], actions: readonly ActionRecord[]) {
  const rest = [...actions]
  const rows: SeenSession['rows'] = []
  for (const request of requests) {
    const n = Number(request.id.slice(4))
    while (rest[0] && rest[0].callsBefore < n) rows.push(...rest.splice(0, 1))
    rows.push(request)
  }
  return [...rows, ...rest]
}

/** A scenario receives webhooks on loopback, and moves the money in steps of its own. */
const LEFT_OUT = ['preset', 'webhooks.url', 'transactions.settlement']

/** Those that the session did not change itself. */
function toSettings(items: readonly Assumption[], rows: SeenSession['rows']) {
  const changes = rows.map((row) => (isNamed(row, 'patchSettings') ? inputOf(row) : {}))
  const changed = changes.flatMap((change) => Object.keys(change))
  const others = items.filter(({ id, value, default: standard }) => {
    return value !== standard && ![...LEFT_OUT, ...changed].includes(id)
  })
  return Object.fromEntries(others.map(({ id, value }) => [id, value]))
}

const isNamed = (row: SeenSession['rows'][0], name: string): row is ActionRecord =>
  !isCall(row) && row.operation === name

export const inputOf = ({ input }: ActionRecord) => JSON.parse(input ?? '{}')

/** The users, transactions and keys that the rows use and do not create. */
function toStart(session: Omit<SeenSession, 'fixture' | 'isCut'>): FixtureDocument {
  const { state, rows, events, masker } = session
  const text = JSON.stringify(rows).toLowerCase()
  const start = Date.parse(rows[0]?.at ?? '')
  const created = new Set(rows.flatMap(createdIn))
  const { integrators = [], users = [], transactions = [], rates } = toFixture(state).document
  const mask = (operation: string, row: object) => masker.body({ operation, side: 'request' }, row)
  const earlier = users.filter(({ email, id = '' }) => {
    const isUsed = text.includes(email.toLowerCase()) || text.includes(id)
    return isUsed && !created.has(email.toLowerCase())
  })
  const emails = earlier.map(({ email }) => email)
  const older = transactions.filter(({ id = '', user, createdAt = '' }) => {
    return emails.includes(user) && Date.parse(createdAt) < start && text.includes(id)
  })
  /** Each event since the start is a change of the history. */
  const statusAtStart = (
    rowId: string | undefined,
    history: State['transactions'][0]['history'],
  ) => {
    const own = events.filter(({ ref, cause }) => ref === rowId && cause !== null)
    const changes = own.filter(({ integrator }) => integrator === own[0]?.integrator).length
    return history.at(-1 - changes)?.status
  }
  return {
    ...(rows.some((row) => isNamed(row, 'putRates')) ? {} : { rates }),
    integrators: integrators.map(({ name, apiKey, actsWithoutToken }) => ({
      name,
      apiKey: masker.headers('request', { 'x-api-key': apiKey })['x-api-key'] ?? '',
      ...(actsWithoutToken && { actsWithoutToken }),
    })),
    users: earlier.map(({ email, id, profile = {}, ...user }) => {
      const { history = [] } = state.users.find((row) => row.id === id) ?? {}
      const outstanding = outstandingOf(id, rows)
      const has = (name: string) => name in profile && !outstanding.includes(name)
      const whole = Object.entries(toProfile(outstanding)).filter(([name]) => has(name))
      return {
        ...user,
        ...mask('createUser', { id, email }),
        ...{ createdAt: undefined },
        reasons: undefined,
        status: statusAtStart(id, history),
        profile: Object.fromEntries(whole),
      }
    }),
    ...(older.length > 0 && {
      transactions: older.map(({ closedAt, paymentId, ...row }) => {
        const { history = [] } = state.transactions.find(({ id }) => id === row.id) ?? {}
        const { user, id, wallet, externalSessionId } = row
        const masked = mask('createTransaction', { id, wallet, externalSessionId })
        const { email } = mask('createUser', { email: user })
        return { ...row, ...masked, user: email, status: statusAtStart(id, history) }
      }),
    }),
  }
}

const isCreation = (row: SeenSession['rows'][0]): row is RequestRecord =>
  isCall(row) && CREATIONS.test(row.operation ?? '') && row.status < 300

/** The address of whom a call or an action has registered. */
function createdIn(row: SeenSession['rows'][0]): string[] {
  if (isNamed(row, 'addUser')) return [String(inputOf(row).email).toLowerCase()]
  return isCreation(row) ? [emailIn(row.url, row.request)] : []
}

/** The address that a call names in its body or query. */
export function emailIn(url: string, request: RequestRecord['request']): string {
  const { email } = (request.body ?? {}) as { email?: unknown }
  return String(email ?? new URL(url, 'http://any').searchParams.get('email')).toLowerCase()
}

/** What the first read of the requirements reported: the session may supply it afterwards. */
function outstandingOf(id: string | undefined, rows: SeenSession['rows']): string[] {
  const read = rows.find((row) => {
    return isCall(row) && row.operation === 'getRequirements' && row.url.includes(String(id))
  })
  const data = read && isCall(read) ? (read.response.body as { data?: unknown })?.data : undefined
  const list = Array.isArray(data) ? data : (data as { outstanding?: unknown })?.outstanding
  return Array.isArray(list) ? list.map((row) => String(row?.field)) : []
}

/** Pairs of calls that log a user in, as the scenario's `login` does. */
export function findLogins(calls: readonly RequestRecord[], main: string | undefined) {
  const logins = new Map<string, 'sent' | 'verified'>()
  const sent = new Map<string, string>()
  for (const { id, operation, status, integrator, url, request } of calls) {
    if (!/(end|erify)LoginCode$/.test(operation ?? '')) continue
    const email = emailIn(url, request)
    const before = sent.get(email)
    const isOurs = status < 300 && integrator === main
    sent.delete(email)
    if (isOurs && operation === 'sendLoginCode') sent.set(email, id)
    if (!isOurs || operation !== 'verifyLoginCode' || before === undefined) continue
    logins.set(before, 'sent').set(id, 'verified')
  }
  return logins
}

/** A session whose first look at the configuration finds none began without one. */
export function isUnconfigured(rows: SeenSession['rows']): boolean {
  const first = rows.find((row) => isCall(row) && /WebhookConfiguration$/.test(row.operation ?? ''))
  return first !== undefined && first.status === 404
}
