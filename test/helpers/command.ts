import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What `npm run build` made, as users get it. */
export const CLI = join(import.meta.dirname, '../../dist/cli.cjs')

const started = new Set<ChildProcess>()

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
  /** Runs it on a terminal so many characters wide, with the `script` of util-linux. */
  columns?: number
}

export interface Running {
  process: ChildProcess
  /** Resolves with what a pattern finds in the output, as soon as it is there. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Types on its terminal. */
  type(text: string): void
  /** Resolves when nothing holds its output any more, its descendants included. */
  ended: Promise<Ended>
}

/** Starts the command line as users have it. */
export const startCommand = (args: readonly string[], options?: CommandOptions): Running =>
  startProgram([process.execPath, CLI, ...args], options)

export const runCommand = (args: readonly string[], options?: CommandOptions): Promise<Ended> =>
  startCommand(args, options).ended

/** Starts a sandbox on a free port, and waits for its line of JSON. */
export async function startSandbox(args: readonly string[] = [], options?: CommandOptions) {
  return await untilReady(startCommand(['start', '--port', '0', '--json', ...args], options))
}

export async function untilReady(running: Running) {
  const [line] = await running.says(/^{.*}$/m)
  return { ...running, ready: JSON.parse(line) }
}

/** Starts a program without npm's environment, leading a group of its own. */
export function startProgram(command: string[], options: CommandOptions = {}): Running {
  if (!existsSync(CLI)) throw new Error(`${CLI} is missing: npm run build makes it.`)
  const { env, cwd, input, columns } = options
  const hasInput = input !== undefined || columns !== undefined
  const [file = '', ...rest] = columns === undefined ? command : onTerminal(command, columns)
  const child = spawn(file, rest, {
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started.add(child)
  if (columns === undefined) child.stdin?.end(input)
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
    type(text) {
      child.stdin?.write(text)
    },
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

function onTerminal(command: string[], columns: number): string[] {
  const line = command.map((word) => `'${word}'`).join(' ')
  return ['script', '-qefc', `stty cols ${columns}; exec ${line}`, '/dev/null']
}

/** Ends what a failed test left behind: each program leads a group of its own. */
export function endCommands(): void {
  for (const { pid } of started) {
    try {
      if (pid) process.kill(-pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
  started.clear()
}
