import { expect, it } from 'vitest'
import { KEY_2, openApp, type TestApp } from '../helpers/app.ts'
import { logIn, PROFILE, quote, review } from '../helpers/story.ts'
import { API_LINK, callV1 } from '../v1/legacy.ts'

const EMAIL = 'alice@example.com'
// The helpers that register and log in read the usual responses.
const CONTRACT = { preset: 'contract', 'responses.fields': 'full' }
const ALL = { email: EMAIL, ...PROFILE, addressLine2: 'Unit 1' }

/** A user whom the first integrator registered, in a world that keeps to the contract. */
async function openStrict(status = 'verified'): Promise<{ app: TestApp; id: string }> {
  const app = openApp({ settings: CONTRACT })
  const { id } = await app.call('POST /v2/users', { body: ALL })
  if (status !== 'initial') await review(app, id, status)
  return { app, id }
}

const shareToken = async (app: TestApp): Promise<string> =>
  (await app.control('POST', '/simulate/share-tokens', { email: EMAIL })).shareToken

const linksOf = async (app: TestApp): Promise<string[]> =>
  (await app.control('GET', `/users/${EMAIL}`)).integrators

it('by the contract alone, a second integrator does not find the user of the first, and may not register it again', async () => {
  const { app, id } = await openStrict()
  const found = await app.call('GET /v2/users', { key: KEY_2, query: { email: EMAIL } })
  expect(found).toEqual([])
  const path = { userId: id }
  const read = await app.refused('GET /v2/users/{userId}/requirements', { key: KEY_2, path })
  expect(read.status).toBe(404)
  const again = await app.refused('POST /v2/users', { key: KEY_2, body: ALL })
  expect(again).toMatchObject({ status: 409, errors: [{ field: 'email' }] })
})

it('by the contract alone, a second integrator logs the user in, and finds it from then on', async () => {
  const { app, id } = await openStrict()
  const alice = await logIn(app, { key: KEY_2 })
  expect(await linksOf(app)).toEqual(['main', 'second'])
  const query = { email: EMAIL }
  expect(await app.call('GET /v2/users', { key: KEY_2, query })).toEqual([{ id }])
  await alice.call('PATCH /v2/users/{userId}', { body: { city: 'Ottawa' } })
})

it('by the contract alone, a second integrator imports the verification of the user', async () => {
  const { app, id } = await openStrict('initial')
  const body = { shareToken: await shareToken(app) }
  await app.call('PUT /v2/users/{userId}/kyc', { key: KEY_2, path: { userId: id }, body })
  expect(await linksOf(app)).toEqual(['main', 'second'])
})

it('by the contract alone, a second integrator imports the verification of the user in v1 as well', async () => {
  const { app } = await openStrict('initial')
  await app.control('PATCH', '/settings', { 'v1.sunset': 'extended' })
  const body = { share_token: await shareToken(app) }
  await callV1(app, 'POST /sumsubImportUser', { key: KEY_2, body })
  expect(await linksOf(app)).toEqual(['main', 'second'])
  expect(API_LINK.email).toBe(EMAIL)
})

it('by the contract alone, a verified user may change every field that PATCH has, because every field is optional', async () => {
  const { app } = await openStrict()
  const alice = await logIn(app)
  const body = { firstName: 'Zoë', lastName: 'Other', dob: '1991-04-12' }
  await alice.call('PATCH /v2/users/{userId}', { body })
})

it.each([
  ['USDC-ETH', 'CAD', 33.3 * 3, 99.9],
  ['USDC-ETH', 'CAD', 100.000_000_5, 100.000_001],
  ['USDC-ETH', 'CAD', 100.000_000_4, 100],
  ['CAD', 'USDC-ETH', 33.3 * 3, 99.9],
])(
  'an amount with floating-point noise of %s for %s is rounded: %d is %d',
  async (leftSideLabel, rightSideLabel, asked, is) => {
    const app = openApp()
    const made = await quote(app, { leftSideLabel, rightSideLabel, leftSideValue: asked })
    expect(made.leftSideValue).toBe(is)
  },
)

it('an amount with floating-point noise is refused if a setting says so, for coins as for CAD', async () => {
  const app = openApp({ settings: { 'status.too-many-decimals': 400 } })
  const query = { leftSideLabel: 'USDC-ETH', leftSideValue: 33.3 * 3, rightSideLabel: 'CAD' }
  const refused = await app.refused('GET /v2/quotes', { query })
  expect(refused).toMatchObject({ status: 400, errors: [{ field: 'leftSideValue' }] })
  expect(refused.headers.get('x-sandbox-error')).toBe('too-many-decimals')
})
