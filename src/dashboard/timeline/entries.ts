import type { CallRecord } from '../../engine/call-record.ts'
import type { Action } from '../../engine/journal.ts'
import { type Delivery, isBadAttempt, wasSuppressed } from '../../webhooks/delivery.ts'
import type { Transaction, User } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import { formatCents, formatTrade } from '../format.ts'
import type { View } from '../view.ts'

export type TimelineEntry = CallRecord | Action

/** Calls and actions, newest first. */
const newestEntries = ({ services: { journal } }: View): TimelineEntry[] =>
  [...journal.calls.after(0), ...journal.actions.after(0)].sort((a, b) => b.pos - a.pos)

type Timeline = View['effects']

interface EntrySearch {
  /** A key of `ONLY`; any other selects nothing. */
  only?: string | undefined
  isAbout?: ((entry: TimelineEntry) => boolean) | undefined
  /** Id of the last entry on the page before. */
  before?: string | undefined
  max: number
}

export function findEntries(view: View, { only, isAbout, before, max }: EntrySearch) {
  const entries: TimelineEntry[] = []
  let isReached = !before
  for (const entry of newestEntries(view)) {
    if (!isReached) {
      isReached = entry.id === before
      continue
    }
    if (only && !ONLY.get(only)?.(entry, view.effects)) continue
    if (isAbout && !isAbout(entry)) continue
    if (entries.length === max) return { entries, hasOlder: true }
    entries.push(entry)
  }
  return { entries, hasOlder: false }
}

/** Recognises a failed webhook by its first attempt, so that retries do not count again. */
export const isFailedWebhook = ({ failed, first }: Delivery) => failed && first === null
export const isRefused = (entry: TimelineEntry) => entry.status >= 400

/** The choices above the timeline. */
export const ONLY = new Map<string, (entry: TimelineEntry, timeline: Timeline) => boolean>([
  ['calls', ({ kind }) => kind === 'call'],
  [
    'errors',
    (entry, timeline) => isRefused(entry) || timeline.deliveriesOf(entry).some(isBadAttempt),
  ],
  ['webhooks', (entry, timeline) => !timeline.deliveriesOf(entry).every(wasSuppressed)],
])

export interface About {
  user?: User | undefined
  transaction?: Transaction | undefined
}

/** The transaction or user that an event or a message is about. */
export function aboutRef({ transactionsById, usersById }: World, ref: string | null): About {
  const transaction = transactionsById.get(ref ?? '')
  return { transaction, user: usersById.get(transaction?.userId ?? ref ?? '') }
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Finds the subject of an entry: what its path names, or else the only thing it changed. */
export function aboutEntry({ world, effects: timeline }: View, entry: TimelineEntry): About {
  const named = entry.kind === 'call' ? entry.url : (entry.subject ?? '')
  const events = timeline.eventsOf(entry)
  const repeated = timeline.deliveriesOf(entry).filter(({ event }) => !events.includes(event))
  const refs = new Set([
    ...events.map(({ ref }) => ref),
    ...repeated.map(({ ref }) => ref),
    ...(named.match(UUID) ?? []),
  ])
  const found = [...refs].map((ref) => aboutRef(world, ref))
  const transactions = found.filter(({ transaction }) => transaction)
  const [about] = transactions.length > 0 ? transactions : found
  const isOfOne = new Set(found.map(({ user }) => user)).size === 1
  if (about?.user && isOfOne) return about
  return found.length > 1 ? {} : { user: findUser(world, entry, timeline) }
}

function findUser(world: World, entry: TimelineEntry, timeline: Timeline): User | undefined {
  if (entry.kind === 'call') {
    const known = world.usersById.get(entry.userId ?? '')
    if (known) return known
  }
  const [message] = timeline.messagesOf(entry)
  const email = message?.to ?? (entry.kind === 'call' ? emailIn(entry) : entry.subject)
  return world.usersByEmail.get(email?.toLowerCase() ?? '')
}

const EMAIL = /[^\s"'<>=&?/,;:]+@[^\s"'<>=&?/,;:]+/

const emailIn = ({ url, sent }: CallRecord): string | undefined =>
  EMAIL.exec(url.replaceAll('%40', '@'))?.[0] ?? EMAIL.exec(sent ?? '')?.[0]

/** `250.00 CAD → 177.04 USDC-ETH`; for a quote or a refused call, what was asked for. */
export function formatAmount(about: About, entry?: TimelineEntry): string {
  const { transaction } = about
  if (transaction) return formatTrade(transaction)
  if (entry?.kind !== 'call') return ''
  const { leftSideValue, leftSideLabel, rightSideLabel } = fieldsOf(entry)
  if (!leftSideLabel || !rightSideLabel) return ''
  const pair = `${leftSideLabel} → ${rightSideLabel}`
  return `${formatAsked(leftSideValue)} ${pair}`.trimStart()
}

/** An amount that was asked for, which may be no number. */
function formatAsked(value: unknown): string {
  const isText = typeof value === 'string'
  const number = typeof value === 'number' || (isText && value.trim()) ? Number(value) : Number.NaN
  if (Number.isFinite(number)) return formatCents(number)
  return isText ? value.slice(0, ASKED_MAX) : ''
}

/** Characters that are shown of an amount that is no number. */
const ASKED_MAX = 20

function fieldsOf({ url, body }: CallRecord): Record<string, unknown> {
  const query = Object.fromEntries(new URL(url).searchParams)
  return body !== null && typeof body === 'object' ? { ...query, ...body } : query
}

/** Selects entries about a user or about one of their transactions. */
export function isAboutUser({ world, effects: timeline }: View, user: User) {
  const email = user.email.toLowerCase()
  const isTheirs = (ref: string | null) => aboutRef(world, ref).user === user
  return (entry: TimelineEntry): boolean => {
    if (entry.kind === 'call') {
      const text = `${entry.url.replaceAll('%40', '@')} ${entry.sent ?? ''}`.toLowerCase()
      if (entry.userId === user.id || text.includes(user.id) || text.includes(email)) return true
    } else if (entry.subject?.toLowerCase() === email || isTheirs(entry.subject)) return true
    return (
      timeline.eventsOf(entry).some(({ ref }) => isTheirs(ref)) ||
      timeline.deliveriesOf(entry).some(({ ref }) => isTheirs(ref)) ||
      timeline.messagesOf(entry).some(({ to }) => to.toLowerCase() === email)
    )
  }
}

export function isAboutTransaction({ effects: timeline }: View, { id }: Transaction) {
  return (entry: TimelineEntry): boolean => {
    if (entry.kind === 'call' ? entry.url.includes(id) : entry.subject === id) return true
    return (
      timeline.eventsOf(entry).some(({ ref }) => ref === id) ||
      timeline.deliveriesOf(entry).some(({ ref }) => ref === id) ||
      timeline.messagesOf(entry).some(({ ref }) => ref === id)
    )
  }
}

export const KIND_WORDS: Record<Action['kind'], string> = {
  simulation: 'Simulated',
  clock: 'Clock',
  change: 'Changed',
  task: 'Scheduled',
}
