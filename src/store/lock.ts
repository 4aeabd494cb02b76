import fs from 'node:fs'
import { nanoid } from 'nanoid'
import { realTime } from '../real-time.ts'

export interface LockOptions {
  /** Place where process ids mean the same. Default: here. */
  place?: string | undefined
  /** Time for which a lock of another place counts after it was last touched. */
  silentMs?: number | undefined
}

/** Keeps a folder to one process. A lock is linked into place: a rename would let two have it. */
export async function lockFolder(folder: string, options: LockOptions = {}) {
  const { place = readPlace(), silentMs = 10_000 } = options
  const file = `${folder}/lock`
  const own = [nanoid(), process.pid, startOf(process.pid), place].join('\n')
  /** Puts one where there is none, also where somebody deleted it. */
  const isHeld = () => read(file) === own || put(file, own)
  if (!isHeld()) {
    const found = read(file)
    const [, pid, startedAt, where] = found.split('\n')
    const isStale = where === place ? startOf(pid) !== startedAt : await isUntouched(file, silentMs)
    if (isStale) moveAside(file, found)
    if (!isHeld()) {
      throw new Error(`process ${pid} is using it; stop it, or use another folder`)
    }
  }
  const touch = () => read(file) === own && fs.utimes(file, 0, realTime.now() / 1e3, () => {})
  const timer = realTime.setInterval(touch, 1_000).unref()
  return {
    /** Throws once another process has taken the folder over. */
    assertHeld(): void {
      if (isHeld()) return
      throw new Error(`another process has taken over ${folder}; restart this one`)
    },
    release(): void {
      realTime.clearInterval(timer)
      if (read(file) === own) fs.rmSync(file)
    },
  }
}

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

async function isUntouched(file: string, silentMs: number): Promise<boolean> {
  const touchedAt = () => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const before = touchedAt()
  await realTime.pause(silentMs)
  return touchedAt() === before
}

/** Moves a stale lock away; one that another process has put there since goes back. */
function moveAside(file: string, stale: string): void {
  const aside = `${file}.${nanoid()}`
  try {
    fs.renameSync(file, aside)
  } catch {
    return // Another process moved it.
  }
  const moved = read(aside)
  fs.rmSync(aside)
  if (moved !== stale) put(file, moved)
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A boot of a machine, and a namespace of ids there; nowhere else where the system does not say. */
function readPlace(): string {
  const boot = read('/proc/sys/kernel/random/boot_id').trim()
  // A namespace may see the /proc of another, where its ids mean other processes.
  const isKnown = boot !== '' && fs.readlinkSync('/proc/self') === String(process.pid)
  return isKnown ? `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}` : nanoid()
}

/** Tells a process from others that had its id; undefined once it has ended. */
function startOf(pid: number | string | undefined): string | undefined {
  const [status, ...fields] = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return status === 'Z' ? undefined : fields[18]
}
