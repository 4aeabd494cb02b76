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
  const count = (name: string, fits: (plan: readonly Disturbance[]) => boolean): Held => {
    const of = tried.filter(fits).length
    const failed = failures.filter(({ disturbances }) => fits(disturbances)).length
    return { name, held: of - failed, of }
  }
  const singles = TABLE.map(({ name, kinds }) =>
    count(
      name,
      ([one, ...rest]) => one !== undefined && rest.length === 0 && kinds.includes(one.kind),
    ),
  )
  const rows = [...singles, count('pairs', ({ length }) => length === 2)]
  return rows.filter(({ of }) => of > 0).map(withUndisturbed)
}

/** Counts the undisturbed order among the others. */
const withUndisturbed = ({ name, held, of }: Held): Held =>
  name === 'orders' ? { name, held: held + 1, of: of + 1 } : { name, held, of }
