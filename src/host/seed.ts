import { nanoid } from 'nanoid'

/** Seed for generated ids, and whether somebody chose it, who may then know the ids. */
export interface Seed {
  text: string
  isGiven: boolean
}

export const DEFAULT_SEED: Seed = { text: 'ramp-sandbox', isGiven: false }

export const drawSeed = (): Seed => ({ text: nanoid(), isGiven: false })

/** Reads a seed as it is given: `random` picks one. */
export function readSeed(given: string | undefined): Seed | undefined {
  if (given === undefined) return undefined
  return given === 'random' ? drawSeed() : { text: given, isGiven: true }
}
