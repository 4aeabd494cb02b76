import { expect, it } from 'vitest'
import { openApp, refusal, sendTo, type TestApp } from '../helpers/app.ts'
import { logIn, PROFILE, register, review } from '../helpers/story.ts'

const OLDER_USER_INFO = {
  sourceOfFunds: 'Pension',
  intendedUseOfUSDC: 'Savings',
  walletProvider: 'A hardware wallet',
  walletAddress: '0x52908400098527886e0f7030069857d2e4169ee7',
  howDidYouHear: 'A friend',
  whoReferredYou: 'Nobody',
  previousCryptoExperience: 'None',
}
const EVERYTHING = { ...PROFILE, purpose: 'Savings' }

async function outstanding(app: TestApp, userId: string): Promise<string[]> {
  const route = 'GET /v2/users/{userId}/requirements'
  const requirements = await app.call(route, { path: { userId } })
  return requirements.outstanding.map(({ field }) => field)
}

const patch = (app: TestApp, userId: string, body: unknown) =>
  app.call('PATCH /v2/users/{userId}', { path: { userId }, body })

it('the requirements list what a bare user lacks, and shrink with each field that is sent', async () => {
  const app = openApp()
  const id = await register(app, { profile: {} })
  const { phone: _, ...fields } = EVERYTHING
  const lacking = await outstanding(app, id)
  expect(lacking.toSorted()).toEqual([...Object.keys(fields), 'kyc'].sort())
  let left = lacking.length
  for (const [field, value] of Object.entries(fields)) {
    await patch(app, id, { [field]: value })
    const now = await outstanding(app, id)
    expect(now).not.toContain(field)
    expect(now).toHaveLength(--left)
  }
  expect(await outstanding(app, id)).toEqual(['kyc'])
})

it('the requirements are complete for a verified user with a whole profile', async () => {
  const app = openApp()
  const id = await register(app)
  await patch(app, id, { purpose: 'Savings' })
  await review(app, id)
  const call = { path: { userId: id } }
  expect(await app.call('GET /v2/users/{userId}/requirements', call)).toEqual({
    complete: true,
    outstanding: [],
  })
})

it('the requirements say why a reviewer rejected the user', async () => {
  const app = openApp()
  const id = await register(app)
  const reasons = ['The photo is blurred.']
  await app.control('POST', `/simulate/users/${id}/kyc`, { status: 'rejected', reasons })
  const call = { path: { userId: id } }
  const { outstanding: left } = await app.call('GET /v2/users/{userId}/requirements', call)
  const kyc = left.find(({ field }) => field === 'kyc')
  expect(kyc?.message).toContain('The photo is blurred.')
})

it('the requirements ask more of a user who turns 60 today, and not of one who does tomorrow', async () => {
  const app = openApp()
  const sixty = await register(app, { profile: { ...EVERYTHING, dob: '1966-07-01' } })
  const younger = await register(app, {
    email: 'bob@example.com',
    profile: { ...EVERYTHING, dob: '1966-07-02' },
  })
  expect(await outstanding(app, sixty)).toContain('olderUserInfo')
  expect(await outstanding(app, younger)).not.toContain('olderUserInfo')
  await app.advance('12h')
  expect(await outstanding(app, younger)).toContain('olderUserInfo')
})

it.each(Object.entries(OLDER_USER_INFO))(
  'the requirements include %s of olderUserInfo',
  async (field, value) => {
    const app = openApp()
    const id = await register(app, { profile: { dob: '1950-01-01' } })
    await patch(app, id, { olderUserInfo: { ...OLDER_USER_INFO, [field]: null } })
    expect(await outstanding(app, id)).toContain('olderUserInfo')
    await patch(app, id, { olderUserInfo: { [field]: value } })
    expect(await outstanding(app, id)).not.toContain('olderUserInfo')
  },
)

it('the requirements include the identity check in every status but verified', async () => {
  const app = openApp()
  const id = await register(app, { profile: EVERYTHING })
  for (const status of ['in-review', 'upload', 'rejected', 'active', 'inactive']) {
    await review(app, id, status)
    expect(await outstanding(app, id), status).toContain('kyc')
  }
})

it('the requirements take the newest olderUserInfo', async () => {
  const app = openApp()
  const id = await register(app, { profile: { dob: '1950-01-01' } })
  await patch(app, id, { olderUserInfo: OLDER_USER_INFO })
  await patch(app, id, { olderUserInfo: { walletProvider: 'Another' } })
  const { profile } = await app.control('GET', `/users/${id}`)
  expect(profile.olderUserInfo).toEqual({ ...OLDER_USER_INFO, walletProvider: 'Another' })
})

it('the requirements keep the fields of olderUserInfo that another update does not send', async () => {
  const app = openApp()
  const id = await register(app, { profile: { dob: '1950-01-01' } })
  for (const [field, value] of Object.entries(OLDER_USER_INFO)) {
    expect(await outstanding(app, id)).toContain('olderUserInfo')
    await patch(app, id, { olderUserInfo: { [field]: value } })
  }
  await patch(app, id, { olderUserInfo: { walletProvider: 'Another' } })
  expect(await outstanding(app, id)).not.toContain('olderUserInfo')
})

it('an onboarding update needs no token until the user is verified, and says so', async () => {
  const app = openApp()
  const id = await register(app)
  const response = await sendTo(app, `PATCH /v2/users/${id}`, { body: { city: 'Ottawa' } })
  expect(response.status).toBe(200)
  const request = `/requests/${response.headers.get('x-sandbox-request')}`
  expect((await app.control('GET', request)).notes).toEqual([
    'Which credentials does `updateUser` take? Decided by the setting auth.updateUser: key-until-verified.',
  ])
  await review(app, id)
  const call = { path: { userId: id }, body: {} }
  expect(await app.refused('PATCH /v2/users/{userId}', call)).toMatchObject(
    refusal(401, 'authorization'),
  )
  const alice = await logIn(app)
  await alice.call('PATCH /v2/users/{userId}', { body: { city: 'Ottawa' } })
})

it.each([
  ['token', 401, 401],
  ['key-until-verified', 401, 404],
])(
  'an onboarding update under %s is %i for a known user without a token, and %i for an unknown one',
  async (rule, known, none) => {
    const app = openApp({ settings: { 'auth.updateUser': rule } })
    const id = await register(app)
    await review(app, id)
    const statusOf = async (userId: string) =>
      (await app.refused('PATCH /v2/users/{userId}', { path: { userId }, body: {} })).status
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect([await statusOf(id), await statusOf(unknown)]).toEqual([known, none])
  },
)

it('the requirements give the reasons of a reviewer in a sentence of their own', async () => {
  const app = openApp()
  const userId = await register(app)
  await app.control('POST', `/simulate/users/${userId}/kyc`, {
    status: 'rejected',
    reasons: ['The photo is blurred.', 'The name differs'],
  })
  const { outstanding: lacking } = await app.call('GET /v2/users/{userId}/requirements', {
    path: { userId },
  })
  expect(lacking.at(-1)).toEqual({
    field: 'kyc',
    message: 'Identity verification was rejected. Reasons: The photo is blurred; The name differs.',
  })
})
