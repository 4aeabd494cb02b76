import { Low } from 'lowdb'
import type { State } from '../world/state.ts'
import { damaged } from './damage.ts'
import { type DurableFile, durableFile } from './durable-file.ts'
import { createLedger, type Kept } from './ledger.ts'
import { type Log, openLog, readLog } from './log.ts'
import { parseState } from './state-schema.ts'

const FORMAT_VERSION = 1

/** What the data file holds: every world as it stood when the log was last emptied. */
export interface Snapshot {
  formatVersion: typeof FORMAT_VERSION
  /** Number of the last change in the log that the worlds here have seen. */
  last: number
  worlds: Record<string, Kept>
}

/** The two files of a store, opened, and what they held. */
export interface Files {
  low: Low<Snapshot>
  snapshot: DurableFile<Snapshot>
  log: Log
  kept: Map<string, Kept>
}

/** Reads the snapshot, then what changed since. Changes nothing unless everything is sound. */
export async function openFiles(path: string): Promise<Files> {
  const snapshot = durableFile<Snapshot>(path, {
    stringify: (data) => JSON.stringify(data),
    parse: (text) => parseSnapshot(path, text),
  })
  const low = new Low<Snapshot>(snapshot, { formatVersion: FORMAT_VERSION, last: 0, worlds: {} })
  await low.read()
  const { last, worlds } = low.data
  const ledger = createLedger()
  for (const [world, kept] of Object.entries(worlds)) ledger.apply({ world, ...kept })
  const { entries, size } = await readLog(`${path}.log`)
  for (const entry of entries) if (entry.number > last) ledger.apply(entry)
  const kept = ledger.worlds()
  for (const [name, { state }] of kept) refuseBadState(path, name, state)
  const log = await openLog(`${path}.log`, {
    size,
    last: Math.max(last, entries.at(-1)?.number ?? 0),
  })
  low.data.worlds = {}
  return { low, snapshot, log, kept }
}

function parseSnapshot(path: string, text: string): Snapshot {
  const { formatVersion, last, worlds } = (parseJson(path, text) ?? {}) as Partial<Snapshot>
  if (formatVersion === undefined) {
    throw damaged(`${path} is no data file of ramp-sandbox. Nothing was changed in it.`)
  }
  if (formatVersion !== FORMAT_VERSION) {
    throw damaged(
      `${path} has the format version ${JSON.stringify(formatVersion)}; ` +
        `this version of ramp-sandbox reads ${FORMAT_VERSION}. Nothing was changed in it.`,
    )
  }
  if (!Number.isInteger(last) || worlds === null || typeof worlds !== 'object') {
    throw damaged(`${path} is damaged: it lists no worlds. Nothing was changed in it.`)
  }
  for (const [name, kept] of Object.entries(worlds)) {
    refuseBadState(path, name, kept?.state)
    if (Number.isFinite(kept.wallAt)) continue
    throw damaged(`${path} is damaged: the world ${name} has no wallAt. Nothing was changed in it.`)
  }
  return { formatVersion, last: last ?? 0, worlds }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(`${path} is damaged: it is not JSON. Nothing was changed in it.`)
  }
}

function refuseBadState(path: string, name: string, state: unknown): State {
  try {
    return parseState(state)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw damaged(`${path} is damaged: in the world ${name}, ${why} Nothing was changed in it.`)
  }
}
