import { suggest } from '../world/nearest.ts'
import { toVisible } from '../world/word-list.ts'
import { SandboxError } from './error.ts'

/** Rejects what JavaScript callers may pass in place of options, and options that nothing reads. */
export function assertOptions(caller: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw refuse('options', `${caller} takes an object of options, not ${JSON.stringify(given)}.`)
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw refuse(unknown, `${caller} has no option ${toVisible(unknown)}${suggest(unknown, known)}`)
}

const refuse = (field: string, message: string) =>
  new SandboxError(message, { code: 'invalid', problems: [{ field, message }] })
