import type { Json } from '../../client/http.ts'
import type { RecordingEntry } from '../recording.ts'
import { guessValues } from './guesses.ts'
import type { Compared } from './replay.ts'

/** A setting, and a value under which a difference is gone. */
export interface Remedy {
  id: string
  value: string
}

export interface Remedies {
  /** Settings under which the most differences are gone, all together. */
  settings: Record<string, string>
  /** What removes a difference, by `keyOf`. */
  byDifference: Map<string, Remedy[]>
}

export interface FindOptions {
  entries: readonly RecordingEntry[]
  /** Every setting of the sandbox, as `GET /_sandbox/assumptions` lists them. */
  assumptions: readonly { id: string; value: string; options: string | readonly string[] }[]
  /** The settings that an operation rests on: they are tried first. */
  settingsOf(operation: string): readonly string[]
  /** Replays under these settings. */
  replay(settings: Record<string, string>): Promise<Compared[]>
}

/** Which difference it is, in every replay of one recording. */
export const keyOf = (
  { n, operation }: Compared,
  { path, actual }: { path: string; actual: Json },
) => (n === undefined ? `+ ${operation} ${actual}` : `${n} ${path}`)

const ROUNDS_MAX = 12

/** Tries other values of settings, and keeps the one that removes the most, until none removes any. */
export async function findRemedies(
  compared: readonly Compared[],
  options: FindOptions,
): Promise<Remedies> {
  const remedies: Remedies = { settings: {}, byDifference: new Map() }
  let current = toFound(compared)
  let moving: Remedy[] = []
  const candidates = listCandidates(compared, options)
  for (let round = 0; round < ROUNDS_MAX && current.size > 0; round++) {
    moving = []
    const best =
      (await tryAll(candidates.first)) ?? (await tryAll(candidates.others)) ?? (await tryPairs())
    if (best === undefined) break
    for (const { id, value } of best.remedies) remedies.settings[id] = value
    current = best.found
  }
  return remedies

  /** The best of some values; every one that removes a difference is noted for it. */
  async function tryAll(tried: readonly Remedy[], given: readonly Remedy[] = []) {
    let best: { remedies: Remedy[]; found: Found } | undefined
    for (const remedy of tried) {
      if (remedies.settings[remedy.id] !== undefined) continue
      const together = [...given, remedy]
      const found = await replayUnder({ ...remedies.settings, ...toSettings(together) })
      if (found === undefined) continue
      if (given.length === 0 && isMoved(found)) moving.push(remedy)
      if (found.size >= current.size) continue
      for (const key of current.keys()) {
        if (isRemoved(key, found)) for (const one of together) note(key, one)
      }
      if (best === undefined || found.size < best.found.size) best = { remedies: together, found }
    }
    return best
  }

  /** A value that only changes a difference may remove it together with another one. */
  async function tryPairs() {
    for (const remedy of moving) {
      const others = candidates.first.filter(({ id }) => id !== remedy.id)
      const best = await tryAll(others, [remedy])
      if (best) return best
    }
    return undefined
  }

  /** As many differences, of which some are others now. */
  function isMoved(found: Found): boolean {
    const isOther = ([key, actual]: [string, string]) => (current.get(key) ?? actual) !== actual
    return found.size === current.size && [...found].some(isOther)
  }

  /** Gone, and not because the entry now differs in another way. */
  function isRemoved(key: string, found: Found): boolean {
    const entry = entryOf(key)
    const isOther = [...found.keys()].some(
      (other) => entryOf(other) === entry && !current.has(other),
    )
    return !found.has(key) && !isOther
  }

  async function replayUnder(settings: Record<string, string>) {
    try {
      return toFound(await options.replay(settings))
    } catch {
      // Some values exclude each other.
      return undefined
    }
  }

  function note(key: string, remedy: Remedy) {
    const known = remedies.byDifference.get(key) ?? []
    const isKnown = known.some(({ id }) => id === remedy.id)
    if (!isKnown) remedies.byDifference.set(key, [...known, remedy])
  }
}

const entryOf = (key: string) => key.split(' ')[0]

/** Each difference, with what was there instead. */
type Found = ReadonlyMap<string, string>

const toFound = (compared: readonly Compared[]): Found =>
  new Map(
    compared.flatMap((one) =>
      one.differences.map((difference) => [keyOf(one, difference), String(difference.actual)]),
    ),
  )

const toSettings = (remedies: readonly Remedy[]): Record<string, string> =>
  Object.fromEntries(remedies.map(({ id, value }) => [id, value]))

function listCandidates(
  compared: readonly Compared[],
  { entries, assumptions, settingsOf }: FindOptions,
) {
  const guesses = guessValues(entries)
  const all = assumptions.flatMap(({ id, value, options }): Remedy[] => {
    // It is many settings at once.
    if (id === 'preset') return []
    const values = typeof options === 'string' ? [...(guesses.get(id) ?? [])] : options
    return values.filter((other) => other !== value).map((other) => ({ id, value: other }))
  })
  const differing = compared.filter(({ verdict }) => verdict === 'differs')
  const likely = new Set(differing.flatMap(({ operation }) => settingsOf(operation)))
  return {
    first: all.filter(({ id }) => likely.has(id)),
    others: all.filter(({ id }) => !likely.has(id)),
  }
}
