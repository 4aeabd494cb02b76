import type * as z from 'zod'
import { PROFILE_FIELDS, type ProfileFieldName, type toProfileShape } from '../world/profile.ts'

/** Description of each field of a profile, for documents. */
export const PROFILE_ABOUT: Readonly<Record<ProfileFieldName, string>> = {
  firstName: 'Given name.',
  lastName: 'Family name.',
  dob: 'Date of birth, `YYYY-MM-DD`.',
  phone: '10 digits, with or without a leading `+1`.',
  addressLine1: 'Street address.',
  addressLine2: 'Unit or suite; optional by default.',
  city: 'City.',
  province: 'Two-letter code of a Canadian province.',
  postalCode: 'Postal code, such as M5V 3L9.',
  occupation: 'Occupation of the user.',
  purpose: 'What the user wants the service for.',
  pep: 'The user is a politically exposed person.',
  tpd: 'The user acts on behalf of a third party (third-party determination).',
}

export const OLDER_USER_ABOUT = 'Asked of users aged 60 or over.'

/** Schemas of some fields of a profile, by their types, described. */
export function profileFields<
  Name extends ProfileFieldName,
  Text extends z.ZodType,
  Day extends z.ZodType,
  Flag extends z.ZodType,
>(
  names: readonly Name[],
  make: { text: () => Text; date: () => Day; flag: () => Flag },
): ReturnType<typeof toProfileShape<Name, Text, Day, Flag>> {
  const shape = names.map((name) => {
    const schema = make[PROFILE_FIELDS[name].type]()
    return [name, schema.describe(PROFILE_ABOUT[name])]
  })
  return Object.fromEntries(shape)
}
