import type { ReadableWritablePair } from 'node:stream/web'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Sandbox } from '../client/client.ts'
import { createHttpClient } from '../client/http.ts'
import { isError, type LogSubject } from '../host/log.ts'
import { createCommand } from './command.ts'
import { whenAskedToEnd } from './ending.ts'
import { formatEntry, formatJsonEntry } from './log-format.ts'
import { NUMBER } from './option-values.ts'
import { fail, REMOTE_OPTIONS, toPlace, withSandbox } from './remote.ts'
import { describeTerminal } from './terminal.ts'

const KINDS = 'message,delivery,request,action,reset'

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
    last: { ...NUMBER, standard: '20', help: 'how many of the newest to show first' },
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print a line of JSON for each entry' },
  },
  exits: { 0: 'Stopped on request, or everything was shown.', 1: 'The sandbox went away.' },
  async act({ values }) {
    const { last, follow } = values
    const place = toPlace(values)
    await withSandbox(values, async (sandbox) => {
      // Opened first, so that nothing is missed; entries that come twice are shown once.
      const feed = follow ? await followFeed(place, KINDS) : undefined
      const print = await createPrinter(sandbox, values)
      const isShown = (subject: LogSubject) =>
        (!values.errors || isError(subject)) && !(follow && isUnderWay(subject))
      const past = last === 0 ? [] : await readPast(sandbox, { last, isShown })
      for (const subject of past) await print(subject)
      if (feed === undefined) return
      const seen = new Set<unknown>(past.map(positionOf))
      for await (const { event, data } of feed.entries) {
        const subject = { kind: event, row: data } as LogSubject
        if (isShown(subject) && !seen.has(positionOf(subject))) await print(subject)
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

async function createPrinter(sandbox: Sandbox, { json }: Record<'json', boolean>) {
  const terminal = describeTerminal(process.stdout)
  const { world } = await sandbox.info()
  const emails = new Map<string, string | undefined>()
  return async function print(subject: LogSubject) {
    const userId = (subject.kind === 'request' && subject.row.userId) || ''
    if (userId !== '' && !emails.has(userId)) emails.set(userId, await findEmail(sandbox, userId))
    const entry = { world, subject, email: emails.get(userId) }
    process.stdout.write(`${json ? formatJsonEntry(entry) : formatEntry(entry, terminal)}\n`)
  }
}

/** The address of a user, who may have gone with a reset. */
const findEmail = async ({ users }: Sandbox, id: string): Promise<string | undefined> =>
  await users.get(id).then(
    ({ email }) => email,
    () => undefined,
  )

const orderOf = (entry?: { row: { cursor: string } }) => Number(entry?.row.cursor ?? 0)

/** Entries of the stream that are in no list have no position. */
const positionOf = ({ row }: LogSubject) => ('cursor' in row ? row.cursor : undefined)

const isUnderWay = ({ kind, row }: LogSubject) =>
  (kind === 'delivery' && row.outcome === 'pending') ||
  (kind === 'action' && row.status === 0) ||
  (kind === 'request' && row.durationMs === null)

interface Reading {
  last: number
  isShown(subject: LogSubject): boolean
}

/** Reads the newest entries that are shown, in the order in which they happened. */
async function readPast(sandbox: Sandbox, { last, isShown }: Reading): Promise<LogSubject[]> {
  for (let read = last; ; read *= 10) {
    const page = { last: read }
    const lists = await Promise.all([
      toSubjects('message', sandbox.inbox.list(page)),
      toSubjects('delivery', sandbox.webhooks.deliveries(page)),
      toSubjects('request', sandbox.requests.list(page)),
      toSubjects('action', sandbox.actions.list(page)),
    ])
    // Before this position, there may be older rows of some kind.
    const from = Math.max(...lists.map((list) => (list.length < read ? 0 : orderOf(list[0]))))
    const entries = lists.flat().filter((entry) => orderOf(entry) >= from && isShown(entry))
    entries.sort((a, b) => orderOf(a) - orderOf(b))
    if (entries.length >= last || from === 0) return entries.slice(-last)
  }
}

const toSubjects = async <const Kind extends string, Row>(kind: Kind, rows: Promise<Row[]>) =>
  (await rows).map((row) => ({ kind, row }))
