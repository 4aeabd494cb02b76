import * as z from 'zod'
import { NO_DATE } from './duration.ts'
import { LENGTHS } from './settings/constants.ts'

interface ProfileField {
  type: 'text' | 'date' | 'flag'
  /** Its name in v1, if it differs (contract, Versioning: 3). */
  v1?: string
  /** Set if a user is incomplete without it. */
  required: boolean
  /** Use cases that take it, besides imports. */
  in: 'create' | 'update' | 'both'
}

export const PROFILE_FIELDS = {
  firstName: { type: 'text', v1: 'first_name', required: true, in: 'both' },
  lastName: { type: 'text', v1: 'last_name', required: true, in: 'both' },
  dob: { type: 'date', required: true, in: 'both' },
  phone: { type: 'text', required: true, in: 'create' },
  addressLine1: { type: 'text', v1: 'address1', required: true, in: 'both' },
  addressLine2: { type: 'text', v1: 'address2', required: false, in: 'both' },
  city: { type: 'text', required: true, in: 'both' },
  province: { type: 'text', required: true, in: 'both' },
  postalCode: { type: 'text', v1: 'postal', required: true, in: 'both' },
  occupation: { type: 'text', required: true, in: 'both' },
  purpose: { type: 'text', required: true, in: 'update' },
  pep: { type: 'flag', required: true, in: 'both' },
  tpd: { type: 'flag', required: true, in: 'both' },
} as const satisfies Record<string, ProfileField>

export type ProfileFieldName = keyof typeof PROFILE_FIELDS

type TypeOf<Name extends ProfileFieldName> = (typeof PROFILE_FIELDS)[Name]['type']

export const PROFILE_FIELD_NAMES = Object.keys(PROFILE_FIELDS) as ProfileFieldName[]
export const CREATE_FIELDS = PROFILE_FIELD_NAMES.filter(
  (name): name is Exclude<ProfileFieldName, 'purpose'> => PROFILE_FIELDS[name].in !== 'update',
)
export const UPDATE_FIELDS = PROFILE_FIELD_NAMES.filter(
  (name): name is Exclude<ProfileFieldName, 'phone'> => PROFILE_FIELDS[name].in !== 'create',
)

export function toV1Name(name: ProfileFieldName): string {
  const field: ProfileField = PROFILE_FIELDS[name]
  return field.v1 ?? name
}

/** Schemas of some fields, by their types. */
export function toProfileShape<Name extends ProfileFieldName, Text, Day, Flag>(
  names: readonly Name[],
  make: { text: () => Text; date: () => Day; flag: () => Flag },
) {
  const shape = names.map((name) => [name, make[PROFILE_FIELDS[name].type]()])
  return Object.fromEntries(shape) as {
    [N in Name]: { text: Text; date: Day; flag: Flag }[TypeOf<N>]
  }
}

/** Profile of a user, as its row has it. */
export const Profile = () =>
  z.strictObject({
    olderUserInfo: z.record(z.string(), z.string()).optional(),
    ...toProfileShape(PROFILE_FIELD_NAMES, {
      text: () => z.string().optional(),
      date: () => z.iso.date(NO_DATE).optional(),
      flag: () => z.boolean().optional(),
    }),
  })
export type Profile = z.output<ReturnType<typeof Profile>>

/** Canadian formats, with what to send instead. */
export const FORMATS = {
  province: [
    /^(ab|bc|mb|nb|nl|ns|nt|nu|on|pe|qc|sk|yt)$/i,
    'one of AB, BC, MB, NB, NL, NS, NT, NU, ON, PE, QC, SK, YT, in upper or lower case',
  ],
  postalCode: [
    /^[abceghj-nprstvxy]\d[abceghj-nprstv-z][ -]?\d[abceghj-nprstv-z]\d$/i,
    'a Canadian postal code such as M5V 3L9',
  ],
  phone: [/^(\+1)?\d{10}$/, '10 digits, or +1 and 10 digits'],
} as const
export type FormattedField = keyof typeof FORMATS
export const FORMATTED_FIELDS = Object.keys(FORMATS) as FormattedField[]

const EMAIL = /^[^\s@<>"(),:;[\\\]]{1,64}@[^\s@<>"(),:;[\\\]]+\.[^\s@<>"(),:;[\\\]]{2,}$/
/** Two dots in a row, and a dot before or after the name or the domain. */
const STRAY_DOT = /(?:^|[.@])\.|\.(?:@|$)/
/** Control characters, and halves of a character. */
const NO_TEXT = /[\p{Cc}\p{Cs}]/u
/** Invisible characters, and marks that change the direction of a text. */
const INVISIBLE = /[\p{Cf}\u2028\u2029]/u

export const OLDER_USER_FIELDS = [
  'sourceOfFunds',
  'intendedUseOfUSDC',
  'walletProvider',
  'walletAddress',
  'howDidYouHear',
  'whoReferredYou',
  'previousCryptoExperience',
] as const

export function isEmail(text: string): boolean {
  return (
    text.length <= LENGTHS.email.max &&
    EMAIL.test(text) &&
    !STRAY_DOT.test(text) &&
    !NO_TEXT.test(text) &&
    !INVISIBLE.test(text)
  )
}
