import type { ReadableWritablePair } from 'node:stream/web'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { createHttpClient } from '../client/http.ts'
import { isError, type LogSubject, timeOf } from '../host/log.ts'
import { createCommand } from './command.ts'
import { whenAskedToEnd } from './ending.ts'
import { formatEntry, formatJsonEntry } from './log-format.ts'
import { NUMBER } from './option-values.ts'
import { fail, REMOTE_OPTIONS, toPlace, withSandbox } from './remote.ts'
import { describeTerminal } from './terminal.ts'

const NEWEST = '/journal?after=end'
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
    const { last, follow, errors, json } = values
    const place = toPlace(values)
    const terminal = describeTerminal(process.stdout)
    const [, world = 'default'] = /\/w\/([^/]+)/.exec(place.url) ?? []
    const print = (subject: LogSubject) => {
      // Only what has no time of its own gets that of now.
      const entry = { world, subject, ...(timeOf(subject) === undefined && { at: Date.now() }) }
      process.stdout.write(`${json ? formatJsonEntry(entry) : formatEntry(entry, terminal)}\n`)
    }
    await withSandbox(values, async (sandbox) => {
      // Where to go on from, if nothing of the past is shown.
      const { cursor: now } = await sandbox.control<{ cursor: string }>('GET', NEWEST)
      const asked = { last, ...(errors && { failed: true }) }
      const past = last === 0 ? [] : await sandbox.journal.read(asked)
      for (const entry of past) print(entry as LogSubject)
      if (!follow) return
      const after = String(Math.max(Number(now), Number(past.at(-1)?.cursor ?? 0)))
      const feed = await followFeed(place, { only: KINDS, after })
      for await (const { event, data } of feed.entries) {
        const subject = { kind: event, row: data } as LogSubject
        if (!errors || isError(subject)) print(subject)
      }
      if (!feed.ending.signal.aborted) fail(`the sandbox at ${place.url} is gone.`)
    })
  },
})

interface FeedOptions {
  only: string
  /** Who reads. */
  as?: 'listen'
  /** Position from which it goes on. */
  after?: string
}

/** Reads new entries of a world until this process or the sandbox ends. */
export async function followFeed(
  place: ReturnType<typeof toPlace>,
  { only, as, after }: FeedOptions,
) {
  const ending = new AbortController()
  const { signal } = ending
  whenAskedToEnd(() => ending.abort())
  const http = createHttpClient({ ...place, url: place.url.replace(/\/+$/, '') })
  const path = '/_sandbox/events/stream'
  const headers = after === undefined ? {} : { 'last-event-id': `f${after}` }
  const { body } = await http.open({ method: 'GET', path, query: { only, as }, headers, signal })
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
