import { readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 500
const SHELLS = /^-?(sh|ash|dash|bash|zsh|ksh|fish|busybox)$/

/** Calls `end` for each signal that asks this process to end, and when its npx is gone. */
export function whenAskedToEnd(end: () => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, end)
  watchParent(end)
}

/**
 * Calls back once when the npx or npm that started this process is gone. A signal sent to npx does not
 * reach what it started: on SIGTERM it ends the shell between them, so this process gets another
 * parent; on SIGKILL the shell stays, which only Linux lets us see. Other starts are not watched.
 * Returns a function that stops watching.
 */
export function watchParent(onGone: () => void): () => void {
  const { npm_execpath, npm_lifecycle_event, npm_config_user_agent } = process.env
  if (!npm_execpath && !npm_lifecycle_event && !npm_config_user_agent) return () => undefined
  const parent = process.ppid
  // Looks no further than a shell, because the parent of npm may end before npm.
  const { name = '', parent: behind = parent } = readStat(parent) ?? {}
  const watched = SHELLS.test(name) ? [parent, behind] : [parent]
  const timer = setInterval(() => {
    if (process.ppid === parent && watched.every(isAlive)) return
    clearInterval(timer)
    onGone()
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function readStat(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, name = '', state, parent] = /\((.*)\) (\w) (\d+)/s.exec(stat) ?? []
    return { name, state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  // A process that has ended stays a zombie until its parent collects it.
  return readStat(pid)?.state !== 'Z'
}
