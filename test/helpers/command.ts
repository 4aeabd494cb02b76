import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { CLI } from './cli.ts'

const alive = new Set<ChildProcess>()

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

export interface CommandOptions {
  env?: Record<string, string>
  cwd?: string
  /** What it reads from its input. */
  input?: string
}

export interface Running {
  process: ChildProcess
  /** Resolves with what a pattern finds in the output, as soon as it is there. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves when nothing holds its output any more, its descendants included. */
  ended: Promise<Ended>
}

/** Starts the command line as users have it, without npm's environment, leading a group. */
export function startCommand(args: readonly string[], options: CommandOptions = {}): Running {
  const { env = {}, cwd, input } = options
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  alive.add(child)
  child.stdin?.end(input)
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, out, err }))
  return {
    process: child,
    ended,
    says(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(out)
          if (found === null) return
          child.stdout?.off('data', look)
          resolve(found)
        }
        child.stdout?.on('data', look)
        void ended.then(() => reject(new Error(`It ended without ${pattern}: ${out}${err}`)))
        look()
      })
    },
  }
}

export const runCommand = (args: readonly string[], options?: CommandOptions): Promise<Ended> =>
  startCommand(args, options).ended

/** Ends what a failed test left behind. */
export function endCommands(): void {
  for (const { pid } of alive) {
    try {
      if (pid) process.kill(-pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
  alive.clear()
}
