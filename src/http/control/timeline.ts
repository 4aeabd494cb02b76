import { TimelineEntry } from '../../control-api/requests.ts'
import type { CallRecord } from '../../engine/call-record.ts'
import type { Action, Journal } from '../../engine/journal.ts'
import { isBadAttempt, wasSuppressed } from '../../webhooks/delivery.ts'
import { fromMicros } from '../../world/money.ts'
import type { Message, Transaction, User } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import { type RequestContext, requestContext } from './context.ts'
import { implement } from './dialect.ts'
import { textsOfEvent, textsOfMessage } from './events.ts'
import { contains } from './filters.ts'
import { listRows } from './page.ts'
import { presentAs } from './present-as.ts'
import {
  type Effects,
  getAction,
  getRequest,
  presentAction,
  presentEffects,
  presentRequest,
  textsOfAction,
  textsOfCall,
} from './requests.ts'
import { textsOfDelivery } from './webhooks.ts'

type Entry = CallRecord | Action

const hasFailed = (row: Entry) => (row.kind === 'call' ? row.failed : row.status >= 400)

/** Calls and actions with what each of them caused. */
export const timeline = [
  implement('requests.get', ({ c, services, world, param }) => {
    const found = getRequest(services, param('id'))
    return { ...presentRequest(found, world), ...presentOne(found, requestContext(c)) }
  }),
  implement('actions.get', ({ c, services, world, param }) => {
    const found = getAction(services, param('id'))
    return { ...presentAction(found, world), ...presentOne(found, requestContext(c)) }
  }),
  implement('timeline.read', ({ c, services, input: { query } }) => {
    const { journal, world } = services
    const context = requestContext(c)
    const effectsOf = readEffects(journal)
    const only = {
      calls: ({ kind }: Entry) => kind === 'call',
      errors: (row: Entry) => hasFailed(row) || effectsOf(row).deliveries.some(isBadAttempt),
      webhooks: (row: Entry) => !effectsOf(row).deliveries.every(wasSuppressed),
    }
    return listRows('entries', {
      rows: mergeRows(journal),
      end: journal.position,
      query,
      filters: {
        only: (row: Entry, choice: keyof typeof only) => only[choice](row),
        q: contains((row: Entry) => {
          const { events, messages, deliveries } = effectsOf(row)
          const own = row.kind === 'call' ? textsOfCall(row, world) : textsOfAction(row, world)
          return [
            ...own,
            ...events.flatMap(textsOfEvent),
            ...messages.flatMap(textsOfMessage),
            ...deliveries.flatMap(textsOfDelivery),
          ]
        }),
      },
      present: (row: Entry) =>
        presentAs(TimelineEntry, row, {
          kind: row.kind === 'call' ? 'request' : 'action',
          cursor: String(row.pos),
          row: {
            ...(row.kind === 'call' ? presentRequest(row, world) : presentAction(row, world)),
            ...presentBeside(row, context, effectsOf(row)),
          },
        }),
    })
  }),
]

const presentOne = (row: Entry, context: RequestContext) =>
  presentBeside(row, context, readEffects(context.services.journal)(row))

/** Subject of a call or an action, and what it caused. */
const presentBeside = (row: Entry, context: RequestContext, effects: Effects) => ({
  about: presentAbout(context.services.world, row, effects),
  caused: presentEffects(effects, context),
})

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Separator of words; splitting takes linear time, and a pattern for addresses would not. */
const BETWEEN = /[\s"'<>=&?/,;:]+/

/** Finds the one user that an entry is about, and the transaction: what it names, or what it changed. */
function presentAbout(world: World, row: Entry, { events, messages, deliveries }: Effects) {
  const named = row.kind === 'call' ? row.url : (row.subject ?? '')
  const refs = [...events, ...deliveries].map(({ ref }) => ref)
  const ids = new Set([...refs, ...(named.match(UUID) ?? [])])
  const transactions = [...ids].flatMap((id) => world.transactionsById.get(id) ?? [])
  const [transaction] = transactions
  const users = new Set(
    [...ids].flatMap((id) => {
      const userId = world.transactionsById.get(id)?.userId ?? id
      return world.usersById.get(userId) ?? []
    }),
  )
  if (users.size > 1) return { user: null, transaction: null }
  const [user = findUser(world, row, messages)] = users
  return {
    user: user ? presentUser(user) : null,
    transaction: transaction ? presentTrade(transaction) : null,
  }
}

const presentUser = ({ id, email, profile }: User) => ({
  id,
  email,
  name: [profile.firstName, profile.lastName].filter(Boolean).join(' '),
})

const presentTrade = (row: Transaction) => ({
  id: row.id,
  leftSideLabel: row.leftSideLabel,
  leftSideValue: fromMicros(row.leftSide),
  rightSideLabel: row.rightSideLabel,
  rightSideValue: fromMicros(row.rightSide),
})

function findUser(world: World, row: Entry, [message]: readonly Message[]): User | undefined {
  if (row.kind !== 'call') return byEmail(world, message?.to ?? row.subject)
  const known = world.usersById.get(row.userId ?? '')
  const text = `${row.url.replaceAll('%40', '@')} ${row.sent ?? ''}`
  return (
    known ?? byEmail(world, message?.to ?? text.split(BETWEEN).find((word) => word.includes('@')))
  )
}

const byEmail = ({ usersByEmail }: World, email: string | null | undefined) =>
  usersByEmail.get(email?.toLowerCase() ?? '')

function mergeRows({ calls, actions }: Journal) {
  return {
    last: Math.max(calls.last, actions.last),
    after: (pos: number): Entry[] =>
      [...calls.after(pos), ...actions.after(pos)].sort((one, other) => one.pos - other.pos),
  }
}

/** Finds what a call or an action caused; the journal is read once for all of them. */
function readEffects(journal: Journal): (origin: Entry) => Effects {
  const events = groupBy(journal.events.after(0), ({ cause }) => cause?.pos)
  const messages = groupBy(journal.messages.after(0), ({ cause }) => cause?.pos)
  const deliveries = journal.deliveries.after(0)
  const byCause = groupBy(deliveries, ({ cause }) => cause?.pos)
  const byEvent = groupBy(deliveries, ({ eventId }) => eventId)
  return ({ pos }) => {
    const own = events.get(pos) ?? []
    const attempts = own.flatMap(({ id }) => byEvent.get(id) ?? [])
    // After a restore, an event that happens again has the id of the one that was undone.
    const sent = attempts.filter((delivery) => delivery.pos > pos)
    return {
      events: own,
      messages: messages.get(pos) ?? [],
      deliveries: [...new Set([...sent, ...(byCause.get(pos) ?? [])])],
    }
  }
}

function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
