import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { realTime } from '../real-time.ts'
import { dataFileError } from './files.ts'

/** Time between two signs of life of an owner. */
export const TOUCH_MS = 1_000
/** Silence after which an owner counts as ended, wherever it ran. */
const SILENT_MS = 10_000
const LOOK_EVERY_MS = 200

/** A process that owns a data file. */
export interface Owner {
  id: string
  pid: number
  /** Sets processes apart that get the same id, as in a restarted container. */
  startedAt: string | undefined
  place: string
  host: string
}

export interface OwnerOptions {
  /** Scope in which process ids mean the same: a boot of a machine, and a namespace there. */
  place?: string
  silentMs?: number
}

/** This process, under a new id. */
export function createOwner(place = readPlace()): Owner {
  const { pid } = process
  return { id: randomUUID(), pid, startedAt: startOf(pid), place, host: hostname() }
}

export function inUse(path: string, owner: Owner | null | undefined): Error {
  const who = nameOf(owner)
  return dataFileError(`${path} is in use by ${who}; stop that one, or use another --data file.`)
}

export function takenOver(path: string, owner: Owner | null | undefined): Error {
  const who = nameOf(owner)
  return new Error(`${who} took ${path} over while this process did not run; restart this one`)
}

const nameOf = (owner: Owner | null | undefined) =>
  owner ? `process ${owner.pid} on ${owner.host}` : 'another process'

/** Looks up a process of this place, and watches for a sign of life of any other. */
export async function isRunning(
  owner: Owner | undefined,
  readSign: () => unknown,
  { place = readPlace(), silentMs = SILENT_MS }: OwnerOptions,
): Promise<boolean> {
  const isSeen = owner?.place === place ? isAlive(owner) : undefined
  return isSeen ?? (await isChanging(readSign, silentMs))
}

async function isChanging(readSign: () => unknown, silentMs: number): Promise<boolean> {
  const before = readSign()
  for (let waited = 0; waited < silentMs; waited += LOOK_EVERY_MS) {
    await realTime.pause(LOOK_EVERY_MS)
    if (readSign() !== before) return true
  }
  return false
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

/** Returns true if a process of this place runs; undefined if another may have its id by now. */
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

/** Start time of a process, if the system knows it; empty for a zombie. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.replace(/^.*\) /s, '').split(' ')
    return fields[0] === 'Z' ? '' : fields[19]
  } catch {
    return undefined
  }
}
