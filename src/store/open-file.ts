import { readdir, readlink, realpath, rename, rm, stat, truncate } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { DomainError } from '../world/domain-error.ts'
import { readState } from '../world/read-state.ts'
import type { State } from '../world/state.ts'
import { DataFile } from './data-file.ts'
import { dataFileError, draftOf, syncFolderOf } from './files.ts'
import { assertFree } from './header.ts'
import type { Owner, OwnerOptions } from './owner.ts'
import { type FileRead, readDataFile } from './read-file.ts'

export interface OpenedFile extends Pick<FileRead, 'saved' | 'firstSize' | 'cut'> {
  file: DataFile
}

interface OpenOptions extends OwnerOptions {
  owner: Owner
  /** Id of a former owner that is known to be gone. */
  ended: string | undefined
  assertMayWrite(): void
}

const DRAFT = /^\.[0-9a-f-]{36}\.tmp$/

/** Opens the file, or makes it if there is none or an empty one; removes drafts that a former owner left. */
export async function openFile(path: string, options: OpenOptions): Promise<OpenedFile> {
  const [name, folder] = [basename(path), dirname(path)]
  const names = await readdir(folder)
  for (const each of names) {
    const isDraft = each.startsWith(name) && DRAFT.test(each.slice(name.length))
    if (isDraft) await rm(join(folder, each), { force: true })
  }
  if (!names.includes(name)) return makeFile(path, options)
  if ((await stat(path)).size === 0) return beginFile(path, options)
  await assertFree(path, options)
  const read = await readDataFile(path)
  for (const [world, saved] of read.saved) saved.state = readSound(path, world, saved.state)
  return { ...read, file: await DataFile.open(path, { ...options, read }) }
}

async function makeFile(path: string, options: OpenOptions): Promise<OpenedFile> {
  const draft = draftOf(path)
  const opened = await beginFile(draft, options)
  await rename(draft, path)
  await syncFolderOf(path)
  return opened
}

/** Writes the first lines, or leaves the file empty if they cannot be written whole. */
async function beginFile(path: string, options: OpenOptions): Promise<OpenedFile> {
  const file = await DataFile.open(path, options)
  try {
    await file.append([])
  } catch (error) {
    await truncate(path).catch(() => undefined)
    throw error
  }
  return { file, saved: new Map(), firstSize: 0, cut: { leftOutBytes: 0, missingBytes: 0 } }
}

/** Target of a symbolic link, even to a file that is not there yet. */
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

/** Rejects a file whose checksums are right, but with a state that no world can be built from. */
function readSound(path: string, world: string, state: State): State {
  try {
    return readState(state)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const what = `${path} holds a world, ${world}, that cannot be used`
    throw dataFileError(`${what}: ${error.message} Nothing was changed in it.`)
  }
}
