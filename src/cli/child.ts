import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { watchParent } from './parent.ts'

export interface ChildOptions {
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
}

const IS_WINDOWS = process.platform === 'win32'
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const
/**
 * Signals that a terminal sends to everything in its foreground, so that passing them on would
 * double them.
 */
const SENT_BY_TERMINAL: readonly string[] = ['SIGINT', 'SIGQUIT']

/** Exit codes of shells for a command that is not there, and for one that cannot be run. */
const NOT_FOUND = 127
const NOT_RUNNABLE = 126
const BY_SIGNAL = 128

/** Asks a command to end, and means it: one that goes on regardless is killed. */
const ENDING: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
const IGNORED_MAX_MS = 2_500
/** How long what a command leaves behind gets to end by itself. */
const LEFTOVER_MAX_MS = 1_000
const LOOK_EVERY_MS = 20

/**
 * Runs a command on this process's own input and output, passes signals on to it, and returns
 * its exit code. Its process group ends with it, and with this process, even if that is killed.
 */
export async function runChild({ command, args, env }: ChildOptions): Promise<number> {
  // `npm` is `npm.cmd` on Windows, which only cmd.exe runs.
  const { default: spawnAnywhere } = await import('cross-spawn')
  // Asking process.stdin would read from what is the command's to read.
  const hasTerminal = isatty(0)
  // A group of its own can be ended as a whole, but would lose the terminal.
  const leadsGroup = !hasTerminal && !IS_WINDOWS
  const mark = randomUUID()
  const watchdog = leadsGroup ? startWatchdog(mark) : undefined
  let target: number | undefined
  let killing: NodeJS.Timeout | undefined
  // Listening comes first: a signal must not end this process while the command is starting.
  for (const name of PASSED_ON) process.on(name, pass)
  try {
    const child = spawnAnywhere(command, args, {
      stdio: 'inherit',
      env: { ...env, [MARK]: mark },
      detached: leadsGroup,
    })
    target = leadsGroup && child.pid ? -child.pid : child.pid
    watchdog?.stdin?.write(`${target ?? ''}\n`)
    watchParent(() => askToEnd('SIGTERM'))
    return await exitOf(child, command)
  } finally {
    clearTimeout(killing)
    if (leadsGroup) await endLeftover(target)
    watchdog?.stdin?.end('done\n')
    for (const name of PASSED_ON) process.off(name, pass)
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

/** Whether there was anybody to signal. */
function signalTo(target: number | undefined, name: NodeJS.Signals | 0): boolean {
  try {
    if (target === undefined) return false
    if (!IS_WINDOWS) return process.kill(target, name)
    // Windows has no groups and no signals: what a console does not send itself ends the whole tree.
    if (SENT_BY_TERMINAL.includes(String(name))) return true
    return spawnSync('taskkill', ['/pid', String(target), '/t', '/f']).status === 0
  } catch {
    return false
  }
}

/** Ends what is left of a group. */
async function endLeftover(group: number | undefined): Promise<void> {
  const until = performance.now() + LEFTOVER_MAX_MS
  let isThere = signalTo(group, 'SIGTERM')
  while (isThere && performance.now() < until) {
    await pause(LOOK_EVERY_MS)
    isThere = signalTo(group, 0)
  }
  if (isThere) signalTo(group, 'SIGKILL')
}

/** In the environment of the command, by which Linux finds it when this process died as it started. */
const MARK = 'RAMP_SANDBOX_EXEC'

/**
 * Reads whom to end, then waits for the word that all is done. When this process dies without
 * saying so, its end of the pipe closes.
 */
const WATCH = `
  { read -r target || target=$(grep -l "$1" /proc/[0-9]*/environ | sed 's/[^0-9]//g')
  read -r word || {
    kill -s TERM -- $target
    sleep 2
    kill -s KILL -- $target
  }; } 2>/dev/null`

/** A shell, because it is small; in a group of its own, so that it survives when ours is killed. */
function startWatchdog(mark: string): ChildProcess {
  const watchdog = spawn('/bin/sh', ['-c', WATCH, 'sh', `${MARK}=${mark}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell there is no watchdog, and the rest works as well.
  watchdog.on('error', () => undefined)
  watchdog.stdin.on('error', () => undefined)
  watchdog.unref()
  return watchdog
}
