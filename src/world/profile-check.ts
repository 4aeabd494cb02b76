import { type Finding, type Problem, toProblems } from './domain-error.ts'
import { isRealDate, NO_DATE } from './duration.ts'
import { FORMATS, FORMATTED_FIELDS, type Profile } from './profile.ts'
import { CONSTANTS, LENGTHS } from './settings/constants.ts'
import type { World } from './world.ts'

const AGE_MIN = CONSTANTS['users.minimumAge'].value
const AGE_MAX = 130

/** Returns everything that is wrong with a profile, under v2's field names. */
export function findProfileProblems(world: World, profile: Profile): Problem[] {
  const { dob, olderUserInfo = {} } = profile
  return toProblems([
    ...Object.entries(profile).map(judgeText),
    ...Object.entries(olderUserInfo).map(([name, value]): Finding => {
      return judgeText([`olderUserInfo.${name}`, value])
    }),
    ['dob', dob ? findWrongBirth(world, dob) : undefined],
    ...FORMATTED_FIELDS.map((field): Finding => {
      const [pattern, expected] = FORMATS[field]
      const isRight = !profile[field] || pattern.test(profile[field])
      return [field, isRight ? undefined : `must be ${expected}`]
    }),
  ])
}

function judgeText([field, value]: [string, unknown]): Finding {
  const wrong = typeof value === 'string' ? findWrongText(value) : undefined
  return [field, field === 'addressLine2' && wrong === EMPTY ? undefined : wrong]
}

const EMPTY = 'must not be empty'

export function findWrongText(
  text: string,
  lengthMax: number = LENGTHS.profile.max,
): string | undefined {
  if (text.length > lengthMax) return `may have at most ${lengthMax} characters`
  return text.trim() === '' ? EMPTY : undefined
}

export function findWrongBirth(world: World, dob: string): string | undefined {
  if (!isRealDate(dob)) return NO_DATE
  const age = ageAt(dob, world.now)
  if (age < AGE_MIN) return `must be at least ${AGE_MIN} years before the world’s date`
  return age > AGE_MAX ? 'is too far in the past' : undefined
}

/** Whole years between a date of birth and an instant, in UTC. */
export function ageAt(dob: string, instant: number): number {
  const today = new Date(instant).toISOString().slice(0, 10)
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4))
  return today.slice(5) < dob.slice(5) ? years - 1 : years
}
