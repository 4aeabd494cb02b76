import fs from 'node:fs'
import { hostname } from 'node:os'
import { nanoid } from 'nanoid'
import { realTime } from '../real-time.ts'

export interface LockOptions {
  /** Where ids of processes mean the same. Default: here. */
  place?: string | undefined
  silentMs?: number | undefined
}

const TOUCH_MS = 1_000
/** How long the lock of a process that cannot be looked up counts after it was last touched. */
const SILENT_MS = 10_000

/** Keeps a folder to one process: a lock is linked into place, as a rename would let two have it. */
export async function lockFolder(folder: string, options: LockOptions = {}) {
  const { place = readPlace(), silentMs = SILENT_MS } = options
  const file = `${folder}/lock`
  const own = [nanoid(), process.pid, startOf(String(process.pid)), place].join('\n')
  if (!put(file, own)) {
    const found = read(file)
    const isFree = !(await isHeld(file, { found, place, silentMs })) && moveAside(file, found)
    if (!isFree || !put(file, own)) {
      const [, pid] = read(file).split('\n')
      throw new Error(`process ${pid} is using it; stop that one, or use another folder`)
    }
  }
  const touch = () => {
    if (read(file) === own) fs.utimes(file, 0, realTime.now() / 1_000, () => undefined)
  }
  const timer = realTime.setInterval(touch, TOUCH_MS).unref()
  return {
    /** Throws once another process has the lock; one that somebody deleted is put back. */
    assertHeld(): void {
      if (read(file) === own || put(file, own)) return
      throw new Error(`another process took ${folder} over; restart this one`)
    },
    release(): void {
      realTime.clearInterval(timer)
      if (read(file) === own) fs.rmSync(file)
    },
  }
}

/** Puts a whole lock in place; returns false if there is one. */
function put(file: string, text: string): boolean {
  const draft = `${file}.${nanoid()}`
  try {
    fs.writeFileSync(draft, text, { mode: 0o600 })
    fs.linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** Looks a process of this place up, and waits for any other to touch its lock. */
async function isHeld(file: string, looked: { found: string; place: string; silentMs: number }) {
  const { found, place, silentMs } = looked
  const [, pid = '', startedAt, where] = found.split('\n')
  if (where === place && startOf(pid) !== startedAt) return false
  if (where === place && startedAt !== '') return true
  const touchedAt = () => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const before = touchedAt()
  await realTime.pause(silentMs)
  return touchedAt() !== before
}

/** Moves away the lock that was found; one that another process has put there since goes back. */
function moveAside(file: string, found: string): boolean {
  const aside = `${file}.${nanoid()}`
  try {
    fs.renameSync(file, aside)
  } catch {
    return true // It has gone already.
  }
  const isSame = read(aside) === found
  if (!isSame) fs.linkSync(aside, file)
  fs.rmSync(aside)
  return isSame
}

/** The text of a lock; empty if there is none. */
function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Where a process id means the same process: a boot of a machine, and a namespace there. */
function readPlace(): string {
  if (process.platform !== 'linux') return `${process.platform} ${hostname()}`
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // A namespace may see the /proc of another, where its ids mean other processes.
    const isOurs = fs.readlinkSync('/proc/self') === String(process.pid)
    return `${boot} ${isOurs ? fs.readlinkSync('/proc/self/ns/pid') : nanoid()}`
  } catch {
    return nanoid()
  }
}

/** Tells a process from others that had its id; empty where the system does not say, undefined once it has ended. */
function startOf(pid: string): string | undefined {
  try {
    if (process.platform !== 'linux') return process.kill(Number(pid), 0) ? '' : undefined
    const fields = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? '' : undefined
  }
}
