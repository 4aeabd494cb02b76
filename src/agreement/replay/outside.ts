import type { FixtureDocument, FixtureTransaction, FixtureUser } from '../../fixture/format.ts'
import { isEmail } from '../../world/profile.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import { USER_STATUSES, type UserStatus } from '../../world/state.ts'
import { toProfile } from '../profile.ts'
import type { RecordingEntry } from '../recording.ts'
import {
  type History,
  LOST,
  type SeenTransaction,
  type SeenUser,
  type Sighting,
} from './history.ts'

/** What happened outside: somebody paid, a bank or a reviewer did something. */
export type Outside =
  | { kind: 'move'; transaction: string; status: string; paymentId?: string }
  | { kind: 'review'; email: string; status: string }
  | { kind: 'access'; email: string; has: boolean }

/** Something that happened outside, and where among the entries. */
interface Planned {
  index: number
  /** Before the clock goes to the entry, where only its result was seen; else right at it. */
  isBefore: boolean
  outside: Outside
}

/** What must have happened outside, from the statuses that were seen. */
export function planOutside({ users, transactions, hasWebhooks }: History): Planned[] {
  const moves = [...transactions.values()].flatMap(({ id, seen }) =>
    planChanges(seen, ({ status, paymentId }, from) => ({
      ...{ kind: 'move', transaction: id, status },
      ...(paymentId !== undefined && paymentId !== from.paymentId && { paymentId }),
    })),
  )
  const reviews = users.flatMap((user) => {
    const { email } = user
    const review = ({ status }: Sighting): Outside => ({ kind: 'review', email, status })
    return [...planChanges(statusesOf(user, hasWebhooks), review), ...planAccess(user)]
  })
  return [...moves, ...reviews].sort((a, b) => a.index - b.index)
}

function planChanges(
  seen: readonly Sighting[],
  toOutside: (to: Sighting, from: Sighting) => Outside,
): Planned[] {
  return seen.flatMap((to, i) => {
    const from = seen[i - 1]
    if (from === undefined || from.status === to.status || to.source === 'call') return []
    // The clock lets it expire. What else was only seen may have happened at any time since.
    if (to.source === 'read' && to.status === 'expired') return []
    const isAt = to.source === 'webhook' || /^cancell?ed$/.test(to.status)
    const index = isAt ? to.index : from.index + 1
    return [{ index, isBefore: !isAt, outside: toOutside(to, from) }]
  })
}

/** From the beginning on; that somebody is not verified is news only where they were. */
function statusesOf(user: SeenUser, hasWebhooks: boolean): Sighting[] {
  // Where webhooks come they say when somebody was verified; else acting as such does.
  const seen = user.seen.filter(({ source }) => !(hasWebhooks && source === 'acts'))
  const [first] = seen
  const isStart = first && /^(initial|active)$/.test(first.status)
  const start: Sighting = user.isCreated
    ? { index: (first?.index ?? 1) - 1, status: isStart ? first.status : 'initial', source: 'call' }
    : { index: -1, status: findStartStatus(user), source: 'read' }
  const kept = user.isCreated && first?.source === 'call' ? [] : [start]
  for (const sighting of seen) {
    if (sighting.status !== LOST || kept.at(-1)?.status === 'verified') kept.push(sighting)
  }
  return kept
}

function planAccess({ email, keyAccess }: SeenUser): Planned[] {
  return keyAccess.flatMap(({ index, has }, i) => {
    if (has === (keyAccess[i - 1]?.has ?? false)) return []
    return [{ index, isBefore: false, outside: { kind: 'access', email, has } }]
  })
}

/** The status of a user before the recording: a webhook shows what it was not. */
function findStartStatus({ seen }: SeenUser): UserStatus {
  const [first, ...rest] = seen.filter(({ source, status }) => source !== 'acts' || status !== LOST)
  if (first === undefined) return 'initial'
  if (first.source === 'read')
    return USER_STATUSES.find((known) => known === first.status) ?? 'initial'
  if (first.source === 'acts' || first.status !== 'verified') return 'verified'
  // An import that changed nothing was of somebody who was verified.
  const second = rest.find(({ source }) => source !== 'acts')
  return [first.source, second?.source].includes('webhook') ? 'in-review' : 'verified'
}

interface StartOptions {
  settings: Readonly<Record<string, SettingValue>> | undefined
  /** Where webhooks go that were configured before the recording. */
  webhookUrl: string
}

/** The world as it must have been before the recording began: who is used and was not created. */
export function toStart(
  entries: readonly RecordingEntry[],
  history: History,
  { settings = {}, webhookUrl: url }: StartOptions,
): FixtureDocument {
  const hooks = isConfiguredBefore(entries) && { webhook: { url }, signingSecret: 'from-before' }
  const keys = history.keys.size > 0 ? [...history.keys] : [['sandbox-key', false] as const]
  const integrators = keys.map(([apiKey, actsWithoutToken], i) => ({
    ...{ name: i === 0 ? 'main' : `integrator-${i + 1}`, apiKey, actsWithoutToken },
    ...hooks,
  }))
  const users = history.users.filter(({ isCreated, email }) => !isCreated && isEmail(email))
  const emails = new Set(users.map(({ email }) => email.toLowerCase()))
  const transactions = [...history.transactions.values()].filter(({ isCreated, id, ...row }) => {
    const isKnown = emails.has(row.email?.toLowerCase() ?? '')
    return !isCreated && UUID.test(id) && isKnown && typeof row.first.leftSideValue === 'number'
  })
  const names = integrators.map(({ name }) => name)
  return {
    integrators,
    users: users.map((user) => toFixtureUser(user, names)),
    transactions: transactions.map(toFixtureTransaction),
    settings: { ...settings },
  }
}

/** A webhook came before any call could have asked for it. */
function isConfiguredBefore(entries: readonly RecordingEntry[]): boolean {
  const [first] = entries.filter(({ kind, ...entry }) => {
    const operation = 'operation' in entry ? entry.operation : ''
    return kind === 'webhook' || /^(putWebhook|v1PatchWebhooks)/.test(operation ?? '')
  })
  return first?.kind === 'webhook'
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function toFixtureUser(user: SeenUser, integrators: string[]): FixtureUser {
  const { email, id = '', keyAccess, outstanding = [] } = user
  return {
    email,
    ...(UUID.test(id) && { id }),
    status: findStartStatus(user),
    integrators,
    ...(keyAccess[0]?.has && { accessibleBy: ['jwt', 'apiKey'] as const }),
    profile: toProfile(outstanding),
  }
}

function toFixtureTransaction({ id, email = '', first }: SeenTransaction): FixtureTransaction {
  const { leftSideLabel, leftSideValue, rightSideLabel, wallet, status } = first
  const createdAt = first.date ?? first.createdAt
  return {
    ...{ user: email, id, leftSideLabel, leftSideValue, rightSideLabel },
    ...(wallet && { wallet }),
    status: status === 'canceled' ? 'cancelled' : status,
    ...(createdAt && { createdAt }),
  }
}
