import { randomUUID } from 'node:crypto'
import {
  constants,
  copyFile,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type DataFile, type OnRead, openDataFile, readDataFile } from './data-file.ts'
import type { Lock } from './lock.ts'
import { createReplay, type Saved } from './replay.ts'

/** Where a symbolic link leads, even to a file that is not there yet. */
export async function findRealPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const target = await readlink(path).catch(() => undefined)
    if (target === undefined) return join(await realpath(dirname(path)), basename(path))
    return findRealPath(resolve(dirname(path), target))
  }
}

const DRAFT = /^\.[0-9a-f-]{36}\.tmp$/

/** Of a name that no other process uses. */
export const draftOf = (path: string) => `${path}.${randomUUID()}.tmp`

export interface Opened {
  file: DataFile
  saved: Saved
  /** What it had when it was made or compacted last. */
  firstSize: number
  leftOutBytes: number
}

/** Opens the file, or makes it, and removes drafts that an owner before left. */
export async function openFile(path: string, lock: Lock, onRead?: OnRead): Promise<Opened> {
  const assertMayWrite = lock.assertHeld
  const [name, folder] = [basename(path), dirname(path)]
  const names = await readdir(folder)
  for (const each of names) {
    const isDraft = each.startsWith(name) && DRAFT.test(each.slice(name.length))
    if (isDraft) await rm(join(folder, each), { force: true })
  }
  const draft = draftOf(path)
  if (!names.includes(name)) {
    const file = await openDataFile(draft, { assertMayWrite })
    await file.append([])
    await putInPlace(draft, path)
    return { file, saved: createReplay().saved(), firstSize: 0, leftOutBytes: 0 }
  }
  if (lock.isTakenOver) {
    // Should the owner before wake up in the middle of a write, then it writes to the old file.
    await copyFile(path, draft, constants.COPYFILE_FICLONE)
    await syncFile(draft, 'r+')
    await putInPlace(draft, path)
  }
  const { end, ...read } = await readDataFile(path, onRead)
  return { file: await openDataFile(path, { assertMayWrite, end }), ...read }
}

async function putInPlace(draft: string, path: string) {
  await rename(draft, path)
  await syncFolderOf(path)
}

async function syncFile(path: string, flags: string) {
  await using opened = await open(path, flags)
  await opened.sync()
}

/** A new or renamed file survives a loss of power only once its folder is on disk too. */
export async function syncFolderOf(path: string): Promise<void> {
  try {
    await syncFile(dirname(path), 'r')
  } catch (error) {
    // Windows neither opens folders nor needs this.
    if (process.platform !== 'win32') throw error
  }
}
