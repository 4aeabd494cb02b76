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
  const rows = tried.map(rowOf)
  const failed = failures.map(({ disturbances }) => rowOf(disturbances))
  return [...TABLE.map(({ name }) => name), PAIRS].flatMap((name) => {
    const of = rows.filter((row) => row === name).length
    const held = of - failed.filter((row) => row === name).length
    // The undisturbed order counts among the others.
    const more = name === 'orders' ? 1 : 0
    return of === 0 ? [] : [{ name, held: held + more, of: of + more }]
  })
}

const PAIRS = 'pairs'

const rowOf = ([one, ...rest]: readonly Disturbance[]): string | undefined =>
  rest.length > 0 ? PAIRS : TABLE.find(({ kinds }) => one && kinds.includes(one.kind))?.name
