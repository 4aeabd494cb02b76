import type { FixtureProfile } from '../fixture/format.ts'

/** Profile of a made-up person. */
export const PROFILE = {
  firstName: 'First',
  lastName: 'Last',
  dob: '1990-01-01',
  phone: '4165550100',
  addressLine1: '1 Example Street',
  city: 'Toronto',
  province: 'ON',
  postalCode: 'M5V 3L9',
  occupation: 'Teacher',
  pep: false,
  tpd: false,
} satisfies FixtureProfile

/** Complete, but for what a read of the requirements reported. */
export function toProfile(outstanding: readonly string[]): FixtureProfile {
  const isOlder = outstanding.some((field) => field.startsWith('olderUserInfo'))
  const whole = { ...PROFILE, purpose: 'Savings', ...(isOlder && { dob: '1951-09-09' }) }
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !outstanding.includes(name)))
}
