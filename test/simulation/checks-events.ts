import type { StatusChange, Transaction, User, WorldEvent } from '../../src/world/state.ts'
import { isOnChain } from './checks-transactions.ts'
import { type Check, REPLACING } from './scene.ts'

/** Every change of status has exactly one event for each integrator that it concerns. */
export const announced: Check = ({ after, memory }) => {
  const { transactions, users, events } = after
  const byTopic = groupByTopic(events)
  const wrong: string[] = []
  for (const { id, integrator, history } of transactions) {
    follow(`${id} ${integrator}`, history.slice(memory.withoutEvent.get(id) ?? 0))
  }
  for (const { id, integrators, history } of users) {
    for (const topic of integrators.map((name) => `${id} ${name}`)) {
      follow(topic, history.slice(memory.withoutEvent.get(topic) ?? 0))
    }
  }
  for (const [topic, strays] of byTopic) {
    wrong.push(`${strays.length} events about ${topic} have no change`)
  }
  return wrong

  function follow(topic: string, changes: StatusChange<string>[]) {
    const heard = byTopic.get(topic) ?? []
    byTopic.delete(topic)
    const expected = changes.map(toText).join(', ')
    const actual = heard.map(toText).join(', ')
    if (expected !== actual)
      wrong.push(`${topic} became [${expected}] but was announced [${actual}]`)
  }
}

function groupByTopic(events: readonly WorldEvent[]): Map<string, WorldEvent[]> {
  const groups = new Map<string, WorldEvent[]>()
  for (const event of events) {
    const topic = `${event.ref} ${event.integrator}`
    const group = groups.get(topic)
    if (group) group.push(event)
    else groups.set(topic, [event])
  }
  return groups
}

const toText = ({ status, at }: { status: string; at: number }) =>
  `${status === 'canceled' ? 'cancelled' : status} at ${at}`

/** New events say what was true at their moment. */
export const payloads: Check = ({ before, after, step }) => {
  if (REPLACING.has(step.action)) return []
  const fresh = after.events.filter(({ cursor }) => cursor > before.eventCount)
  return fresh.flatMap((event) => {
    const { id, ref, type, status, payload } = event
    const rows: (Transaction | User)[] = type === 'user.update' ? after.users : after.transactions
    const row = rows.find((known) => known.id === ref)
    if (!row) return [`event ${id} is about nothing`]
    const user = after.users.find((known) => known.id === ('userId' in row ? row.userId : ref))
    const wrong = payload.email !== user?.email || payload.status !== status
    if (!('transactionId' in payload) || !('wallet' in row)) return wrong ? [`${id} is wrong`] : []
    const later = fresh.filter((other) => other.ref === ref && other.cursor > event.cursor)
    const history = row.history.slice(0, row.history.length - later.length)
    const isHashed = payload.paymentId !== null
    const isSame =
      payload.transactionId === ref &&
      payload.wallet === row.wallet &&
      payload.leftSideValue === row.leftSide / 1e6 &&
      payload.rightSideValue === row.rightSide / 1e6 &&
      isHashed === isOnChain({ ...row, history })
    return wrong || !isSame ? [`event ${id} differs from its transaction`] : []
  })
}

/** Journals only grow: an entry is never taken back. */
export const journals: Check = ({ texts, step }) => {
  if (REPLACING.has(step.action)) return []
  return ['events', 'messages'].flatMap((journal) => {
    const past = texts.before[journal]?.slice(0, -1) ?? ''
    return texts.after[journal]?.startsWith(past) ? [] : [`${journal} were changed or lost`]
  })
}

/** Ids are never given twice, and positions in a journal have no gaps. */
export const identities: Check = ({ after }) => {
  const { users, transactions, events, messages, quotes } = after
  const ids: Record<string, (string | number)[]> = {
    user: users.map(({ id }) => id),
    transaction: transactions.map(({ id }) => id),
    rmt: transactions.map(({ rmtId }) => rmtId),
    event: events.map(({ id }) => id),
    message: messages.map(({ id }) => id),
    quote: quotes.map(({ quoteId }) => quoteId),
  }
  const wrong = Object.entries(ids)
    .filter(([, given]) => new Set(given).size < given.length)
    .map(([kind]) => `a ${kind} id was given twice`)
  if (!isGapless(events, after.eventCount)) wrong.push('events are not numbered in turn')
  if (!isGapless(messages, after.messageCount)) wrong.push('messages are not numbered in turn')
  return wrong
}

function isGapless(rows: readonly { cursor: number }[], count: number): boolean {
  return rows.every(({ cursor }, i) => cursor === count - rows.length + i + 1)
}

/** Time only moves forward, and nothing lies in the future. */
export const time: Check = (scene) => {
  const { before, after, step } = scene
  const wrong = REPLACING.has(step.action) || after.now >= before.now ? [] : ['time went back']
  const { events, messages, transactions, users } = after
  const lists: Record<string, number[]> = {
    events: events.map(({ at }) => at),
    messages: messages.map(({ sentAt }) => sentAt),
    transactions: transactions.map(({ createdAt }) => createdAt),
  }
  for (const { id, history } of [...transactions, ...users]) {
    lists[`changes of ${id}`] = history.map(({ at }) => at)
  }
  for (const [name, instants] of Object.entries(lists)) {
    const isOrdered = instants.every((at, i) => i === 0 || at >= (instants[i - 1] ?? at))
    if (!isOrdered) wrong.push(`${name} are out of order`)
    if ((instants.at(-1) ?? 0) > after.now) wrong.push(`${name} lie in the future`)
  }
  return wrong
}
