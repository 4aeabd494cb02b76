import { nanoid } from 'nanoid'

/** What ids derive from, and whether it was chosen by somebody, who may know the ids then. */
export interface Seed {
  text: string
  isGiven: boolean
}

export const DEFAULT_SEED: Seed = { text: 'ramp-sandbox', isGiven: false }

export const drawSeed = (): Seed => ({ text: nanoid(), isGiven: false })

/** Reads a seed as it is given: `random` draws one. */
export function readSeed(given: string | undefined): Seed | undefined {
  if (given === undefined) return undefined
  return given === 'random' ? drawSeed() : { text: given, isGiven: true }
}
