import { readdir, readlink, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { DomainError } from '../world/domain-error.ts'
import type { State } from '../world/state.ts'
import { dataFileError, draftOf, openDataFile, readDataFile, syncFolderOf } from './data-file.ts'
import { type LockOptions, lockFile } from './lock.ts'
import { readState } from './read-state.ts'
import { createReplay } from './replay.ts'
import { type CompactOptions, type Opened, type Store, startStore, toReason } from './store.ts'

export interface StoreOptions extends LockOptions, CompactOptions {
  /** The present in ms. Default `Date.now`. */
  wallClock?: () => number
}

/** Rejects a file that is damaged, of another format, or in use. */
export async function openStore(path: string, options: StoreOptions = {}): Promise<Store> {
  try {
    const file = await findRealPath(resolve(path))
    const lock = await lockFile(file, options)
    try {
      const opened = await openFile(file, lock.assertHeld)
      return startStore(opened, { ...options, path: file, lock })
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    // Anything else is the file system's word.
    throw dataFileError(`${path} cannot be used: ${toReason(error)}.`)
  }
}

/** Target of a symbolic link, even to a file that is not there yet. */
async function findRealPath(path: string): Promise<string> {
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

/** Opens the file, or makes it, and removes drafts that an owner before left. */
async function openFile(path: string, assertMayWrite: () => void): Promise<Opened> {
  const [name, folder] = [basename(path), dirname(path)]
  const names = await readdir(folder)
  for (const each of names) {
    const isDraft = each.startsWith(name) && DRAFT.test(each.slice(name.length))
    if (isDraft) await rm(join(folder, each), { force: true })
  }
  if (names.includes(name)) {
    const { end, ...read } = await readDataFile(path)
    for (const [world, { state }] of read.saved) await assertSound(path, world, state)
    return { file: await openDataFile(path, { assertMayWrite, end }), ...read }
  }
  const draft = draftOf(path)
  const file = await openDataFile(draft, { assertMayWrite })
  await file.append([])
  await rename(draft, path)
  await syncFolderOf(path)
  return { file, saved: createReplay().saved(), firstSize: 0, leftOutBytes: 0 }
}

/** A file can have the right checksums and a state that no world can be built of. */
async function assertSound(path: string, world: string, state: State) {
  try {
    await readState(state)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const what = `${path} holds a world, ${world}, that cannot be used`
    throw dataFileError(`${what}: ${error.message} Nothing was changed in it.`)
  }
}
