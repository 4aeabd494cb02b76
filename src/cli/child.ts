import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { watchParent } from './ending.ts'

export interface ChildOptions {
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Receives the output of the command; by default it goes to the output of this process. */
  onOutput?: ((text: string) => void) | undefined
  /** Asks the command to end, and kills it if it does not. */
  signal?: AbortSignal | undefined
}

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const
/** Signals that a terminal sends to the command, too. */
const SENT_BY_TERMINAL: readonly string[] = ['SIGINT', 'SIGQUIT']

/** Exit codes of shells for a missing command, and for one that cannot be run. */
export const NOT_FOUND = 127
export const NOT_RUNNABLE = 126
const BY_SIGNAL = 128

const IGNORED_MAX_MS = 2_500
/** Time to wait for the last output of a command that has ended. */
const WRITTEN_MAX_MS = 1_000

/** Runs a command, passes signals on to it, and returns its exit code. */
export async function runChild(options: ChildOptions): Promise<number> {
  const { command, args, env, onOutput, signal } = options
  // `npm` is `npm.cmd` on Windows, which only cmd.exe runs.
  const { default: spawn } = await import('cross-spawn')
  const hasTerminal = [0, 1, 2].some((fd) => isatty(fd))
  // A run that a time limit may end takes along what it started.
  const leadsGroup = onOutput !== undefined && process.platform !== 'win32'
  // Before the command can say that it runs, because a signal may follow at once.
  for (const name of PASSED_ON) process.on(name, pass)
  const child = spawn(command, args, {
    stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env,
    detached: leadsGroup,
  })
  const written = once(child, 'close').catch(() => undefined)
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text))
  }
  const unwatchParent = watchParent(() => send('SIGTERM'))
  let killing: NodeJS.Timeout | undefined
  signal?.addEventListener('abort', end)
  try {
    return await exitOf(child, command)
  } finally {
    for (const name of PASSED_ON) process.off(name, pass)
    unwatchParent()
    clearTimeout(killing)
    signal?.removeEventListener('abort', end)
    if (leadsGroup) {
      send('SIGTERM')
      await Promise.race([written, delay(WRITTEN_MAX_MS, undefined, { ref: false })])
      send('SIGKILL')
      // A daemon may hold them, and this process would not end before it.
      child.stdout?.destroy()
      child.stderr?.destroy()
    }
  }

  function pass(name: NodeJS.Signals) {
    const isThereAlready = hasTerminal && !leadsGroup && SENT_BY_TERMINAL.includes(name)
    if (!isThereAlready) send(name)
  }

  function end() {
    send('SIGTERM')
    killing = setTimeout(send, IGNORED_MAX_MS, 'SIGKILL')
  }

  function send(name: NodeJS.Signals) {
    if (!leadsGroup) return child.kill(name)
    try {
      return child.pid !== undefined && process.kill(-child.pid, name)
    } catch {
      return false
    }
  }
}

function exitOf(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT'
      const why = isMissing ? 'there is no such command' : `it cannot be run (${error.message})`
      process.stderr.write(`ramp-sandbox exec: ${command}: ${why}\n`)
      resolve(isMissing ? NOT_FOUND : NOT_RUNNABLE)
    })
    child.once('exit', (code, signal) => {
      resolve(code ?? BY_SIGNAL + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}
