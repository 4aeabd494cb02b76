import { expect, it } from 'vitest'
import { getAnyUser } from '../src/world/users.ts'
import { ALICE, HOUR, INTEGRATORS, NOW, open, problemsOf } from './helpers/fixtures.ts'

const withUsers = (...users: object[]) => ({ integrators: INTEGRATORS, users })

it('a user of a fixture is linked to the first integrator, and has the id the world would derive', () => {
  const user = getAnyUser(open(withUsers({ email: 'Zoë@Example.com' })), 'zoë@example.com')
  expect(user).toMatchObject({ integrators: ['main'], status: 'initial', createdAt: NOW })
  const again = open(withUsers(ALICE, { email: 'Zoë@Example.com' }))
  expect(getAnyUser(again, 'zoë@example.com').id).toBe(user.id)
})

it('a user of a fixture may carry everything that differs per account', () => {
  const given = { accessibleBy: ['jwt', 'apiKey'], autodeposit: true, maximumCad: 55.5 }
  const source = withUsers({ ...ALICE, ...given, loginCode: '0042', integrators: ['other'] })
  expect(open(source).users).toMatchObject([
    { keyAccess: true, autodeposit: true, maximumCad: 55.5, loginCode: '0042' },
  ])
})

it('a user of a fixture has a history of what it became, and no event reports it', () => {
  const source = withUsers({
    ...ALICE,
    status: 'rejected',
    reasons: ['Blurred.'],
    createdAt: '-2d',
  })
  const world = open(source)
  const createdAt = NOW - 48 * HOUR
  expect(world.users).toMatchObject([
    {
      createdAt,
      reasons: ['Blurred.'],
      history: [
        { status: 'initial', at: createdAt },
        { status: 'rejected', at: createdAt },
      ],
    },
  ])
  expect([world.events.last, world.messages.last]).toEqual([0, 0])
})

it('fixture users are listed in order of creation, whatever the order of the file', () => {
  const source = withUsers(
    { email: 'new@example.com' },
    { email: 'old@example.com', createdAt: '-P1D' },
    { email: 'older@example.com', createdAt: '2026-06-01T00:00:00Z' },
  )
  const emails = open(source).users.map(({ email }) => email)
  expect(emails).toEqual(['older@example.com', 'old@example.com', 'new@example.com'])
})

it.each([
  ['a duplicate e-mail address', [ALICE, { email: 'ALICE@example.com' }], 'users[1].email: ALICE@'],
  [
    'a duplicate id',
    ['a', 'b'].map((name) => ({
      email: `${name}@example.com`,
      id: 'a11ce000-0000-4000-8000-000000000001',
    })),
    'users[1].id: a11ce000',
  ],
  ['an invalid id', [{ ...ALICE, id: 'alice' }], 'users[0].id must be a UUID'],
  [
    'the birth date of a child',
    [{ ...ALICE, profile: { dob: '2020-01-01' } }],
    'users[0].profile.dob must be at least',
  ],
  [
    'an unknown integrator',
    [{ ...ALICE, integrators: ['mian'] }],
    'integrators[0]: There is no integrator mian; did you mean main?',
  ],
  ['no token access', [{ ...ALICE, accessibleBy: ['apiKey'] }], 'accessibleBy must include jwt'],
  [
    'a creation in the future',
    [{ ...ALICE, createdAt: '2026-07-01T12:00:00.001Z' }],
    'is after world time (2026-07-01T12:00:00.000Z)',
  ],
])('a user of a fixture with %s is refused', (_, users, message) => {
  expect(problemsOf(withUsers(...users)).join()).toContain(message)
})
