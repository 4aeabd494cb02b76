import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CodeSource } from '../calibrate/run.ts'
import { readText } from '../client/read-body.ts'

const CODE_WAIT_MS = 120_000
const POLL_MS = 500
const PAGE_MAX_MS = 30_000
const CODE = /(?<!\d)\d{4}(?!\d)/g
/** Not a part of a date or an id. */
const CODE_IN_JSON = /(?<![\w-])\d{4}(?![\w-])/g

/** Source of login codes: a person, a page that shows an inbox, or a command. */
export function createCodeSource(from: string, signal: AbortSignal): CodeSource {
  if (from === 'stdin') {
    // A person is not kept waiting for a code that may not come.
    return async (email) => async (maxMs) => (maxMs === undefined ? askPerson(email, signal) : null)
  }
  if (/^https?:\/\//.test(from)) return (email) => watchPage(from, email, signal)
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

/** Reads the page before the code is sent, and then the code that was not there before. */
async function watchPage(url: string, email: string, signal: AbortSignal) {
  const target = url.replaceAll('{email}', encodeURIComponent(email))
  const before = await codesAt(target, signal)
  return async (maxMs = CODE_WAIT_MS) => {
    for (const end = Date.now() + maxMs; Date.now() < end; ) {
      const rest = [...before]
      // Newest first or last, or the newest alone: one that occurs more often than before is new.
      const added = (await codesAt(target, signal)).find((code) => {
        const at = rest.indexOf(code)
        if (at !== -1) rest.splice(at, 1)
        return at === -1
      })
      if (added !== undefined) return added
      await sleep(POLL_MS, undefined, { signal })
    }
    return undefined
  }
}

/** All codes that the page shows: `code` fields of JSON, else numbers of four digits in texts. */
async function codesAt(url: string, signal: AbortSignal): Promise<string[]> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(PAGE_MAX_MS)])
  const text = await fetch(url, { signal: ended })
    .then(readText)
    .catch(() => '')
  const fields = [...text.matchAll(/"code":\s*"(\d{4})"/g)].map(([, code = '']) => code)
  if (fields.length > 0) return fields
  const texts = textsOf(text)
  return (texts ? texts.join('\n').match(CODE_IN_JSON) : text.match(CODE)) ?? []
}

/** All texts in a page of JSON. */
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
  // What a stopped command has started itself may hold its output open.
  child.once('error', () => child.stdout.destroy())
  const output = await textOf(child.stdout).catch(() => '')
  return output.match(CODE)?.at(-1)
}
