import { readFileSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { damaged } from './damage.ts'

/** Holds a file for this process alone; answers what lets it go. */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const lock = `${path}.lock`
  for (const isLastTry of [false, true]) {
    try {
      const file = await open(lock, 'wx')
      await file.writeFile(String(process.pid))
      await file.close()
      return () => rm(lock, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = Number(await readFile(lock, 'utf8').catch(() => ''))
    if (isAlive(owner) || isLastTry) {
      throw damaged(
        `${path} is in use by process ${owner}; stop that one, or use another --data file.`,
      )
    }
    await rm(lock, { force: true })
  }
  throw damaged(`${path} cannot be locked.`)
}

/** A lock of our own pid was left by a process that had it before us, as in a restarted container. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Where nobody reaps the dead, as in a container without an init, a killed owner stays listed. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
  } catch {
    return false
  }
}
