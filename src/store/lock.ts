import { randomUUID } from 'node:crypto'
import {
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { realTime } from '../real-time.ts'
import { dataFileError, PRIVATE_MODE } from './data-file.ts'

const TOUCH_MS = 1_000
/** An owner that touches nothing for so long has ended, wherever it ran. */
const SILENT_MS = 10_000
const LOOK_EVERY_MS = 200

export type Lock = Awaited<ReturnType<typeof lockFile>>

export interface LockOptions {
  /** Scope in which process ids mean the same: a boot of a machine, and a namespace there. */
  place?: string
  silentMs?: number
  touchMs?: number
}

interface Owner {
  id: string
  pid: number
  /** Sets processes apart that get the same id, as in a restarted container. */
  startedAt: string | undefined
  place: string
  host: string
}

/** Keeps a data file to one process, also across containers and machines that share its folder. */
export async function lockFile(path: string, options: LockOptions = {}) {
  const { place = readPlace(), silentMs = SILENT_MS, touchMs = TOUCH_MS } = options
  const lock = `${path}.lock`
  const { pid } = process
  const startedAt = startOf(pid)
  const mine: Owner = { id: randomUUID(), pid, startedAt, place, host: hostname() }
  let error: Error | undefined
  let sayLost = (_error: Error) => {}
  /** Resolves soon after another process has the lock, also where nothing is written. */
  const lost = new Promise<Error>((resolve) => (sayLost = resolve))
  await take()
  const timer = realTime.setInterval(touch, touchMs).unref()
  return { assertHeld, lost, release }

  async function take() {
    try {
      writeFileSync(lock, JSON.stringify(mine), { flag: 'wx', mode: PRIVATE_MODE })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        // A full disk may have taken the name and no byte of it.
        if (readOwner(lock) === undefined) rmSync(lock, { force: true })
        throw error
      }
      const owner = readOwner(lock)
      const isRunning = owner?.place === place ? isAlive(owner) : undefined
      if (isRunning ?? (await isTouched())) throw inUse(readOwner(lock))
      if (readOwner(lock)?.id !== owner?.id) throw inUse(readOwner(lock))
      const draft = `${lock}.${mine.id}`
      writeFileSync(draft, JSON.stringify(mine), { mode: PRIVATE_MODE })
      renameSync(draft, lock)
    }
  }

  async function isTouched(): Promise<boolean> {
    const touchedAt = () => statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    const before = touchedAt()
    for (let waited = 0; waited < silentMs; waited += LOOK_EVERY_MS) {
      await realTime.pause(LOOK_EVERY_MS)
      if (touchedAt() !== before) return true
    }
    return false
  }

  function touch() {
    try {
      assertHeld()
      const now = realTime.now() / 1000
      utimesSync(lock, now, now)
    } catch {
      // Whatever else keeps the lock from being read may pass, such as too many open files.
    }
  }

  /** Makes a lock that somebody deleted; false where another process has made one. */
  function makeAgain(): boolean {
    try {
      writeFileSync(lock, JSON.stringify(mine), { flag: 'wx', mode: PRIVATE_MODE })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
    console.error(
      `ramp-sandbox: ${lock} was deleted by somebody and is there again; ${path} needs it.`,
    )
    return true
  }

  /** Throws once another process has the lock. To be asked before each write, and after it. */
  function assertHeld(): void {
    if (error) throw error
    const owner = readOwner(lock)
    if (owner?.id === mine.id) return
    if (owner === undefined && makeAgain()) return
    realTime.clearInterval(timer)
    const who = nameOf(owner)
    error = new Error(`${who} took ${path} over while this process did not run; restart this one`)
    sayLost(error)
    throw error
  }

  function release() {
    realTime.clearInterval(timer)
    if (readOwner(lock)?.id === mine.id) rmSync(lock, { force: true })
  }

  function inUse(owner: Owner | undefined) {
    const who = nameOf(owner)
    return dataFileError(`${path} is in use by ${who}; stop that one, or use another --data file.`)
  }
}

const nameOf = (owner: Owner | undefined) =>
  owner ? `process ${owner.pid} on ${owner.host}` : 'another process'

/** Undefined for a lock that is not there, not written yet or damaged. */
function readOwner(lock: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) ?? undefined
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
}

/** Processes in one place see each other; elsewhere an id means another process, or none. */
function readPlace(): string {
  if (process.platform !== 'linux') return `${process.platform} ${hostname()}`
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return randomUUID()
  }
}

/** Whether a process of this place runs; undefined where another may have its id by now. */
function isAlive({ pid, startedAt }: Owner): boolean | undefined {
  const started = startOf(pid)
  if (started !== undefined) return started === startedAt
  try {
    process.kill(pid, 0)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? undefined : false
  }
}

/** When a process started, where the system says so; empty for one that only waits to be reaped. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.replace(/^.*\) /s, '').split(' ')
    return fields[0] === 'Z' ? '' : fields[19]
  } catch {
    return undefined
  }
}
