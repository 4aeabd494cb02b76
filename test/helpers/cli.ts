import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What `npm run build` made, as users get it. */
export const CLI = join(import.meta.dirname, '../../dist/cli.cjs')

/** Compiled code from one start to the next, apart from the user's own. */
const CACHE = join(import.meta.dirname, '../../build/cache')

const started = new Set<ChildProcess>()

interface LaunchOptions {
  env?: Record<string, string> | undefined
  cwd?: string | undefined
  input?: 'pipe' | 'ignore'
}

export interface Program {
  process: ChildProcess
  /** The next line it prints; undefined after the last. */
  line(): Promise<string | undefined>
  /** Waits until nothing holds its output any more, its descendants included. */
  ended(): Promise<void>
}

/** Starts a program without npm's environment, leading a group of its own. */
export function launch(
  command: string,
  args: string[],
  { env = {}, cwd, input = 'ignore' }: LaunchOptions = {},
): ChildProcess {
  if (!existsSync(CLI)) throw new Error(`${CLI} is missing: npm run build makes it.`)
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), XDG_CACHE_HOME: CACHE, ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: [input, 'pipe', 'pipe'],
    detached: true,
  })
  started.add(child)
  return child
}

export function open(command: string, args: string[], env?: Record<string, string>): Program {
  const child = launch(command, args, { env })
  if (!child.stdout) throw new Error('It has no output.')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child.stdout, 'close')
  child.stderr?.resume()
  return {
    process: child,
    line: async () => (await lines.next()).value,
    async ended() {
      await ended
    },
  }
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
