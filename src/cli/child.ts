import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { watchParent } from './parent.ts'
import { toWindowsCommand } from './windows-command.ts'

export interface ChildOptions {
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
}

const IS_WINDOWS = process.platform === 'win32'
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const
/** What a terminal sends to everything in its foreground, so that passing it on would double it. */
const SENT_BY_TERMINAL: readonly string[] = ['SIGINT', 'SIGQUIT']

/** What shells answer for a command that is not there, and for one that cannot be run. */
const NOT_FOUND = 127
const NOT_RUNNABLE = 126
const BY_SIGNAL = 128

/** How long what a command leaves behind gets to end by itself. */
const LEFTOVER_MAX_MS = 1_000
const LOOK_EVERY_MS = 20

/**
 * Runs a command on this process's own input and output, passes signals on to it, and answers with
 * its exit code. Nothing that it started outlives it, nor this process, even if that is killed.
 */
export async function runChild({ command, args, env }: ChildOptions): Promise<number> {
  // Asking process.stdin would read from what is the command's to read.
  const hasTerminal = isatty(0)
  // A group of its own can be ended as a whole, but would lose the terminal.
  const leadsGroup = !hasTerminal && !IS_WINDOWS
  const watchdog = leadsGroup ? startWatchdog() : undefined
  let target: number | undefined
  // Listening comes first: a signal must not end this process while the command is starting.
  const stopPassing = passOn((name) => {
    if (!hasTerminal || !SENT_BY_TERMINAL.includes(name)) signalTo(target, name)
  })
  try {
    const {
      file,
      args: given,
      ...quoting
    } = IS_WINDOWS
      ? toWindowsCommand(command, args, { env, isFile: existsSync })
      : { file: command, args }
    const child = spawn(file, given, { stdio: 'inherit', env, detached: leadsGroup, ...quoting })
    target = leadsGroup && child.pid ? -child.pid : child.pid
    if (target !== undefined) watchdog?.stdin?.write(`${target}\n`)
    watchParent(() => signalTo(target, 'SIGTERM'))
    return await exitOf(child, command)
  } finally {
    if (leadsGroup) await endGroup(target)
    watchdog?.stdin?.end('done\n')
    stopPassing()
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

function passOn(pass: (name: NodeJS.Signals) => void): () => void {
  for (const name of PASSED_ON) process.on(name, pass)
  return () => {
    for (const name of PASSED_ON) process.off(name, pass)
  }
}

/** Whether there was anybody to signal. */
function signalTo(target: number | undefined, name: NodeJS.Signals | 0): boolean {
  try {
    if (target !== undefined && IS_WINDOWS) return endTree(target, name)
    return target !== undefined && process.kill(target, name)
  } catch {
    return false
  }
}

/** Windows has no groups and no signals: what a console does not send itself ends the whole tree. */
function endTree(target: number, name: NodeJS.Signals | 0): boolean {
  if (SENT_BY_TERMINAL.includes(String(name))) return true
  return spawnSync('taskkill', ['/pid', String(target), '/t', '/f']).status === 0
}

async function endGroup(target: number | undefined): Promise<void> {
  const until = performance.now() + LEFTOVER_MAX_MS
  let isThere = signalTo(target, 'SIGTERM')
  while (isThere && performance.now() < until) {
    await pause(LOOK_EVERY_MS)
    isThere = signalTo(target, 0)
  }
  if (isThere) signalTo(target, 'SIGKILL')
}

/**
 * Reads whom to end, then waits for the word that all is done. When this process dies without
 * saying so, its end of the pipe closes.
 */
const WATCH =
  'read -r target && { read -r word || { kill -s TERM -- "$target"; ' +
  'sleep 2; kill -s KILL -- "$target"; }; } 2>/dev/null'

/** A shell, because it is small; in a group of its own, so that it survives when ours is killed. */
function startWatchdog(): ChildProcess {
  const watchdog = spawn('/bin/sh', ['-c', WATCH], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell there is no watchdog, and the rest works as well.
  watchdog.on('error', () => undefined)
  watchdog.stdin.on('error', () => undefined)
  watchdog.unref()
  return watchdog
}
