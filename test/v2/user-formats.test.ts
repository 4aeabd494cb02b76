import { describe, expect, it } from 'vitest'
import { openApp } from '../helpers/app.ts'
import { PROFILE, register } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'
const PROVINCES = ['ab', 'bc', 'mb', 'nb', 'nl', 'ns', 'nt', 'nu', 'on', 'pe', 'qc', 'sk', 'yt']

/** The clock stands at 2026-07-01. */
const FORMATS: { field: string; good: unknown[]; bad: unknown[] }[] = [
  {
    field: 'email',
    good: ['a@b.co', 'a.b.c@d.e.co', '漢@例え.jp', `${'a'.repeat(64)}@example.com`],
    bad: [
      '',
      'alice@',
      '@example.com',
      'alice@example',
      'a b@example.com',
      'alice@example.com\n',
      'al\u0000ice@example.com',
      'alice@example.com\u202e',
      'Alice <alice@example.com>',
      ...['alice@example..com', 'alice@example.com.', 'alice@.example.com'],
      ...['al..ice@example.com', '.alice@example.com', 'alice.@example.com'],
      ...[`${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(250)}.com`],
    ],
  },
  {
    field: 'dob',
    good: ['2008-07-01', '2000-02-29', '1896-07-01'],
    bad: ['2008-07-02', '2001-02-29', '1895-06-30', '1990-13-01', '1990-4-12', '12/04/1990', ''],
  },
  {
    field: 'province',
    good: [...PROVINCES, 'ON', 'On'],
    bad: ['XX', 'Ontario', 'on ', ''],
  },
  {
    field: 'postalCode',
    good: ['M5V 3L9', 'm5v3l9', 'M5V-3L9'],
    bad: ['W5V 3L9', 'D5V 3L9', 'M5V 3O9', 'M5V  3L9', 'M5V 3L', '90210', ''],
  },
  {
    field: 'phone',
    good: ['4165550101', '+14165550101'],
    bad: ['14165550101', '416555010', '41655501011', '416-555-0101', '+24165550101', ''],
  },
  {
    field: 'firstName',
    good: ['A', '漢', 'x'.repeat(500)],
    bad: ['', '   ', 'x'.repeat(501), 7],
  },
  { field: 'addressLine2', good: ['', 'Unit 2'], bad: ['x'.repeat(501), 2] },
  { field: 'pep', good: [true, false], bad: ['true', 1] },
]

describe('the format of', () => {
  describe.each(FORMATS)('$field', ({ field, good, bad }) => {
    it.each(good)(`the field ${field} of a user may be %j`, async (value) => {
      const body = { email: EMAIL, ...PROFILE, [field]: value }
      await openApp().call('POST /v2/users', { body })
    })

    it.each(bad)(
      `the field ${field} of a user may not be %j, and the error names it`,
      async (value) => {
        const body = { email: EMAIL, ...PROFILE, [field]: value }
        const { status, errors } = await openApp().refused('POST /v2/users', { body })
        expect(status).toBe(400)
        expect(errors.map((error) => error.field)).toEqual([field])
      },
    )
  })

  it.each(FORMATS.filter(({ field }) => !['email', 'phone'].includes(field)))(
    'the format of $field is the same for an update',
    async ({ field, good, bad }) => {
      const app = openApp()
      const userId = await register(app, { profile: {} })
      const patch = (value: unknown) => ({ path: { userId }, body: { [field]: value } })
      for (const value of good) await app.call('PATCH /v2/users/{userId}', patch(value))
      for (const value of bad) {
        const { status, errors } = await app.refused('PATCH /v2/users/{userId}', patch(value))
        expect([status, errors[0]?.field]).toEqual([400, field])
      }
    },
  )
})

const wrong = { pep: 'yes', dob: '2001-02-29', phone: '1', lastName: null, nickname: '' }

it('all wrong fields are named when a user is registered, even if one of them cannot be read', async () => {
  const app = openApp()
  const body = { email: 'alice', firstName: 'Alice', ...wrong }
  const { status, errors } = await app.refused('POST /v2/users', { body })
  expect(status).toBe(400)
  expect(errors.map((error) => error.field)).toEqual(['pep', 'email', 'dob', 'phone'])
})

it('all wrong fields are named in an update, even if one of them cannot be read', async () => {
  const app = openApp()
  const userId = await register(app, { profile: {} })
  const body = { ...wrong, olderUserInfo: { occupation: '' } }
  const { errors } = await app.refused('PATCH /v2/users/{userId}', { path: { userId }, body })
  const fields = ['pep', 'olderUserInfo.occupation', 'dob']
  expect(errors.map((error) => error.field)).toEqual(fields)
})
