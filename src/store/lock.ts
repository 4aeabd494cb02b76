import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { realTime } from '../real-time.ts'
import { dataFileError, PRIVATE_MODE } from './data-file.ts'

const BEAT_MS = 1_000
/** An owner that is not seen to write for so long has ended, wherever it ran. */
const SILENT_MS = 10_000
const LOOK_EVERY_MS = 200
/** Much longer than from reading a lock to replacing it. */
const SETTLE_MS = 50

export type Lock = Awaited<ReturnType<typeof lockFile>>

export interface LockOptions {
  /** Where process ids mean the same: a boot of a machine, and a namespace there. */
  place?: string
  silentMs?: number
  /** How often it says that it lives, and looks whether it still has the lock. */
  beatMs?: number
}

interface Owner {
  id: string
  pid: number
  startedAt: string
  place: string
  host: string
  /** Counts up as long as the owner lives. */
  beat: string
}

/** Keeps a data file to one process, also across containers and machines that share its folder. */
export async function lockFile(path: string, options: LockOptions = {}) {
  const { place = readPlace(), silentMs = SILENT_MS, beatMs = BEAT_MS } = options
  const lock = `${path}.lock`
  const startedAt = readStat(process.pid)[19] ?? ''
  const mine = { id: randomUUID(), pid: process.pid, startedAt, place, host: hostname() }
  let beats = 0
  /** From an owner that fell silent, and might wake up again. */
  let isTakenOver = false
  let error: Error | undefined
  let sayLost = (_error: Error) => {}
  /** Resolves soon after another process has the lock, also where nothing is written. */
  const lost = new Promise<Error>((resolve) => (sayLost = resolve))
  while (!(await writeIfFree()) && !(await takeFromEnded()));
  // Synchronous, as another machine sees only what has left the cache of this one.
  const file = await open(lock, 'rs+')
  const timer = realTime.setInterval(beat, beatMs).unref()
  return { isTakenOver, assertHeld, lost, release }

  /** Always of one length, as it is written over the one before. */
  function describe() {
    return JSON.stringify({ ...mine, beat: String(beats++).padStart(12, '0') })
  }

  function beat() {
    try {
      assertHeld()
      file.write(describe(), 0).catch(() => undefined)
    } catch {
      // Whatever else keeps the lock from being read may pass, such as too many open files.
    }
  }

  /** Throws once another process has the lock. To be asked before each write, and after it. */
  function assertHeld(): void {
    if (error) throw error
    const owner = toOwner(read(lock))
    if (owner?.id === mine.id) return
    realTime.clearInterval(timer)
    error = new Error(
      `${nameOf(owner)} took ${path} over while this process did not run; restart this one`,
    )
    sayLost(error)
    throw error
  }

  async function release() {
    realTime.clearInterval(timer)
    await file.close()
    try {
      assertHeld()
      rmSync(lock, { force: true })
    } catch {
      // It is another's by now.
    }
  }

  /** Says whether it did. Others who see the lock while it is empty wait for what follows. */
  async function writeIfFree(): Promise<boolean> {
    try {
      await writeFile(lock, describe(), { flag: 'wx', mode: PRIVATE_MODE })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  }

  /**
   * Puts our lock in the place of one whose owner has ended; false if it is another's by now. There
   * is no moment without a lock, or its owner would believe that it lost it.
   */
  async function takeFromEnded(): Promise<boolean> {
    const text = read(lock)
    if (text === undefined) return false
    const owner = toOwner(text)
    const life = owner?.place === place && place !== '' ? lifeOf(owner) : 'unknown'
    const hasEnded = life === 'unknown' ? await isSilent(text) : life === 'ended'
    if (!hasEnded) throw inUse(toOwner(read(lock)))
    if (read(lock) !== text) return false
    const draft = `${lock}.${mine.id}`
    writeFileSync(draft, describe(), { mode: PRIVATE_MODE })
    renameSync(draft, lock)
    // Another process may have read the old lock just before: of two, the later one keeps the file.
    await realTime.pause(SETTLE_MS)
    const settled = toOwner(read(lock))
    if (settled?.id !== mine.id) throw inUse(settled)
    isTakenOver = life === 'unknown'
    return true
  }

  async function isSilent(before: string): Promise<boolean> {
    for (let waited = 0; waited < silentMs; waited += LOOK_EVERY_MS) {
      await realTime.pause(LOOK_EVERY_MS)
      const text = read(lock)
      if (text !== before) return text === undefined
    }
    return true
  }

  function inUse(owner: Owner | undefined) {
    const who = nameOf(owner)
    return dataFileError(`${path} is in use by ${who}; stop that one, or use another --data file.`)
  }
}

const nameOf = (owner: Owner | undefined) =>
  owner ? `process ${owner.pid} on ${owner.host}` : 'another process'

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Undefined for a lock that is not written yet, or damaged. */
const toOwner = (text = '') =>
  readOr<Owner | undefined>(undefined, () => JSON.parse(text) ?? undefined)

/** Processes in one place see each other; elsewhere a process id means another process, or none. */
function readPlace(): string {
  if (process.platform !== 'linux') return `${process.platform} ${hostname()}`
  return readOr('', () => {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  })
}

/** A pid is given out again, in a restarted container at once; the start of its process sets it apart. */
function lifeOf({ pid, startedAt }: Owner): 'running' | 'ended' | 'unknown' {
  const { 0: state, 19: started } = readStat(pid)
  // Where nobody reaps the dead, as in a container without an init, a killed owner stays as Z.
  if (state) return state !== 'Z' && started === startedAt ? 'running' : 'ended'
  try {
    process.kill(pid, 0)
    return 'unknown'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'unknown' : 'ended'
  }
}

/** What the system says of a process from its state on, if it has such a file. */
const readStat = (pid: number): string[] =>
  readOr([], () =>
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' '),
  )

function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}
