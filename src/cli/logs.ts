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
      const all = await readPast(sandbox)
      const past = feed === undefined ? all : all.filter((subject) => !isUnderWay(subject))
      const shown = values.errors ? past.filter(isError) : past
      for (const subject of shown.slice(Math.max(0, shown.length - limit))) print(subject)
      if (feed === undefined) return
      const seen = new Set<unknown>(past.map(idOf))
      for await (const { event, data } of feed.entries) {
        // A reset starts ids from 1 again.
        if (event === 'reset') seen.clear()
        const subject = { kind: event, row: data } as LogSubject
        if (!seen.has(idOf(subject))) print(subject)
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
    const userId = subject.kind === 'request' ? subject.row.userId : null
    const entry = { world, subject, email: emails.get(userId ?? '') }
    process.stdout.write(`${json ? formatJsonEntry(entry) : formatEntry(entry, terminal)}\n`)
  }
}

const idOf = ({ row }: LogSubject) => ('id' in row ? row.id : undefined)

const isUnderWay = ({ kind, row }: LogSubject) =>
  (kind === 'delivery' && row.outcome === 'pending') ||
  (kind === 'action' && row.status === 0) ||
  (kind === 'request' && row.durationMs === null)

/** Reads earlier calls and actions, each with its effects below it. */
async function readPast(sandbox: Sandbox): Promise<LogSubject[]> {
  const [messages, deliveries, requests, actions] = await Promise.all([
    toSubjects('message', sandbox.inbox.list()),
    toSubjects('delivery', sandbox.webhooks.deliveries()),
    toSubjects('request', sandbox.requests.list()),
    toSubjects('action', sandbox.actions.list()),
  ])
  const callsBefore = ({ kind, row }: (typeof requests | typeof actions)[number]) =>
    kind === 'action' ? row.callsBefore + 0.5 : Number(row.id.replace('req_', ''))
  const origins = [...requests, ...actions].sort((a, b) => callsBefore(a) - callsBefore(b))
  const orphans: LogSubject[] = []
  const below = new Map<string | undefined, LogSubject[]>(
    origins.map((origin) => [origin.row.id, [origin]]),
  )
  for (const effect of [...messages, ...deliveries]) {
    const own = below.get(effect.row.cause?.id) ?? orphans
    own.push(effect)
  }
  return [orphans, ...below.values()].flat()
}

const toSubjects = async <const Kind extends string, Row>(kind: Kind, rows: Promise<Row[]>) =>
  (await rows).map((row) => ({ kind, row }))
