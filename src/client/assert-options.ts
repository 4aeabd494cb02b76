import { suggest } from '../world/nearest.ts'
import { toVisible } from '../world/word-list.ts'
import { invalidValue } from './error.ts'

/** Rejects what JavaScript callers may pass in place of options, and options that nothing reads. */
export function assertOptions(caller: string, given: unknown, known: readonly string[]): void {
  assertObject(caller, given)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw invalidValue(
    unknown,
    `${caller} has no option ${toVisible(unknown)}${suggest(unknown, known)}`,
  )
}

/** Rejects a text or a list: spread into an object, it would be fields named 0, 1, … */
export function assertObject(caller: string, given: unknown): asserts given is object {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return
  throw invalidValue('options', `${caller} takes an object, not ${JSON.stringify(given)}.`)
}
