import { type Disturbance, SMALL_PRINT } from '../scenario/disturbance.ts'
import type { Failure } from './findings.ts'

/** How many disturbances of a kind the receiver withstood. */
export interface Held {
  name: string
  held: number
  of: number
}

const TABLE: readonly { name: string; kinds: readonly Disturbance['kind'][] }[] = [
  { name: 'orders', kinds: ['order'] },
  { name: 'doubled', kinds: ['doubled'] },
  { name: 'lost', kinds: ['lost'] },
  { name: 'before the response', kinds: ['early'] },
  { name: 'after the clock', kinds: ['late'] },
  { name: 'forged', kinds: ['forged'] },
  { name: 'killed', kinds: ['killed'] },
  { name: 'small print', kinds: SMALL_PRINT },
  { name: 'your calls', kinds: ['call'] },
]

export function countHeld(
  tried: readonly (readonly Disturbance[])[],
  failures: readonly Failure[],
): Held[] {
  if (tried.length === 0) return []
  const count = (name: string, fits: (plan: readonly Disturbance[]) => boolean, more = 0) => {
    const of = tried.filter(fits).length + more
    const failed = failures.filter(({ disturbances }) => fits(disturbances)).length
    return { name, held: of - failed, of }
  }
  const singles = TABLE.map(({ name, kinds }) => {
    const fits = ([one, ...rest]: readonly Disturbance[]) =>
      one !== undefined && rest.length === 0 && kinds.includes(one.kind)
    // The undisturbed order counts, too.
    return count(name, fits, name === 'orders' ? 1 : 0)
  })
  return [...singles, count('pairs', ({ length }) => length === 2)].filter(({ of }) => of > 0)
}
