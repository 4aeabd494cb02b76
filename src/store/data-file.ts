import { Low } from 'lowdb'
import type { State } from '../world/state.ts'
import { dataFileError } from './data-file-error.ts'
import { type DurableFile, durableFile } from './durable-file.ts'
import { type Log, openLog, readLog } from './log.ts'
import { createReplay, type SavedWorld } from './replay.ts'
import { parseState } from './state-schema.ts'

const FORMAT_VERSION = 1

/** What the data file holds: every world as it stood when the log was last emptied. */
export interface DataFile {
  formatVersion: typeof FORMAT_VERSION
  /** Number of the last change in the log that the worlds here have seen. */
  last: number
  worlds: Record<string, SavedWorld>
}

/** The two files of a store, opened, and what they held. */
export interface Files {
  low: Low<DataFile>
  snapshot: DurableFile<DataFile>
  log: Log
  kept: Map<string, SavedWorld>
}

/** Reads the snapshot, then the changes since. Changes nothing unless everything is valid. */
export async function openFiles(path: string): Promise<Files> {
  const snapshot = durableFile<DataFile>(path, {
    stringify: (data) => JSON.stringify(data),
    parse: (text) => parseSnapshot(path, text),
  })
  const low = new Low<DataFile>(snapshot, { formatVersion: FORMAT_VERSION, last: 0, worlds: {} })
  await low.read()
  const { last, worlds } = low.data
  const replay = createReplay()
  for (const [world, kept] of Object.entries(worlds)) replay.apply({ world, ...kept })
  const { entries, size } = await readLog(`${path}.log`)
  for (const entry of entries) if (entry.number > last) replay.apply(entry)
  const kept = replay.worlds()
  for (const [name, { state }] of kept) assertState(path, name, state)
  const log = await openLog(`${path}.log`, {
    size,
    last: Math.max(last, entries.at(-1)?.number ?? 0),
  })
  low.data.worlds = {}
  return { low, snapshot, log, kept }
}

function parseSnapshot(path: string, text: string): DataFile {
  const { formatVersion, last, worlds } = (parseJson(path, text) ?? {}) as Partial<DataFile>
  if (formatVersion === undefined) {
    throw dataFileError(`${path} is not a data file of ramp-sandbox. Nothing was changed in it.`)
  }
  if (formatVersion !== FORMAT_VERSION) {
    throw dataFileError(
      `${path} has the format version ${JSON.stringify(formatVersion)}; ` +
        `this version of ramp-sandbox reads ${FORMAT_VERSION}. Nothing was changed in it.`,
    )
  }
  if (!Number.isInteger(last) || worlds === null || typeof worlds !== 'object') {
    throw dataFileError(`${path} is damaged: it lists no worlds. Nothing was changed in it.`)
  }
  for (const [name, kept] of Object.entries(worlds)) {
    assertState(path, name, kept?.state)
    if (Number.isFinite(kept.wallAt)) continue
    throw dataFileError(
      `${path} is damaged: the world ${name} has no wallAt. Nothing was changed in it.`,
    )
  }
  return { formatVersion, last: last ?? 0, worlds }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw dataFileError(`${path} is damaged: it is not JSON. Nothing was changed in it.`)
  }
}

function assertState(path: string, name: string, state: unknown): State {
  try {
    return parseState(state)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw dataFileError(
      `${path} is damaged: in the world ${name}, ${why} Nothing was changed in it.`,
    )
  }
}
