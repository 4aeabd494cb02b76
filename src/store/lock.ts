import fs from 'node:fs'
import { nanoid } from 'nanoid'
import { realTime } from '../real-time.ts'
import { readPlace, readText, startOf } from './process-identity.ts'

/** Keeps a folder to one process. A lock of another place is stale once it was not touched for `silentMs`. */
export async function lockFolder(folder: string, { place = readPlace(), silentMs = 10_000 } = {}) {
  const file = `${folder}/lock`
  const own = [nanoid(), process.pid, startOf(process.pid), place].join('\n')
  const isHeld = () => readText(file) === own
  /** Puts one where there is none, also where somebody deleted it. */
  const hold = () => isHeld() || put(file, own)
  if (!hold()) {
    const found = readText(file)
    const [, pid, startedAt, where] = found.split('\n')
    const isStale = where === place ? startOf(pid) !== startedAt : await isUntouched(file, silentMs)
    if (isStale) moveAside(file, found)
    if (!hold())
      throw new Error(`${describeHolder(pid, where === place)}; stop it, or use another folder`)
  }
  const touch = () => isHeld() && fs.utimes(file, 0, realTime.now() / 1e3, () => {})
  const timer = realTime.setInterval(touch, 1_000).unref()
  return {
    /** Throws once another process has taken the folder over. */
    assertHeld(): void {
      if (!hold()) throw new Error(`another process has taken over ${folder}; restart this one`)
    },
    release(): void {
      realTime.clearInterval(timer)
      if (isHeld()) fs.rmSync(file)
    },
  }
}

const describeHolder = (pid: string | undefined, isHere: boolean) => {
  const where = isHere ? '' : ', in another container or on another machine'
  return `${pid ? `process ${pid}` : 'another process'} is using it${where}`
}

/** Links a text into place unless there is one: a rename would let two processes have it. */
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
    if (readText(aside) !== stale) fs.linkSync(aside, file)
  } catch {
    // Another process moved it, or has put its own there.
  }
  fs.rmSync(aside, { force: true })
}
