import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { readText } from '../client/read-text.ts'
import { realTime } from '../real-time.ts'
import type { ReadCode } from '../variations/side.ts'

/** The longest wait for an inbox to show a code, or for a command to print one. */
const CODE_WAIT_MS = 60_000
const POLL_MS = 500
/** The longest wait for output after a command has exited. */
const OUTPUT_WAIT_MS = 1_000
const PAGE_MAX_MS = 5_000
const CODE = /(?<!\d)\d{4}(?!\d)/g
/** Excludes digits that are part of a date or an id. */
const CODE_IN_TEXT = /(?<![\w:-])\d{4}(?![\w:-])/g

/** Source of a login code: a person types it, a page shows it, or a command prints it. */
export function createCodeSource(from: string, email: string): ReadCode {
  if (from === 'stdin') {
    return async (send) => {
      await send()
      return await askPerson(email)
    }
  }
  if (/^https?:\/\//.test(from)) {
    const url = from.replaceAll('{email}', encodeURIComponent(email))
    return async (send) => {
      const before = await codesAt(url)
      await send()
      return await waitForNew(url, before)
    }
  }
  return async (send) => {
    await send()
    return await runCommand(from, email)
  }
}

async function askPerson(email: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const asked = lines.question(`The login code that ${email} received: `)
    return (await Promise.race([asked, ended])).match(CODE)?.at(-1)
  } finally {
    lines.close()
  }
}

/** Waits for a code that occurs more often than before, in any order of the page. */
async function waitForNew(url: string, before: readonly string[]): Promise<string | undefined> {
  const end = realTime.elapsed() + CODE_WAIT_MS
  for (;;) {
    const rest = [...before]
    const added = (await codesAt(url)).find((code) => {
      const at = rest.indexOf(code)
      if (at !== -1) rest.splice(at, 1)
      return at === -1
    })
    if (added !== undefined || realTime.elapsed() >= end) return added
    await realTime.pause(POLL_MS)
  }
}

/** Codes that a page shows: `code` fields of JSON, else numbers of four digits. */
async function codesAt(url: string): Promise<string[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PAGE_MAX_MS) })
  const text = await readText(response)
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
  const fields = [...text.matchAll(/"code":\s*"(\d{4})"/g)].map(([, code = '']) => code)
  return fields.length > 0 ? fields : (text.match(CODE_IN_TEXT) ?? [])
}

/** The command finds the address in RAMP_SANDBOX_EMAIL, and prints the code. */
async function runCommand(command: string, email: string): Promise<string | undefined> {
  const env = { ...process.env, RAMP_SANDBOX_EMAIL: email }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(command, { shell: true, env, timeout: CODE_WAIT_MS, stdio: [...stdio] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const closed = once(child, 'close').catch(() => undefined)
  await once(child, 'exit')
  // The rest of the output may come after the exit; child processes of a stopped command may hold it open.
  await Promise.race([closed, realTime.pause(OUTPUT_WAIT_MS, undefined, { ref: false })])
  child.stdout.destroy()
  const code = output.match(CODE)?.at(-1)
  if (code === undefined && child.exitCode) {
    throw new Error(`--code-from \`${command}\` exited with ${child.exitCode}`)
  }
  return code
}
