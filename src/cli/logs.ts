import type { ReadableWritablePair } from 'node:stream/web'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Sandbox } from '../client/client.ts'
import { connectSandbox } from '../client/connect.ts'
import { createHttpClient } from '../client/http.ts'
import { isError, type LogEntry, type LogSubject, timeOf } from '../host/log.ts'
import { wordList } from '../world/word-list.ts'
import { createCommand, toShellLine } from './command.ts'
import { whenAskedToEnd } from './ending.ts'
import { formatEntry, formatJsonEntry } from './log-format.ts'
import { NUMBER } from './option-values.ts'
import { fail, REMOTE_OPTIONS, toPlace, withSandbox } from './remote.ts'
import { describeTerminal, printText } from './terminal.ts'

type Place = ReturnType<typeof toPlace>

const NEWEST = '/journal?after=end'
const KINDS = 'message,delivery,request,action,reset'

/** The log of a sandbox that runs elsewhere, as `start` prints its own. */
export const logs = createCommand({
  usage: 'logs [--follow] [options]',
  about:
    'print calls (req_N, for explain), webhooks (dlv_N, for webhook resend), messages, and what the\n' +
    'control API did (act_N); with --follow, keep printing until Ctrl-C\n\n' +
    'ramp-sandbox logs --follow',
  options: {
    follow: { short: 'f', help: 'keep printing new entries' },
    errors: { help: 'print only what failed' },
    last: { ...NUMBER, standard: '20', help: 'number of entries to print first' },
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print a line of JSON for each entry' },
  },
  exits: { 0: 'stopped on request, or everything was printed', 1: 'the sandbox stopped' },
  async act({ values }) {
    const { last, follow, errors, json } = values
    const place = toPlace(values)
    const terminal = describeTerminal(process.stdout)
    const print = (subject: LogSubject) => {
      const entry = toEntry(place, subject)
      process.stdout.write(`${json ? formatJsonEntry(entry) : formatEntry(entry, terminal)}\n`)
    }
    await withSandbox(values, async (sandbox) => {
      // Where to go on from, if nothing of the past is shown.
      const { cursor: now } = await sandbox.control<{ cursor: string }>('GET', NEWEST)
      const asked = { last, ...(errors && { failed: true }) }
      const past = last === 0 ? [] : await sandbox.journal.read(asked)
      for (const entry of past) print(entry as LogSubject)
      if (past.length === 0 && last !== 0) await explainEmpty(sandbox, place, errors)
      if (!follow) return
      const after = String(Math.max(Number(now), Number(past.at(-1)?.cursor ?? 0)))
      const { signal } = endOnRequest()
      const entries = await followFeed(place, { only: KINDS, after, signal })
      for await (const { event, data } of entries) {
        const subject = { kind: event, row: data } as LogSubject
        if (!errors || isError(subject)) print(subject)
      }
      if (!signal.aborted) fail(`the connection to ${place.url} was lost.`)
    })
  },
})

/** Worlds whose logs are looked at, and those of them that are named. */
const LOOKED_AT_MAX = 20
const NAMED_MAX = 5

/** Says that a world has no entries, and for `default` which others have. */
async function explainEmpty(sandbox: Sandbox, { url }: Place, errors: boolean): Promise<void> {
  const name = worldIn(url)
  const what = errors ? 'errors' : 'entries'
  const line = `ramp-sandbox: The world ${name} has had no ${what} since its start or last reset`
  const found = name === DEFAULT ? await findOthers(sandbox, errors) : []
  const [first] = found
  if (first === undefined) return printText(`${line}.`, process.stderr)
  const names = wordList(
    found.map((row) => row.name),
    'and',
  )
  const command = toShellLine(['logs', ...(errors ? ['--errors'] : []), '--url', first.baseUrl])
  const have = found.length === 1 ? `the world ${names} has` : `the worlds ${names} have`
  printText(`${line}, but ${have}.\n  ${command}`, process.stderr)
}

/** The worlds besides `default` that were called last and have entries. */
async function findOthers({ worlds, world }: Sandbox, errors: boolean) {
  const called = (await worlds.list())
    .filter(({ name, calledAt }) => name !== DEFAULT && calledAt !== null)
    .sort((one, other) => String(other.calledAt).localeCompare(String(one.calledAt)))
  const found: typeof called = []
  for (const row of called.slice(0, LOOKED_AT_MAX)) {
    if (found.length === NAMED_MAX) break
    const asked = { last: 1, ...(errors && { failed: true }) }
    const [newest] = await world(row.name).journal.read(asked)
    if (newest !== undefined) found.push(row)
  }
  return found
}

/**
 * Takes each entry of a world from its start on. Returns a function that takes the rest, up to the
 * present, and stops.
 */
export async function followWorld(
  place: Place,
  take: (entry: LogEntry) => void,
): Promise<() => Promise<void>> {
  const ending = new AbortController()
  const { signal } = ending
  const entries = await followFeed(place, { only: KINDS, after: '0', signal })
  let position = 0
  let end = Number.POSITIVE_INFINITY
  const reading = read()
  return async () => {
    // The world may have ended, and its feed with it.
    const { url, controlToken } = place
    const newest = await connectSandbox(url, { controlToken })
      .journal.read({ last: 1 })
      .catch(() => [])
    end = Number(newest.at(-1)?.cursor ?? 0)
    if (position >= end) ending.abort()
    await reading
    ending.abort()
  }

  async function read() {
    for await (const { event, data, id } of entries) {
      take(toEntry(place, { kind: event, row: data } as LogSubject))
      position = Number(id?.slice(1) ?? position)
      if (position >= end) return
    }
  }
}

/** Name of the world behind a base URL without a world. */
const DEFAULT = 'default'
const worldIn = (url: string): string => /\/w\/([^/]+)/.exec(url)?.[1] ?? DEFAULT

/** Only what has no time of its own gets that of now. */
function toEntry({ url }: Place, subject: LogSubject): LogEntry {
  return { world: worldIn(url), subject, ...(timeOf(subject) === undefined && { at: Date.now() }) }
}

/** Aborted once this process is asked to end. */
export function endOnRequest(): AbortController {
  const ending = new AbortController()
  whenAskedToEnd(() => ending.abort())
  return ending
}

interface FeedOptions {
  only: string
  /** Name of the reader. */
  as?: 'listen'
  /** Position from which it goes on. */
  after?: string
  signal: AbortSignal
}

/** Reads new entries of a world until it is aborted or the sandbox ends. */
export async function followFeed(place: Place, { only, as, after, signal }: FeedOptions) {
  const http = createHttpClient({ ...place, url: place.url.replace(/\/+$/, '') })
  const path = '/_sandbox/events/stream'
  const headers = after === undefined ? {} : { 'last-event-id': `f${after}` }
  const { body } = await http.open({ method: 'GET', path, query: { only, as }, headers, signal })
  return readEntries(body, signal)
}

async function* readEntries(body: Response['body'], signal: AbortSignal) {
  // The types of Node and of the DOM differ here.
  const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>
  try {
    const events = body?.pipeThrough(decoder).pipeThrough(new EventSourceParserStream())
    for await (const { event, data, id } of events ?? []) {
      if (event !== undefined) yield { event, data: JSON.parse(data) as unknown, id }
    }
  } catch (error) {
    // `fetch` reports a broken connection as a TypeError.
    if (!signal.aborted && !(error instanceof TypeError)) throw error
  }
}
