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
  let current = keysOf(compared)
  const candidates = listCandidates(compared, options)
  for (let round = 0; round < ROUNDS_MAX && current.size > 0; round++) {
    const best = (await tryAll(candidates.first)) ?? (await tryAll(candidates.others))
    if (best === undefined) break
    remedies.settings[best.remedy.id] = best.remedy.value
    current = best.keys
  }
  return remedies

  /** The best of some values; every one that removes a difference is noted for it. */
  async function tryAll(tried: readonly Remedy[]) {
    let best: { remedy: Remedy; keys: Set<string> } | undefined
    for (const remedy of tried) {
      if (remedies.settings[remedy.id] !== undefined) continue
      const settings = { ...remedies.settings, [remedy.id]: remedy.value }
      const keys = await replayUnder(settings)
      if (keys === undefined || keys.size >= current.size) continue
      for (const key of current) if (isRemoved(key, keys)) note(key, remedy)
      if (best === undefined || keys.size < best.keys.size) best = { remedy, keys }
    }
    return best
  }

  /** Gone, and not because the entry now differs in another way. */
  function isRemoved(key: string, keys: ReadonlySet<string>): boolean {
    const entry = entryOf(key)
    const isOther = [...keys].some((other) => entryOf(other) === entry && !current.has(other))
    return !keys.has(key) && !isOther
  }

  async function replayUnder(settings: Record<string, string>) {
    try {
      return keysOf(await options.replay(settings))
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

const keysOf = (compared: readonly Compared[]): Set<string> =>
  new Set(compared.flatMap((one) => one.differences.map((difference) => keyOf(one, difference))))

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
