import { randomFor } from '../../src/world/random.ts'

/** Chance that a seed decides, so that a life can be lived again. */
export interface Dice {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number
  chance(share: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  /** One of a list that may be empty. */
  find<T>(list: readonly T[]): T | undefined
}

export function rollDice(seed: string): Dice {
  const draw = randomFor(`simulation ${seed}`)
  const below = (limit: number) => draw() % limit
  return {
    below,
    chance: (share) => draw() / 2 ** 32 < share,
    pick: (list) => list[below(list.length)] ?? list[0],
    find: (list) => (list.length > 0 ? list[below(list.length)] : undefined),
  }
}
