import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What `npm run build` made, as users get it. */
export const CLI = join(import.meta.dirname, '../../dist/cli.js')

/** Compiled code from one start to the next, apart from the user's own. */
export const CACHE = join(import.meta.dirname, '../../build/cache')

const started = new Set<ChildProcess>()

export interface Program {
  process: ChildProcess
  /** The next line it prints; undefined after the last. */
  line(): Promise<string | undefined>
  /** Waits until nothing holds its output any more, its descendants included. */
  ended(): Promise<void>
}

/** Starts a program without npm's environment, unless it is given. */
export function open(command: string, args: string[], env: Record<string, string> = {}): Program {
  if (!existsSync(CLI)) throw new Error(`${CLI} is missing: npm run build makes it.`)
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), XDG_CACHE_HOME: CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started.add(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child.stdout, 'close')
  child.stderr.resume()
  return {
    process: child,
    line: async () => (await lines.next()).value,
    async ended() {
      await ended
    },
  }
}

export interface Outcome {
  code: number | null
  out: string
  err: string
}

/** Runs the command line to its end. */
export async function run(...args: string[]): Promise<Outcome> {
  const { process: child } = open(process.execPath, [CLI, ...args])
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  return { code, out, err }
}

/** Ends what a failed test left behind: each program leads a group of its own. */
export function endAll(): void {
  for (const { pid } of started) {
    try {
      if (pid) process.kill(-pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
  started.clear()
}
