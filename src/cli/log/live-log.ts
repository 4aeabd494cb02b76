import type { FeedKind } from '../../engine/feed.ts'
import type { CallRecord } from '../../engine/request-journal.ts'
import type { Action } from '../../engine/timeline.ts'
import { presentAction } from '../../http/control/actions.ts'
import { presentMessage } from '../../http/control/inbox.ts'
import { presentRequest } from '../../http/control/requests.ts'
import type { DeliveryRecord } from '../../http/control/wire.ts'
import type { Services } from '../../http/services.ts'
import { type Delivery, presentDelivery } from '../../webhooks/delivery.ts'
import { formatInstant } from '../../world/duration.ts'
import type { Message } from '../../world/state.ts'
import { describeSunset } from '../../world/sunset.ts'
import { toChoice } from '../option-values.ts'
import { describeTerminal } from '../terminal.ts'
import {
  formatEntry,
  formatJsonEntry,
  isError,
  LOG_LEVELS,
  type LogEntry,
  type LogLevel,
  type LogSubject,
  timeOf,
} from './format.ts'
import { createLineWriter } from './line-writer.ts'

export interface LiveLogOptions {
  level: Exclude<LogLevel, 'off'>
  json: boolean
  stream: NodeJS.WriteStream
}

export type LiveLog = ReturnType<typeof createLiveLog>

/** The log that `--log` asks for; none where it is off. */
export function openLog(
  level: string,
  options: Omit<LiveLogOptions, 'level'>,
): LiveLog | undefined {
  const chosen = toChoice('--log', level, LOG_LEVELS)
  return chosen === 'off' ? undefined : createLiveLog({ ...options, level: chosen })
}

/** A line for each thing that happens in any world, for as long as the process runs. */
export function createLiveLog({ level, json, stream }: LiveLogOptions) {
  const terminal = describeTerminal(stream)
  const writer = createLineWriter<Raw>({
    stream,
    format(raw) {
      const entry = present(raw)
      return json ? formatJsonEntry(entry) : formatEntry(entry, terminal)
    },
    formatDropped: (count) =>
      json ? JSON.stringify({ event: 'dropped', count }) : `… ${count} lines left out`,
  })
  let isV1Known = false
  const followed = new Map<string, Services>()
  return { follow, note, end: writer.end }

  /** Adds a line of a development chain, which is no part of the world. */
  function note(world: string, sentence: string) {
    const services = followed.get(world)
    if (services) add(services, { kind: 'chain', row: { sentence } })
  }

  function follow(services: Services) {
    followed.set(services.name, services)
    const held: RawSubject[] = []
    /** Actions that have a line already, because something came of them before they ended. */
    const begun = new Set<string>()
    services.feed.follow(({ kind, cursor }) => {
      if (kind === 'closed') followed.delete(services.name)
      if (kind === 'event' || (level === 'all' && writer.drop())) return
      const subject = findSubject(services, kind, cursor)
      if (subject === undefined) return
      if (subject.kind === 'message' || subject.kind === 'delivery') {
        if (held.push(subject) === 1) queueMicrotask(release)
      } else if (subject.kind !== 'action' || !begun.delete(subject.row.id) || isError(subject)) {
        add(services, subject)
        release()
      }
    })

    /** What something caused comes below its line, though that ends last. */
    function release() {
      for (const subject of held.splice(0)) {
        const action = findAction(services, subject)
        if (action?.status === 0 && !begun.has(action.id)) {
          begun.add(action.id)
          add(services, { kind: 'action', row: action })
        }
        add(services, subject)
      }
    }
  }

  function add(services: Services, subject: RawSubject) {
    if (!isV1Known && isV1Call(subject)) {
      isV1Known = true
      const { sentence } = describeSunset(services.world)
      add(services, { kind: 'v1', row: { sentence } })
    }
    if (level === 'errors' && !isError(subject)) return
    writer.add({ at: Date.now(), now: services.world.now, services, subject })
  }
}

/** A row as the world keeps it, which is shown only where somebody reads it. */
type RawSubject =
  | { kind: 'request'; row: CallRecord }
  | { kind: 'delivery'; row: Delivery }
  | { kind: 'message'; row: Message }
  | { kind: 'action'; row: Action }
  | Exclude<LogSubject, { kind: 'request' | 'delivery' | 'message' | 'action' }>

interface Raw {
  at: number
  now: number
  services: Services
  subject: RawSubject
}

function present({ at, now, services, subject }: Raw): LogEntry {
  const { world, name } = services
  const shown = presentSubject(services, subject)
  const emailOf = (userId: string) => world.usersById.get(userId)?.email
  return { world: name, at, now: timeOf(shown) ?? now, subject: shown, emailOf }
}

function presentSubject(services: Services, subject: RawSubject): LogSubject {
  switch (subject.kind) {
    case 'request':
      return { kind: 'request', row: presentRequest(subject.row) }
    case 'delivery':
      return { kind: 'delivery', row: presentDelivery(subject.row) as DeliveryRecord }
    case 'message':
      return { kind: 'message', row: presentMessage(subject.row, { services, baseUrl: '' }) }
    case 'action':
      return { kind: 'action', row: presentAction(subject.row) }
    default:
      return subject
  }
}

const isV1Call = ({ kind, row }: RawSubject) =>
  kind === 'request' && row.operation?.startsWith('v1') === true

/** What a feed entry is about; events are seen as the webhooks that they cause. */
function findSubject(
  { world, requests, outbox, timeline }: Services,
  kind: FeedKind,
  cursor: number,
): RawSubject | undefined {
  switch (kind) {
    case 'request':
      return toSubject(kind, requests.at(cursor))
    case 'action':
      return toSubject(kind, timeline.actions.at(cursor))
    case 'delivery':
      return toSubject(kind, outbox.journal.at(cursor))
    case 'message':
      return toSubject(kind, world.messages.at(cursor))
    case 'clock':
      return { kind, row: { now: formatInstant(world.now), mode: world.mode } }
    case 'reset':
      return { kind, row: { fixture: world.fixture } }
    default:
      return undefined
  }
}

const toSubject = <Kind extends RawSubject['kind'], Row>(kind: Kind, row: Row | undefined) =>
  row === undefined ? undefined : { kind, row }

/** The action that caused it, if it was none of the contract's calls. */
function findAction({ timeline }: Services, { kind, row }: RawSubject): Action | undefined {
  if (kind !== 'message' && kind !== 'delivery') return undefined
  const cause = timeline.causeOf(kind === 'message' ? 'messages' : 'deliveries', row.cursor)
  const [, position] = /^act_(\d+)$/.exec(cause?.id ?? '') ?? []
  return position === undefined ? undefined : timeline.actions.at(Number(position))
}
