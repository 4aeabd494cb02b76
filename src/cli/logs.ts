import type { ReadableWritablePair } from 'node:stream/web'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Sandbox } from '../client/client.ts'
import { createHttpClient } from '../client/http.ts'
import { createCommand } from './command.ts'
import { whenAskedToEnd } from './ending.ts'
import { formatEntry, formatJsonEntry, isError, type LogSubject } from './log-format.ts'
import { createOrder, type FeedSubject } from './log-order.ts'
import { NUMBER } from './option-values.ts'
import { fail, REMOTE_OPTIONS, toPlace, withSandbox } from './remote.ts'
import { describeTerminal } from './terminal.ts'

const KINDS = 'event,message,delivery,request,action,reset'

/** The log of a sandbox that runs elsewhere, as `start` prints its own. */
export const logs = createCommand({
  usage: 'logs [--follow] [options]',
  about:
    'Shows calls (req_N, which explain takes), webhooks (dlv_N, which webhook resend takes),\n' +
    'messages, and what the control API did (act_N). With --follow it runs until you stop it.\n\n' +
    'ramp-sandbox logs --follow',
  options: {
    follow: { short: 'f', help: 'keep showing what happens' },
    errors: { help: 'only what failed' },
    limit: { ...NUMBER, standard: '20', help: 'how many of the newest to show first' },
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print a line of JSON for each entry' },
  },
  exits: { 0: 'Stopped on request, or everything was shown.', 1: 'The sandbox went away.' },
  async act({ values }) {
    const { limit, follow } = values
    const place = toPlace(values)
    await withSandbox(values, async (sandbox) => {
      // Opened first, so that nothing is missed; entries that come twice are shown once.
      const feed = follow ? await followFeed(place, KINDS) : undefined
      const print = await createPrinter(sandbox, values)
      const past: LogSubject[] = []
      let show = (subject: LogSubject) => void past.push(subject)
      const take = createOrder((subject) => show(subject))
      for (const subject of await readPast(sandbox)) {
        if (feed === undefined || !isUnderWay(subject)) take(subject)
      }
      const shown = values.errors ? past.filter(isError) : past
      for (const subject of shown.slice(Math.max(0, shown.length - limit))) print(subject)
      if (feed === undefined) return
      const seen = new Set<unknown>(past.map(idOf))
      show = (subject) => {
        if (!seen.has(idOf(subject))) print(subject)
      }
      for await (const { event, data } of feed.entries) {
        // A reset starts ids from 1 again.
        if (event === 'reset') seen.clear()
        take({ kind: event, row: data } as FeedSubject)
      }
      if (!feed.ending.signal.aborted) fail(`the sandbox at ${place.url} is gone.`)
    })
  },
})

/** Reads new entries of a world until this process or the sandbox ends. */
export async function followFeed(place: ReturnType<typeof toPlace>, only: string) {
  const ending = new AbortController()
  const { signal } = ending
  whenAskedToEnd(() => ending.abort())
  const http = createHttpClient({ ...place, url: place.url.replace(/\/+$/, '') })
  const path = '/_sandbox/events/stream'
  const { body } = await http.open({ method: 'GET', path, query: { only }, signal })
  return { ending, entries: readEntries(body, signal) }
}

async function* readEntries(body: Response['body'], signal: AbortSignal) {
  // The types of Node and of the DOM differ here.
  const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>
  try {
    const events = body?.pipeThrough(decoder).pipeThrough(new EventSourceParserStream())
    for await (const { event, data } of events ?? []) {
      if (event !== undefined) yield { event, data: JSON.parse(data) as unknown }
    }
  } catch (error) {
    // `fetch` reports a broken connection as a TypeError.
    if (!signal.aborted && !(error instanceof TypeError)) throw error
  }
}

async function createPrinter(
  sandbox: Sandbox,
  { json, errors }: Record<'json' | 'errors', boolean>,
) {
  const terminal = describeTerminal(process.stdout)
  const { world } = await sandbox.info()
  const emails = new Map((await sandbox.users.list()).map(({ id, email }) => [id, email]))
  return function print(subject: LogSubject) {
    if (errors && !isError(subject)) return
    const entry = { world, subject, emailOf: (id: string) => emails.get(id) }
    process.stdout.write(`${json ? formatJsonEntry(entry) : formatEntry(entry, terminal)}\n`)
  }
}

const idOf = ({ row }: FeedSubject) => ('id' in row ? row.id : undefined)

const isUnderWay = ({ kind, row }: FeedSubject) =>
  (kind === 'delivery' && row.outcome === 'pending') ||
  (kind === 'action' && row.status === 0) ||
  (kind === 'request' && row.durationMs === null)

/** Reads earlier entries in the order of a feed: calls and actions come after their effects. */
async function readPast(sandbox: Sandbox): Promise<FeedSubject[]> {
  const [events, messages, deliveries, requests, actions] = await Promise.all([
    toSubjects('event', sandbox.events.list()),
    toSubjects('message', sandbox.inbox.list()),
    toSubjects('delivery', sandbox.webhooks.deliveries()),
    toSubjects('request', sandbox.requests.list()),
    toSubjects('action', sandbox.actions.list()),
  ])
  const callsBefore = ({ kind, row }: (typeof requests | typeof actions)[number]) =>
    kind === 'action' ? row.callsBefore + 0.5 : Number(row.id.replace('req_', ''))
  const origins = [...requests, ...actions].sort((a, b) => callsBefore(a) - callsBefore(b))
  const kept = new Set(origins.map(idOf))
  const effects = [...events, ...messages, ...deliveries]
  for (const { row } of effects) {
    // Effects are shown even if their call or action is forgotten.
    if (row.cause && !kept.has(row.cause.id)) row.cause = null
  }
  return [...effects, ...origins]
}

const toSubjects = async <const Kind extends string, Row>(kind: Kind, rows: Promise<Row[]>) =>
  (await rows).map((row) => ({ kind, row }))
