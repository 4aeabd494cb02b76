import type { WordKey } from './words.ts'

/** What the profile asks for, with what Ana enters. */
export const PROFILE_FIELDS: readonly (readonly [name: string, label: WordKey, value: string])[] = [
  ['firstName', 'firstName', 'Ana'],
  ['lastName', 'lastName', 'Silva'],
  ['dob', 'dob', '1992-03-14'],
  ['phone', 'phone', '4165550142'],
  ['addressLine1', 'street', '77 Example Street'],
  ['city', 'city', 'Toronto'],
  ['province', 'province', 'ON'],
  ['postalCode', 'postalCode', 'M5V 3L9'],
  ['occupation', 'occupation', 'Designer'],
]

/** A complete profile: nobody of the demo is politically exposed. */
export const toProfile = (fields: object) => ({ ...fields, pep: false, tpd: false })
