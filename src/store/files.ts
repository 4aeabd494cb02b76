import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
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
import {
  createDataFile,
  type DataFile,
  earlierFormat,
  openDataFile,
  syncFolderOf,
} from './data-file.ts'
import type { Lock } from './lock.ts'
import { replayFile, type SavedWorld } from './replay.ts'

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

export interface Opened {
  file: DataFile
  /** What it had when it was made or compacted last. */
  firstSize: number
  kept: Map<string, SavedWorld>
}

export async function openFile(path: string, lock: Lock): Promise<Opened> {
  const names = await readdir(dirname(path))
  const isDraft = (name: string) =>
    name.startsWith(basename(path)) && DRAFT.test(name.slice(basename(path).length))
  for (const name of names.filter(isDraft)) await rm(join(dirname(path), name), { force: true })
  if (!names.includes(basename(path))) {
    if (await isEarlierLog(`${path}.log`)) throw earlierFormat(path)
    return { file: await makeFile(path), firstSize: 0, kept: new Map() }
  }
  if (lock.isTakenOver) await copyInPlace(path)
  const { saved, read } = await replayFile(path)
  const { end, firstSize } = read
  return { file: await openDataFile(path, end), firstSize, kept: saved }
}

async function makeFile(path: string): Promise<DataFile> {
  const draft = draftOf(path)
  const file = await createDataFile(draft)
  await file.commit()
  await rename(draft, path)
  await syncFolderOf(path)
  return file
}

/** Should the owner before wake up in the middle of a write, then it writes to the old copy. */
async function copyInPlace(path: string) {
  const draft = draftOf(path)
  await copyFile(path, draft, constants.COPYFILE_FICLONE)
  {
    await using copy = await open(draft, 'r+')
    await copy.sync()
  }
  await rename(draft, path)
  await syncFolderOf(path)
}

/** Format 1 wrote its log before anything else. */
async function isEarlierLog(path: string): Promise<boolean> {
  let text = ''
  try {
    for await (const piece of createReadStream(path, { encoding: 'latin1', end: 31 })) text += piece
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return /^[0-9a-f]{8} \{"number":/.test(text)
}

const DRAFT = /^\.[0-9a-f-]{36}\.tmp$/

/** Of a name that no other process uses. */
export const draftOf = (path: string) => `${path}.${randomUUID()}.tmp`
