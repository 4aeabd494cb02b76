import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const LOOK_EVERY_MS = 500
const PS_TIMEOUT_MS = 2_000
const SHELLS = /^-?(sh|ash|dash|bash|zsh|ksh|fish|busybox)$/

/**
 * Calls back once when the npx or npm that started this process is gone. A signal sent to npx does not
 * reach what it started: on SIGTERM it ends the shell between them, so this process gets another
 * parent; on SIGKILL the shell stays and gets another parent itself. Does nothing for other starts.
 */
export function watchParent(onGone: () => void): void {
  if (!isStartedByNpm()) return
  const parent = process.ppid
  const hasLostShell = watchShell(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent) && !hasLostShell()) return
    clearInterval(timer)
    onGone()
  }, LOOK_EVERY_MS)
  timer.unref()
}

function isStartedByNpm(): boolean {
  const { npm_execpath, npm_lifecycle_event, npm_config_user_agent } = process.env
  return Boolean(npm_execpath || npm_lifecycle_event || npm_config_user_agent)
}

/** Only a shell is looked behind: the parent of npm itself may end while npm goes on. */
function watchShell(pid: number): () => boolean {
  const shell = readProcess(pid) ?? askPs(pid)
  if (shell === undefined || !SHELLS.test(shell.name)) return () => false
  const { parent } = shell
  return () => (readProcess(pid)?.parent ?? parent) !== parent || !isAlive(parent)
}

interface ProcessEntry {
  name: string
  parent: number
}

/** From Linux's process table: `pid (name) state parent …`, where the name may hold anything. */
function readProcess(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    const parent = Number(stat.slice(end + 2).split(' ')[1])
    return { name: stat.slice(stat.indexOf('(') + 1, end), parent }
  } catch {
    return undefined
  }
}

/** Once and only elsewhere, because starting a program takes a while. */
function askPs(pid: number): ProcessEntry | undefined {
  if (process.platform === 'win32') return undefined
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: PS_TIMEOUT_MS,
  })
  const [, parent, name] = /^\s*(\d+)\s+(.+?)\s*$/.exec(stdout ?? '') ?? []
  return parent && name ? { name: basename(name), parent: Number(parent) } : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
