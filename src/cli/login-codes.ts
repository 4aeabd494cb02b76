import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CodeSource } from '../calibrate/run.ts'
import { readText } from '../client/read-body.ts'

/** The longest wait for a person who types a code, or a command that finds one. */
const CODE_WAIT_MS = 120_000
/** The longest wait for an inbox to show a code that was sent. */
const INBOX_WAIT_MS = 60_000
const POLL_MS = 500
/** Bounds of reading an inbox: the time of one read, and how many may fail. */
const PAGE_MAX_MS = 5_000
const FAILURES_MAX = 3
const CODE = /(?<!\d)\d{4}(?!\d)/g
/** Excludes digits that are part of a date or an id. */
const CODE_IN_JSON = /(?<![\w-])\d{4}(?![\w-])/g

/** Source of login codes: a person, a page that shows an inbox, or a command. */
export function createCodeSource(
  from: string,
  signal: AbortSignal,
  { waitMs = INBOX_WAIT_MS, pageMaxMs = PAGE_MAX_MS } = {},
): CodeSource {
  if (from === 'stdin') {
    // A person is not asked for a code that may never come.
    return async (email) => async (maxMs) => (maxMs === undefined ? askPerson(email, signal) : null)
  }
  if (/^https?:\/\//.test(from)) {
    return (email) => {
      const url = from.replaceAll('{email}', encodeURIComponent(email))
      return watchInbox({ url, signal, waitMs, pageMaxMs })
    }
  }
  return async (email) => (maxMs) => runCommand(from, { email, signal, timeout: maxMs })
}

async function askPerson(email: string, signal: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // On a terminal it takes Ctrl-C for itself, and what was changed must be put back.
  lines.on('SIGINT', () => process.emit('SIGINT'))
  const ended = once(lines, 'close').then(() => '')
  const asked = lines.question(`The login code that ${email} received: `, { signal })
  try {
    const text = await Promise.race([asked, ended])
    return text.match(CODE)?.at(-1)
  } finally {
    lines.close()
  }
}

interface Inbox {
  url: string
  signal: AbortSignal
  waitMs: number
  pageMaxMs: number
}

/** Reads the inbox before the code is sent, and then the code that was not there before. */
async function watchInbox(inbox: Inbox) {
  const before = await codesAt(inbox)
  // An inbox that does not respond will not show a code either.
  if (before === undefined) return async () => undefined
  return async (maxMs = inbox.waitMs) => {
    const end = Date.now() + maxMs
    for (let failures = 0; failures < FAILURES_MAX; ) {
      const after = await codesAt(inbox)
      const added = addedTo(before, after ?? [])
      // Looked at before the time is, so that even a process that stood still looks once.
      if (added !== undefined || Date.now() >= end) return added
      if (after === undefined) failures++
      await sleep(POLL_MS, undefined, { signal: inbox.signal })
    }
    return undefined
  }
}

/** Finds the new code in any order of the inbox: one that occurs more often than before. */
function addedTo(before: readonly string[], after: readonly string[]): string | undefined {
  const rest = [...before]
  return after.find((code) => {
    const at = rest.indexOf(code)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
}

/** Reads all codes that an inbox shows: `code` fields of JSON, else numbers of four digits in texts. */
async function codesAt({ url, signal, pageMaxMs }: Inbox): Promise<string[] | undefined> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(pageMaxMs)])
  const text = await fetch(url, { signal: ended })
    .then(readText)
    .catch(() => undefined)
  if (text === undefined) return undefined
  const fields = [...text.matchAll(/"code":\s*"(\d{4})"/g)].map(([, code = '']) => code)
  if (fields.length > 0) return fields
  const texts = textsOf(text)
  return (texts ? texts.join('\n').match(CODE_IN_JSON) : text.match(CODE)) ?? []
}

/** Collects all texts in a page of JSON. */
function textsOf(page: string): string[] | undefined {
  const texts: string[] = []
  try {
    JSON.parse(page, (_, value) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
    return texts
  } catch {
    return undefined
  }
}

/** The command finds the address in RAMP_SANDBOX_EMAIL, and prints the code. */
async function runCommand(
  command: string,
  { email, ...ending }: { email: string; signal: AbortSignal; timeout: number | undefined },
): Promise<string | undefined> {
  const env = { ...process.env, RAMP_SANDBOX_EMAIL: email }
  const options = { shell: true, env, ...ending, timeout: ending.timeout ?? CODE_WAIT_MS }
  const child = spawn(command, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  // Child processes of a stopped command may hold its output open.
  child.once('error', () => child.stdout.destroy())
  const output = await textOf(child.stdout).catch(() => '')
  return output.match(CODE)?.at(-1)
}
