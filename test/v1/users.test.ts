import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEY_2, openApp, type TestApp } from '../helpers/app.ts'
import { API_LINK, callV1, refusedV1 } from './legacy.ts'

let app: TestApp

beforeEach(() => {
  app = openApp()
})
afterEach(() => app.close())

const find = async (email = API_LINK.email) =>
  (await app.control('GET', `/users/${encodeURIComponent(email)}`)) as {
    profile: Record<string, unknown>
  }

it('generateApiLink makes a user that v2 knows, with every field under its v2 name', async () => {
  await callV1(app, 'POST /generateApiLink', { body: API_LINK })
  const query = { email: API_LINK.email }
  const found = await app.call('GET /v2/users', { query })
  expect(found).toHaveLength(1)
  expect((await find()).profile).toMatchObject({
    firstName: 'Alice',
    lastName: 'Tremblay',
    dob: '1990-04-12',
    phone: '4165550101',
    addressLine1: '100 Example Street',
    addressLine2: 'Unit 5',
    city: 'Toronto',
    province: 'ON',
    postalCode: 'M5V 3L9',
    occupation: 'Teacher',
    pep: false,
    tpd: false,
  })
})

it('generateApiLink links to a page below the base URL that was called', async () => {
  const { verificationLink } = await callV1(app.world('other'), 'POST /generateApiLink', {
    body: API_LINK,
  })
  expect(verificationLink).toMatch(/^http:\/\/127\.0\.0\.1:4100\/w\/other\/_sandbox\/kyc\/\w+$/)
  expect((await app.send(verificationLink.slice(app.base.length))).status).toBe(200)
})

it('generateApiLink takes booleans as text', async () => {
  const body = { ...API_LINK, pep: 'true', tpd: 'false' }
  await callV1(app, 'POST /generateApiLink', { body })
  expect((await find()).profile).toMatchObject({ pep: true, tpd: false })
})

it.each(Object.keys(API_LINK))('generateApiLink requires %s, and says so', async (field) => {
  const body = { ...API_LINK, [field]: undefined }
  const refused = await refusedV1(app, 'POST /generateApiLink', { body }, [400])
  expect(refused.body).toEqual({ message: `${field} is required.`, status: 'error' })
})

it.each([
  [{ phone: '5550101' }, 'phone must be 10 digits, or +1 and 10 digits.'],
  [{ postal: 'K1A 0O6' }, 'postal must be a Canadian postal code such as M5V 3L9.'],
  [{ first_name: ' ' }, 'first_name must not be empty.'],
  [{ pep: 'maybe' }, 'pep must be a boolean, not "maybe".'],
])('generateApiLink refuses %o with the field names of v1', async (wrong, message) => {
  const body = { ...API_LINK, ...wrong }
  await refusedV1(app, 'POST /generateApiLink', { body }, [400, message])
  expect(await app.call('GET /v2/users', { query: { email: API_LINK.email } })).toEqual([])
})

const query = { email: API_LINK.email }

it('apiFindUser responds with the id that v2 uses, and the status', async () => {
  await callV1(app, 'POST /generateApiLink', { body: API_LINK })
  const { userId, userStatus } = await callV1(app, 'GET /apiFindUser', { query })
  expect(await app.call('GET /v2/users', { query })).toEqual([{ id: userId }])
  expect(userStatus).toBe('initial')
})

it('apiFindUser does not find anybody who is not registered', async () => {
  await refusedV1(app, 'GET /apiFindUser', { query }, [404, 'No user is registered'])
})

it('apiFindUser does not find a user of another integrator under users.visibility = integrator', async () => {
  await app.control('PATCH', '/settings', { 'users.visibility': 'integrator' })
  await callV1(app, 'POST /generateApiLink', { body: API_LINK })
  const call = { key: KEY_2, query }
  await refusedV1(app, 'GET /apiFindUser', call, [404, 'No user is registered'])
})

describe('sumsubImportUser', () => {
  const shareToken = async (kind: string, email: string = API_LINK.email): Promise<string> =>
    (await app.control('POST', '/simulate/share-tokens', { email, kind })).shareToken
  beforeEach(() => callV1(app, 'POST /generateApiLink', { body: API_LINK }))

  it('sumsubImportUser verifies the user whom the token is about', async () => {
    const body = { share_token: await shareToken('valid') }
    await callV1(app, 'POST /sumsubImportUser', { body })
    const query = { email: API_LINK.email }
    const { userStatus } = await callV1(app, 'GET /apiFindUser', { query })
    expect(userStatus).toBe('verified')
  })

  it.each([
    ['expired', 'The provided share token is malformed or expired.'],
    ['not-found', 'The applicant of the share token was not found.'],
    ['incomplete', 'The verification of the applicant is not complete.'],
  ])('sumsubImportUser refuses a token of the kind %s', async (kind, description) => {
    const call = { body: { share_token: await shareToken(kind) } }
    const { body } = await refusedV1(app, 'POST /sumsubImportUser', call, [400])
    expect(body).toEqual({
      message: `Sumsub error code: 10503, Sumsub error description: ${description}`,
      status: 'User could not be imported.',
    })
  })

  it('sumsubImportUser verifies the user of another integrator, and links them to the caller', async () => {
    const body = { share_token: await shareToken('valid') }
    await callV1(app, 'POST /sumsubImportUser', { key: KEY_2, body })
    expect(await find()).toMatchObject({ status: 'verified', integrators: ['main', 'second'] })
  })

  it('sumsubImportUser refuses an unknown user', async () => {
    const call = { body: { share_token: await shareToken('valid', 'nobody@example.com') } }
    const { body } = await refusedV1(app, 'POST /sumsubImportUser', call, [404])
    expect(body).toEqual({
      message:
        'No user is registered with the e-mail address in the share token (nobody@example.com).',
      status: 'User could not be imported.',
    })
  })
})
