import * as z from 'zod'
import type { FeedEntry, FeedKind } from '../../engine/feed.ts'
import { presentDelivery } from '../../webhooks/delivery.ts'
import { formatInstant } from '../../world/duration.ts'
import type { Services } from '../services.ts'
import { presentAction } from './actions.ts'
import { operation } from './dialect.ts'
import { createEventStream, EVENT_STREAM, EVENT_STREAM_HEADERS } from './event-stream.ts'
import { presentEvent } from './events.ts'
import { shareFeedChunks } from './feed-chunks.ts'
import { presentMessage } from './inbox.ts'
import { assertNotAhead } from './page.ts'
import { TOO_MANY_WAIT } from './poll.ts'
import { presentRequest } from './requests.ts'
import { type Seen, seenBy } from './shapes.ts'

const STREAM_KINDS = [
  'event',
  'message',
  'delivery',
  'request',
  'action',
  'clock',
  'reset',
] as const satisfies FeedKind[]
type StreamKind = (typeof STREAM_KINDS)[number]

const isStreamKind = (kind: string): kind is StreamKind =>
  (STREAM_KINDS as readonly string[]).includes(kind)

const Only = () =>
  z
    .string()
    .transform((text, context): StreamKind[] => {
      const kinds = text.split(',')
      if (kinds.every(isStreamKind)) return kinds
      const message = `must be kinds separated by commas (${STREAM_KINDS.join(', ')}), not ${text}`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ wire: { type: 'array', items: { type: 'string', enum: STREAM_KINDS } } })
    .optional()

/** A position in the feed as an SSE id; a cursor of the events is digits alone. */
const ID = /^(f?)(\d{1,15})$/
const toId = (position: number) => `f${position}`

export const stream = [
  operation('GET', '/_sandbox/events/stream', {
    id: 'streamEvents',
    summary: 'Follow everything as it happens, as server-sent events',
    about:
      'Follows events, messages, deliveries, contract calls, actions, the clock and resets as server-sent events, until you disconnect. A reader that comes back with `Last-Event-ID` goes on where it was; `lost` counts what it missed for good.',
    success: 'The stream; the name of each event is its kind.',
    query: () => z.strictObject({ after: z.string().regex(ID).optional(), only: Only() }),
    errors: TOO_MANY_WAIT,
    media: EVENT_STREAM,
    handle({ c, services, header, input: { query } }) {
      const kinds = new Set<FeedKind>(query.only ?? STREAM_KINDS)
      const lastId = header('last-event-id')
      const start = query.after ?? (lastId !== undefined && ID.test(lastId) ? lastId : undefined)
      const seen = seenBy(c)
      const { feed } = services
      const from = startOf(services, start)
      // Nobody would read what follows the headers, and it would hold a reader's place.
      if (c.req.method === 'HEAD') return new Response(null, { headers: EVENT_STREAM_HEADERS })
      const { chunks, leave } = shareFeedChunks(
        feed,
        `${seen.baseUrl} ${[...kinds].sort()}`,
        (entry) => (kinds.has(entry.kind) ? render(seen, entry) : ''),
      )
      const { signal } = c.req.raw
      try {
        const body = createEventStream({ feed, signal, ...from, chunks, onEnd: leave })
        return new Response(body, { headers: EVENT_STREAM_HEADERS })
      } catch (error) {
        leave()
        throw error
      }
    },
  }),
]

/** Where a reader goes on: after what it saw last, or with what happens next. */
function startOf({ feed, world }: Services, id: string | undefined) {
  const [, isFeed, digits] = ID.exec(id ?? '') ?? []
  if (digits === undefined) return { position: feed.last, before: [] }
  const number = Number(digits)
  // A position that lies ahead was given out before the process was started again.
  if (isFeed) return { position: number > feed.last ? feed.since : number, before: [] }
  assertNotAhead(number, world.events.last)
  const before = world.events
    .after(number)
    .map(({ cursor }): FeedEntry => ({ position: feed.last, kind: 'event', cursor }))
  return { position: feed.last, before }
}

function render(seen: Seen, entry: FeedEntry): string {
  const data = findFeedRow(seen, entry)
  if (data === undefined) return ''
  return `id: ${toId(entry.position)}\nevent: ${entry.kind}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The row of a feed entry; undefined once it is forgotten. */
export const findFeedRow = (seen: Seen, { kind, cursor }: Pick<FeedEntry, 'kind' | 'cursor'>) =>
  isStreamKind(kind) ? DATA[kind](seen, cursor) : undefined

const DATA: Record<StreamKind, (seen: Seen, cursor: number) => object | undefined> = {
  event: ({ services }, cursor) =>
    mapRow(services.world.events.at(cursor), (event) => presentEvent(event, services)),
  message: (seen, cursor) =>
    mapRow(seen.services.world.messages.at(cursor), (message) => presentMessage(message, seen)),
  delivery: ({ services }, cursor) => mapRow(services.outbox.journal.at(cursor), presentDelivery),
  request: ({ services }, cursor) => mapRow(services.requests.at(cursor), presentRequest),
  action: ({ services }, cursor) => mapRow(services.timeline.actions.at(cursor), presentAction),
  clock: ({ services }) => presentNow(services),
  reset: ({ services }) => ({
    world: services.name,
    fixture: services.world.fixture,
    ...presentNow(services),
  }),
}

function presentNow({ world }: Services) {
  return { now: formatInstant(world.now), mode: world.mode }
}

const mapRow = <Row>(row: Row | undefined, present: (row: Row) => object) =>
  row === undefined ? undefined : present(row)
