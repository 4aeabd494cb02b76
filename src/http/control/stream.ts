import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import * as z from 'zod'
import { TOO_MANY_WAIT } from '../../control-api/pages.ts'
import { EVENT_STREAM } from '../../control-api/shapes.ts'
import type { Announcement } from '../../engine/announcements.ts'
import type { Journal } from '../../engine/journal.ts'
import { STREAM_KINDS, type StreamKind } from '../../engine/stream-kinds.ts'
import { realTime } from '../../real-time.ts'
import { formatInstant } from '../../world/duration.ts'
import { toVisible } from '../../world/word-list.ts'
import type { Env } from '../operation.ts'
import { type RequestContext, requestContext } from './context.ts'
import { operation } from './dialect.ts'
import { presentEvent, presentMessage } from './events.ts'
import { presentAction, presentRequest } from './requests.ts'
import { presentDelivery } from './webhooks.ts'

/** Entries that are written before the stream looks whether its reader has left. */
const CHUNK_LENGTH = 100
/** Shorter than the idle timeout of common proxies. */
const HEARTBEAT_MS = 15_000
/** Limit for a reader that reads nothing. */
const STUCK_MAX_MS = 60_000
const RETRY_MS = 1_000

const isStreamKind = (kind: string): kind is StreamKind =>
  (STREAM_KINDS as readonly string[]).includes(kind)

const Only = () =>
  z
    .string()
    .transform((text, context): StreamKind[] => {
      const kinds = text.split(',')
      if (kinds.every(isStreamKind)) return kinds
      const message = `must be kinds separated by commas (${STREAM_KINDS.join(', ')}), not ${toVisible(text)}`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ wire: { type: 'array', items: { type: 'string', enum: STREAM_KINDS } } })
    .optional()

export const stream = [
  operation('GET', '/_sandbox/events/stream', 'streamEvents', {
    summary: 'Follow everything as it happens, as server-sent events',
    about:
      'Sends events, messages, deliveries, API calls, actions, clock changes and resets until you disconnect. A reader that reconnects with `Last-Event-ID` continues where it stopped, and one that has read `readJournal` continues with its cursor as `after`; `lost` means that some of what it missed is no longer kept.',
    success: 'The stream; the name of each event is its kind.',
    query: () =>
      z.strictObject({
        only: Only().describe('Only these kinds, separated by commas. Default: all.'),
        after: z
          .string()
          .regex(/^\d{1,15}$/, { error: 'must be a cursor of readJournal' })
          .optional()
          .describe('Begin after this cursor of `readJournal`. Default: with what happens next.'),
        as: z
          .enum(['listen'])
          .optional()
          .describe('`listen` makes `info` count the reader as a running `listen` command.'),
      }),
    errors: TOO_MANY_WAIT,
    media: EVENT_STREAM,
    handle({ c, services: { journal }, header, input: { query } }) {
      const kinds: readonly StreamKind[] = query.only ?? STREAM_KINDS
      const context = requestContext(c)
      const [, last] = /^f(\d{1,15})$/.exec(header('last-event-id') ?? '') ?? []
      // A browser that reconnects sends the header and the query of before.
      const position = Number(last ?? query.after ?? journal.position)
      // A response to HEAD has no body, so a stream for it would only take up a reader's place.
      if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': EVENT_STREAM })
      const response = streamEvents(c, {
        journal,
        as: query.as,
        // A position ahead is one of another sandbox.
        position: position > journal.position ? 0 : position,
        render: (entry) => (kinds.includes(entry.kind) ? rowOf(context, entry) : null),
      })
      // Many streams end at once with their world, and idle connections would keep their files.
      response.headers.set('connection', 'close')
      return response
    },
  }),
]

interface StreamOptions {
  journal: Journal
  as: string | undefined
  position: number
  /** The data of an entry: null if the reader did not ask for it, undefined if it is forgotten. */
  render(entry: Announcement): object | null | undefined
}

/**
 * Server-sent events, read from the journal only as fast as the reader takes them: nothing is
 * buffered for a slow one. A reader that takes nothing for a minute is dropped.
 */
function streamEvents(c: Context<Env>, options: StreamOptions): Response {
  const { journal, as, render } = options
  let { position } = options
  let wake = () => {}
  let isOver = false
  const end = () => {
    isOver = true
    wake()
  }
  const unfollow = journal.follow((kind) => (kind === 'closed' ? end() : wake()), as)
  return streamSSE(c, async (stream) => {
    stream.onAbort(end)
    c.req.raw.signal.addEventListener('abort', end)
    const write = async (text: string) => {
      const timer = realTime.setTimeout(() => stream.abort(), STUCK_MAX_MS)
      await stream.write(text)
      realTime.clearTimeout(timer)
    }
    try {
      await write(`retry: ${RETRY_MS}\n\n`)
      while (!isOver) {
        const entries = journal.announcedAfter(position, CHUNK_LENGTH)
        const rows = entries.map((entry) => ({ entry, data: render(entry) }))
        const isLost = journal.hasForgotten(position) || rows.some(({ data }) => data === undefined)
        const texts = rows.map(({ entry, data }) => (data ? format(entry, data) : ''))
        const text = (isLost ? LOST : '') + texts.join('')
        position = entries.at(-1)?.pos ?? position
        if (text !== '') await write(text)
        else if (entries.length === 0) {
          const beat = realTime.setTimeout(
            () => void write(':\n\n').then(() => wake()),
            HEARTBEAT_MS,
          )
          await new Promise<void>((resolve) => (wake = resolve))
          realTime.clearTimeout(beat)
        }
      }
    } finally {
      unfollow()
    }
  })
}

const LOST = 'event: lost\ndata: {}\n\n'

const format = ({ pos, kind }: Announcement, data: object) =>
  `id: f${pos}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`

/** A row as it is kept, and what shows it. */
export interface FoundRow {
  row: object
  present(): object
}

/** The row of an entry; undefined once it is forgotten. */
export const findRow = (context: RequestContext, { kind, of }: Announcement) =>
  DATA[kind](context, of)

export const rowOf = (context: RequestContext, entry: Announcement) =>
  findRow(context, entry)?.present()

const DATA: Record<StreamKind, (context: RequestContext, of: number) => FoundRow | undefined> = {
  event: ({ services }, of) =>
    toFound(services.journal.events.at(of), (event) => presentEvent(event, services)),
  message: (context, of) =>
    toFound(context.services.journal.messages.at(of), (row) => presentMessage(row, context)),
  delivery: ({ services }, of) =>
    toFound(services.journal.deliveries.at(of), (row) => presentDelivery(row, services)),
  request: ({ services }, of) =>
    toFound(services.journal.calls.at(of), (row) => presentRequest(row, services.world)),
  action: ({ services }, of) =>
    toFound(services.journal.actions.at(of), (row) => presentAction(row, services.world)),
  clock: ({ services }) =>
    toFound(services.world, ({ now, mode }) => ({ now: formatInstant(now), mode })),
  reset: ({ services: { name, world } }) =>
    toFound(world, ({ fixture, now, mode }) => ({
      world: name,
      fixture,
      now: formatInstant(now),
      mode,
    })),
}

const toFound = <Row extends object>(row: Row | undefined, present: (row: Row) => object) =>
  row && { row, present: () => present(row) }
