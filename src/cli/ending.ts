import { spawnSync } from 'node:child_process'
import { isStartedByNpm } from './command.ts'

const LOOK_EVERY_MS = 500
const SHELLS = /^\s*(\d+) \S*\b(sh|ash|dash|bash|zsh|ksh|fish|busybox)$/m

/** Calls `end` for each signal that asks this process to end, and when its npx is gone. */
export function whenAskedToEnd(end: () => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, end)
  watchParent(end)
}

/**
 * Calls back once when the npx or npm that started this process is gone. A signal sent to npx does
 * not reach this process: SIGTERM ends the shell between them, SIGKILL leaves the shell behind.
 * Other starts are not watched. Returns a function that stops watching.
 */
export function watchParent(onGone: () => void): () => void {
  if (!isStartedByNpm()) return () => undefined
  const parent = process.ppid
  // Looks no further than a shell, because the parent of npm may end before npm; and at once, because
  // a shell whose npm has gone has another parent.
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(parent)])
  const npm = Number(SHELLS.exec(String(stdout))?.[1] ?? parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return
    clearInterval(timer)
    onGone()
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
