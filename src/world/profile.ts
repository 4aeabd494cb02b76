import type { Problem } from './domain-error.ts'
import { isRealDate } from './duration.ts'
import type { Settings } from './settings/index.ts'

export interface Profile {
  firstName?: string
  lastName?: string
  dob?: string
  phone?: string
  addressLine1?: string
  addressLine2?: string
  city?: string
  province?: string
  postalCode?: string
  occupation?: string
  purpose?: string
  pep?: boolean
  tpd?: boolean
  olderUserInfo?: Record<string, string>
}

const PROVINCE = /^(ab|bc|mb|nb|nl|ns|nt|nu|on|pe|qc|sk|yt)$/i
const POSTAL_CODE = /^[abceghj-nprstvxy]\d[abceghj-nprstv-z][ -]?\d[abceghj-nprstv-z]\d$/i
const PHONE = /^(\+1)?\d{10}$/
const EMAIL = /^[^\s@<>"(),:;[\\\]]{1,64}@[^\s@<>"(),:;[\\\]]+\.[^\s@<>"(),:;[\\\]]{2,}$/
/** Control characters, and halves of a character. */
const NO_TEXT = /[\p{Cc}\p{Cs}]/u
const EMAIL_LENGTH_MAX = 254
const AGE_MAX = 130

export const TEXT_LENGTH_MAX = 500

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text) && !NO_TEXT.test(text)
}

/** What is wrong with the texts of a profile, all of it at once, under v2's field names. */
export function findProfileProblems(
  world: { now: number; settings: Settings },
  profile: Profile,
): Problem[] {
  const { dob, olderUserInfo } = profile
  const problems = findTextProblems(profile)
  if (olderUserInfo) problems.push(...findTextProblems(olderUserInfo, 'olderUserInfo.'))
  if (dob) problems.push(...findBirthProblems(world, dob))
  if (world.settings['users.formats'] === 'checked') problems.push(...findFormatProblems(profile))
  return problems
}

function findFormatProblems({ province, postalCode, phone }: Profile): Problem[] {
  const problems: Problem[] = []
  if (province && !PROVINCE.test(province)) {
    const message =
      'province must be one of AB, BC, MB, NB, NL, NS, NT, NU, ON, PE, QC, SK, YT, in any case.'
    problems.push({ field: 'province', message })
  }
  if (postalCode && !POSTAL_CODE.test(postalCode)) {
    problems.push({
      field: 'postalCode',
      message: 'postalCode must be a Canadian postal code such as M5V 3L9.',
    })
  }
  if (phone && !PHONE.test(phone)) {
    problems.push({ field: 'phone', message: 'phone must be 10 digits, or +1 and 10 digits.' })
  }
  return problems
}

function findTextProblems(texts: object, prefix = ''): Problem[] {
  const problems: Problem[] = []
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value !== 'string') continue
    const field = `${prefix}${name}`
    if (value.length > TEXT_LENGTH_MAX) {
      problems.push({ field, message: `${field} may have at most ${TEXT_LENGTH_MAX} characters.` })
    } else if (value.trim() === '' && name !== 'addressLine2') {
      problems.push({ field, message: `${field} must not be empty.` })
    }
  }
  return problems
}

function findBirthProblems(world: { now: number; settings: Settings }, dob: string): Problem[] {
  if (!isRealDate(dob)) {
    return [{ field: 'dob', message: 'dob must be a date that exists, as YYYY-MM-DD.' }]
  }
  const age = ageAt(dob, world.now)
  const least = world.settings['users.minimumAge']
  if (age >= least && age <= AGE_MAX) return []
  const message =
    age < least
      ? `dob must make the user at least ${least} years old on the date of the world.`
      : 'dob lies too far in the past.'
  return [{ field: 'dob', message }]
}

/** Whole years between a date of birth and an instant, in UTC. */
export function ageAt(dob: string, instant: number): number {
  const today = new Date(instant).toISOString().slice(0, 10)
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4))
  return today.slice(5) < dob.slice(5) ? years - 1 : years
}
