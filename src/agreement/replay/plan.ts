import type { Facts, TransactionFacts } from './facts.ts'
import { findStartStatus, type Sighting, type UserFacts } from './people.ts'

/** What happened outside: somebody paid, a bank or a reviewer did something. */
export type Outside =
  | { kind: 'move'; transaction: string; status: string; paymentId?: string }
  | { kind: 'review'; email: string; status: string }
  | { kind: 'access'; email: string; has: boolean }

/** What somebody outside does so that a transaction has a status, where anybody can. */
export function moveTo(status: string) {
  if (status === 'processing request money transfer') return 'funds-received'
  if (status === 'complete' || status.startsWith('sending ')) return 'settled'
  if (/^cancell?ed$/.test(status)) return 'cancelled'
  return status === 'expired' ? 'expired' : undefined
}

/** Something that happened outside, and where among the entries. */
export interface Planned {
  index: number
  /** Before the clock goes to the entry, where only its result was seen; else right at it. */
  isBefore: boolean
  outside: Outside
}

/** What must have happened outside, from the statuses that were seen. */
export function planOutside(facts: Facts): Planned[] {
  return [
    ...[...facts.transactions.values()].flatMap(planMoves),
    ...facts.users.flatMap((user) => [
      ...planReviews(user, facts.hasWebhooks),
      ...planAccess(user),
    ]),
  ].sort((a, b) => a.index - b.index)
}

function planMoves({ id, statuses }: TransactionFacts): Planned[] {
  return changesOf(statuses).flatMap(({ from, to }): Planned[] => {
    const paid = to.paymentId !== from.paymentId && to.paymentId ? { paymentId: to.paymentId } : {}
    const outside: Outside = { kind: 'move', transaction: id, status: to.status, ...paid }
    if (to.source === 'call') return []
    if (to.source === 'webhook') return [{ index: to.index, isBefore: false, outside }]
    // The clock lets it expire. What else was only seen may have happened at any time since.
    if (to.status === 'expired') return []
    if (/^cancell?ed$/.test(to.status)) return [{ index: to.index, isBefore: false, outside }]
    return [{ index: from.index + 1, isBefore: true, outside }]
  })
}

function planReviews(user: UserFacts, hasWebhooks: boolean): Planned[] {
  const { email, statuses, verifiedAt, unverifiedAt } = user
  // Where webhooks come they say when somebody was verified; else acting as such does.
  const acting = hasWebhooks ? [] : [...verifiedAt.map(toActing), ...unverifiedAt.map(toRefused)]
  const all = [...statuses, ...acting].sort((a, b) => a.index - b.index)
  const [first] = all
  const start: Sighting[] = user.isCreated
    ? first?.source === 'call'
      ? []
      : [createdBefore(first)]
    : [{ index: -1, status: findStartStatus(user), source: 'read' }]
  return changesOf(withoutNoise([...start, ...all])).flatMap(({ from, to }): Planned[] => {
    if (to.source === 'call') return []
    const outside: Outside = { kind: 'review', email, status: to.status }
    if (to.source === 'webhook') return [{ index: to.index, isBefore: false, outside }]
    return [{ index: from.index + 1, isBefore: true, outside }]
  })
}

const toActing = (index: number): Sighting => ({ index, status: 'verified', source: 'read' })

const toRefused = (index: number): Sighting => ({ index, status: LOST, source: 'read' })

/** Any status will do for somebody who is verified no longer. */
const LOST = 'inactive'

/** That somebody is not verified is news only where they were. */
function withoutNoise(sightings: readonly Sighting[]): Sighting[] {
  const kept: Sighting[] = []
  for (const sighting of sightings) {
    const isNews = sighting.status !== LOST || kept.at(-1)?.status === 'verified'
    if (isNews) kept.push(sighting)
  }
  return kept
}

/** A creation whose answer has no status: a webhook about it is no change. */
const createdBefore = (first: Sighting | undefined): Sighting => ({
  index: first ? first.index - 1 : 0,
  status: first && /^(initial|active)$/.test(first.status) ? first.status : 'initial',
  source: 'call',
})

function planAccess({ email, keyAccess }: UserFacts): Planned[] {
  return keyAccess.flatMap(({ index, has }, i) => {
    const before = keyAccess[i - 1]
    if (before === undefined ? !has : before.has === has) return []
    return [{ index, isBefore: false, outside: { kind: 'access' as const, email, has } }]
  })
}

/** Neighbours that differ. */
function changesOf(sightings: readonly Sighting[]) {
  return sightings.flatMap((to, i) => {
    const from = sightings[i - 1]
    return from && from.status !== to.status ? [{ from, to }] : []
  })
}
