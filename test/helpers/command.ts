import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { CLI, launch } from './cli.ts'

export { endAll as endCommands } from './cli.ts'

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

/** Starts the command line as users have it, without npm's environment, leading a group. */
export function startCommand(args: readonly string[], options: CommandOptions = {}): Running {
  const { env, cwd, input, columns } = options
  const hasInput = input !== undefined || columns !== undefined
  const [file, ...rest] = toProgram([process.execPath, CLI, ...args], columns)
  const child = launch(file ?? '', rest, { env, cwd, input: hasInput ? 'pipe' : 'ignore' })
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

function toProgram(command: string[], columns: number | undefined): string[] {
  if (columns === undefined) return command
  const line = command.map((word) => `'${word}'`).join(' ')
  return ['script', '-qefc', `stty cols ${columns}; exec ${line}`, '/dev/null']
}

export const runCommand = (args: readonly string[], options?: CommandOptions): Promise<Ended> =>
  startCommand(args, options).ended
