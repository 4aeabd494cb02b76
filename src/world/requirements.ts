import type { Problem } from './domain-error.ts'
import { OLDER_USER_FIELDS, PROFILE_FIELDS, UPDATE_FIELDS } from './profile.ts'
import { ageAt } from './profile-check.ts'
import { CONSTANTS } from './settings/constants.ts'
import type { User } from './state.ts'
import { describeReasons, wordList } from './word-list.ts'
import type { World } from './world.ts'

const OLDER_AGE = CONSTANTS['requirements.olderAge'].value

export interface Requirements {
  complete: boolean
  outstanding: Problem[]
}

export function getRequirements(world: World, user: User): Requirements {
  const outstanding: Problem[] = UPDATE_FIELDS.filter(
    (field) => PROFILE_FIELDS[field].required && user.profile[field] === undefined,
  ).map((field) => ({ field, message: `${field} is missing; PATCH the user to add it.` }))
  if (isOlderUser(world, user) && !hasOlderUserInfo(user)) {
    outstanding.push({
      field: 'olderUserInfo',
      message: `Users aged ${OLDER_AGE} or over must also supply ${wordList(OLDER_USER_FIELDS, 'and')}.`,
    })
  }
  if (user.status !== 'verified') {
    outstanding.push({ field: 'kyc', message: kycMessage(user) })
  }
  return { complete: outstanding.length === 0, outstanding }
}

function isOlderUser(world: World, { profile }: User): boolean {
  if (profile.dob === undefined) return false
  return ageAt(profile.dob, world.now) >= OLDER_AGE
}

function hasOlderUserInfo({ profile }: User): boolean {
  return OLDER_USER_FIELDS.every((field) => Boolean(profile.olderUserInfo?.[field]?.trim()))
}

function kycMessage({ status, reasons }: User): string {
  const why = reasons.length > 0 ? ` ${describeReasons(reasons)}` : ''
  if (status === 'rejected') return `Identity verification was rejected.${why}`
  if (status === 'upload') return `Identity verification needs more documents.${why}`
  if (status === 'in-review') return 'Identity verification is in review.'
  return 'Identity verification is outstanding; open the KYC link.'
}
