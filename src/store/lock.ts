import { readFileSync } from 'node:fs'
import { constants, copyFile, link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { dataFileError } from './data-file-error.ts'
import { PRIVATE_MODE } from './durable-file.ts'

/** Files that this process holds, by path. */
const held = new Set<string>()

/** Locks a file for this process; returns what unlocks it. */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const lock = `${resolve(path)}.lock`
  if (held.has(lock)) throw inUse(path, String(process.pid))
  held.add(lock)
  try {
    await acquire(path, lock)
  } catch (error) {
    held.delete(lock)
    throw error
  }
  return async () => {
    await rm(lock, { force: true })
    held.delete(lock)
  }
}

/** The owner is written before the lock is there, so that nobody can find it without one. */
async function acquire(path: string, lock: string) {
  const draft = `${lock}.${process.pid}`
  await writeFile(draft, describeOwner(process.pid), { mode: PRIVATE_MODE })
  try {
    if (await linkIfFree(draft, lock)) return
    const owner = await readOwner(lock)
    if (isAlive(owner)) throw inUse(path, owner)
    await takeAway(path, { lock, owner })
    if (!(await linkIfFree(draft, lock))) throw inUse(path, await readOwner(lock))
  } finally {
    await rm(draft, { force: true })
  }
}

/** Moves away the lock of a dead owner; puts it back if another process has come first. */
async function takeAway(path: string, { lock, owner }: { lock: string; owner: string }) {
  const stale = `${lock}.${process.pid}.stale`
  await rename(lock, stale).catch(ignoreMissing)
  const found = await readOwner(stale)
  if (found !== owner && isAlive(found)) {
    await linkIfFree(stale, lock)
    await rm(stale, { force: true })
    throw inUse(path, found)
  }
  await rm(stale, { force: true })
}

/** Not every file system has links; a copy leaves a moment in which the lock is still empty. */
async function linkIfFree(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_EXCL))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}

const readOwner = (lock: string) => readFile(lock, 'utf8').catch(() => '')

function inUse(path: string, owner: string) {
  const [pid] = owner.split(' ')
  return dataFileError(
    `${path} is in use by process ${pid}; stop that one, or use another --data file. ` +
      `If that is no sandbox, remove ${path}.lock.`,
  )
}

/** Pids are reused, in a restarted container at once, so the start of the process is added. */
function describeOwner(pid: number): string {
  return `${pid} ${readStat(pid)?.startedAt ?? ''}`.trim()
}

function isAlive(owner: string): boolean {
  const pid = Number(owner.split(' ')[0])
  if (!Number.isInteger(pid) || pid <= 0) return false
  const stat = readStat(pid)
  if (stat) return stat.state !== 'Z' && owner === describeOwner(pid)
  // Where the start of a process is unknown, a lock with our own pid is from an earlier process.
  return pid !== process.pid && isListed(pid)
}

function isListed(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In a container without an init, a killed owner stays listed as a zombie (Z). */
function readStat(pid: number): { state: string; startedAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', startedAt: fields[19] ?? '' }
  } catch {
    return undefined
  }
}
