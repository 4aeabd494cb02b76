import { open } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Low } from 'lowdb'
import { DataFile } from 'lowdb/node'
import { createRecorder, type Recorder } from './store/change.ts'
import { damaged } from './store/damage.ts'
import { createLedger, type Kept } from './store/ledger.ts'
import { lockFile } from './store/lock.ts'
import { type Log, openLog, readLog } from './store/log.ts'
import { parseState } from './store/state-schema.ts'
import { Refusal } from './world/errors.ts'
import { exportState } from './world/state-export.ts'
import type { World } from './world/world.ts'

/** A log smaller than this is not worth compacting. */
const LOG_MIN_BYTES = 8 * 1024 * 1024

/** What the data file holds: every world as it stood when the log was last emptied. */
interface Snapshot {
  formatVersion: 1
  worlds: Record<string, Kept>
}

/** Keeps worlds on disk: a lowdb snapshot, and an append log of what changed since. */
export interface Store {
  /** The worlds that were kept; each is read once, when it is opened. */
  readonly kept: ReadonlyMap<string, Kept>
  /** Writes down whatever changes in a world from here on, and first the world itself. */
  follow(name: string, world: World): void
  /** Writes down that a world is gone. */
  forget(name: string): void
  /** Resolves once everything that changed so far is on disk. */
  commit(): Promise<void>
  close(): Promise<void>
}

/** Refuses a file that is damaged, of a newer format, or in use. */
export async function openStore(path: string, wallClock = Date.now): Promise<Store> {
  try {
    return await openLocked(path, { wallClock, unlock: await lockFile(path) })
  } catch (error) {
    throw toRefusal(path, error)
  }
}

async function openLocked(
  path: string,
  { wallClock, unlock }: Pick<Parts, 'wallClock' | 'unlock'>,
): Promise<Store> {
  try {
    const low = new Low<Snapshot>(snapshotFile(path), { formatVersion: 1, worlds: {} })
    const ledger = createLedger()
    await low.read()
    for (const [world, kept] of Object.entries(low.data.worlds)) ledger.apply({ world, ...kept })
    const { changes, size } = await readLog(`${path}.log`)
    for (const change of changes) ledger.apply(change)
    const kept = ledger.worlds()
    for (const [name, { state }] of kept) refuseBadState(path, name, state)
    const log = await openLog(`${path}.log`, size)
    return startStore({ path, low, log, kept, wallClock, unlock })
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Anything but a refusal is the file system's word. */
function toRefusal(path: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const why = error instanceof Error ? error.message : String(error)
  return damaged(`${path} cannot be used: ${why}.`)
}

function snapshotFile(path: string): DataFile<Snapshot> {
  return new DataFile<Snapshot>(path, {
    stringify: (snapshot) => JSON.stringify(snapshot),
    parse(text) {
      const snapshot = parseJson(path, text)
      const { formatVersion } = snapshot
      if (formatVersion === 1 && typeof snapshot.worlds === 'object') return snapshot
      throw damaged(
        `${path} has the format version ${formatVersion}; this version of ramp-sandbox reads 1.`,
      )
    },
  })
}

function parseJson(path: string, text: string): Snapshot {
  try {
    return JSON.parse(text) as Snapshot
  } catch {
    throw damaged(`${path} is damaged: it is not JSON. Nothing was changed in it.`)
  }
}

function refuseBadState(path: string, name: string, state: unknown) {
  try {
    parseState(state)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw damaged(`${path} is damaged: in the world ${name}, ${why}`)
  }
}

interface Parts {
  path: string
  low: Low<Snapshot>
  log: Log
  kept: Map<string, Kept>
  wallClock: () => number
  unlock: () => Promise<void>
}

function startStore({ path, low, log, kept, wallClock, unlock }: Parts): Store {
  const followed = new Map<string, { world: World; recorder: Recorder }>()
  const deleted: string[] = []
  let compactedSize = 0
  let batch: Promise<void> | undefined
  let tail: Promise<void> = Promise.resolve()
  return {
    kept,
    follow: (name, world) => {
      kept.delete(name)
      followed.set(name, { world, recorder: createRecorder(name, world) })
    },
    forget(name) {
      followed.delete(name)
      kept.delete(name)
      deleted.push(name)
    },
    commit,
    async close() {
      await commit()
      await compact()
      await log.close()
      await unlock()
    },
  }

  /** One batch waits while another is being written; whoever comes meanwhile joins it. */
  function commit(): Promise<void> {
    const isDirty = deleted.length > 0 || [...followed.values()].some((row) => row.recorder.isDirty)
    if (!isDirty) return batch ?? tail
    batch ??= tail.then(nextTurn).then(writeBatch)
    return batch
  }

  async function writeBatch() {
    tail = batch ?? tail
    batch = undefined
    const wallAt = wallClock()
    const dirty = [...followed.values()].filter((row) => row.recorder.isDirty)
    const gone = deleted.splice(0).map((world) => ({ world, deleted: true as const }))
    await log.append([...gone, ...dirty.map((row) => row.recorder.take(wallAt))])
    if (log.size > Math.max(LOG_MIN_BYTES, compactedSize)) await compact()
  }

  /** What is in memory is in the log already, so the order of the two writes does not matter. */
  async function compact() {
    const wallAt = wallClock()
    low.data.worlds = Object.fromEntries([
      ...kept,
      ...[...followed].map(([name, { world }]) => [name, { state: exportState(world), wallAt }]),
    ])
    compactedSize = log.size
    await low.write()
    await forceToDisk(path)
    await log.empty()
  }
}

async function forceToDisk(path: string) {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}
