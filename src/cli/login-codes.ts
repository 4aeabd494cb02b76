import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CodeSource } from '../agreement/calibrate/calibrate.ts'

const CODE_WAIT_MS = 120_000
const POLL_MS = 1_000
const CODE = /(?<!\d)\d{4}(?!\d)/g

/** Where login codes come from: a person, a page that shows an inbox, or a command. */
export function createCodeSource(from: string, signal: AbortSignal): CodeSource {
  if (from === 'stdin') return async (email) => () => askPerson(email, signal)
  if (/^https?:\/\//.test(from)) return (email) => watchPage(from, email, signal)
  return async (email) => () => runCommand(from, email, signal)
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

/** Reads the page before the code is sent, so that an older code is not taken for it. */
async function watchPage(url: string, email: string, signal: AbortSignal) {
  const target = url.replaceAll('{email}', encodeURIComponent(email))
  const before = await codesAt(target, signal)
  return async () => {
    for (const end = Date.now() + CODE_WAIT_MS; Date.now() < end; ) {
      const codes = await codesAt(target, signal)
      if (codes.length > before.length) return codes.at(-1)
      await sleep(POLL_MS, undefined, { signal })
    }
    return undefined
  }
}

/** All codes that the page shows: the `code` fields of JSON, else every number of four digits. */
async function codesAt(url: string, signal: AbortSignal): Promise<string[]> {
  const text = await fetch(url, { signal }).then(
    (answer) => answer.text(),
    () => '',
  )
  const fields = [...text.matchAll(/"code":\s*"(\d{4})"/g)].map(([, code = '']) => code)
  return fields.length > 0 || /^\s*[[{]/.test(text) ? fields : (text.match(CODE) ?? [])
}

/** The command finds the address in RAMP_SANDBOX_EMAIL, and prints the code. */
async function runCommand(
  command: string,
  email: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const env = { ...process.env, RAMP_SANDBOX_EMAIL: email }
  const options = { shell: true, env, signal, timeout: CODE_WAIT_MS }
  const child = spawn(command, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  // What a stopped command has started itself may hold its output open.
  child.once('error', () => child.stdout.destroy())
  const output = await textOf(child.stdout).catch(() => '')
  return output.match(CODE)?.at(-1)
}
