import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
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
  /** Asks the command to end. */
  signal?: AbortSignal | undefined
}

const IS_WINDOWS = process.platform === 'win32'
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const
/**
 * Signals that a terminal sends to everything in its foreground, so that passing them on would
 * double them.
 */
const SENT_BY_TERMINAL: readonly string[] = ['SIGINT', 'SIGQUIT']

/** Exit codes of shells for a missing command, and for one that cannot be run. */
const NOT_FOUND = 127
const NOT_RUNNABLE = 126
const BY_SIGNAL = 128

/** Signals that ask a command to end; it is killed if it does not. */
const ENDING: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
const IGNORED_MAX_MS = 2_500
/** How long to wait for the last output of a command that has ended. */
const WRITTEN_MAX_MS = 1_000

/**
 * Runs a command on this process's own input and output, passes signals on to it, and returns
 * its exit code. Its process group ends with it, and with this process, even if that is killed.
 */
export async function runChild(options: ChildOptions): Promise<number> {
  const { command, args, env, onOutput, signal } = options
  // `npm` is `npm.cmd` on Windows, which only cmd.exe runs.
  const { default: spawnAnywhere } = await import('cross-spawn')
  const hasTerminal = isatty(0)
  // A group of its own can be ended as a whole, but would lose the terminal.
  const leadsGroup = !hasTerminal && !IS_WINDOWS
  const mark = randomUUID()
  const watchdog = leadsGroup ? startWatchdog(mark) : undefined
  let target: number | undefined
  let killing: NodeJS.Timeout | undefined
  let unwatchParent: (() => void) | undefined
  let written: Promise<unknown> | undefined
  // Listening comes first: a signal must not end this process while the command is starting.
  for (const name of PASSED_ON) process.on(name, pass)
  try {
    const child = spawnAnywhere(command, args, {
      stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...env, [MARK]: mark },
      detached: leadsGroup,
    })
    target = leadsGroup && child.pid ? -child.pid : child.pid
    watchdog?.tell(target)
    unwatchParent = watchParent(end)
    signal?.addEventListener('abort', end)
    written = once(child, 'close').catch(() => undefined)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text))
    }
    return await exitOf(child, command)
  } finally {
    unwatchParent?.()
    signal?.removeEventListener('abort', end)
    clearTimeout(killing)
    await watchdog?.endGroup()
    // Background processes of the command may hold its output open.
    if (onOutput) await Promise.race([written, delay(WRITTEN_MAX_MS, undefined, { ref: false })])
    for (const name of PASSED_ON) process.off(name, pass)
  }

  function end() {
    askToEnd('SIGTERM')
  }

  function pass(name: NodeJS.Signals) {
    if (!hasTerminal || !SENT_BY_TERMINAL.includes(name)) askToEnd(name)
  }

  function askToEnd(name: NodeJS.Signals) {
    signalTo(target, name)
    if (ENDING.includes(name)) killing ??= setTimeout(signalTo, IGNORED_MAX_MS, target, 'SIGKILL')
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

function signalTo(target: number | undefined, name: NodeJS.Signals): void {
  if (target === undefined) return
  try {
    if (!IS_WINDOWS) process.kill(target, name)
    // Windows has neither groups nor signals, so this ends the whole tree of processes.
    else if (!SENT_BY_TERMINAL.includes(name))
      spawnSync('taskkill', ['/pid', `${target}`, '/t', '/f'])
  } catch {}
}

/** Marks the command in its environment, so that Linux finds it if this process died early. */
const MARK = 'RAMP_SANDBOX_EXEC'

/**
 * Script of the watchdog: reads the id of a process group, and ends that group once its input is
 * closed, because the command has ended or this process was killed. Processes that ignore SIGTERM
 * are killed a second later.
 */
const WATCH = `
  read -r group || group=$(grep -l "$1" /proc/[0-9]*/environ | sed 's/[^0-9]//g')
  read -r end
  kill -s TERM -- $group
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    kill -s 0 -- $group || exit
    sleep 0.1
  done
  kill -s KILL -- $group`

/** Starts the watchdog: a shell, because it is small, in a group that survives a kill of ours. */
function startWatchdog(mark: string) {
  const watchdog = spawn('/bin/sh', ['-c', WATCH, 'sh', `${MARK}=${mark}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell there is no watchdog, and the rest works as well.
  const ended = once(watchdog, 'exit').catch(() => undefined)
  watchdog.stdin.on('error', () => undefined)
  return {
    tell: (group: number | undefined) => void watchdog.stdin.write(`${group ?? ''}\n`),
    async endGroup() {
      watchdog.stdin.end()
      await ended
    },
  }
}
