import { describe, expect, it } from 'vitest'
import type { Door } from '../helpers/door.ts'
import { NOON, openDoor } from '../helpers/door.ts'
import { openHooks } from '../helpers/hooks.ts'
import { logIn, PROFILE, register, review, verifiedUser } from '../helpers/story.ts'

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

async function outstanding(door: Door, userId: string): Promise<string[]> {
  const route = 'GET /v2/users/{userId}/requirements'
  const requirements = await door.call(route, { path: { userId } })
  return requirements.outstanding.map(({ field }) => field)
}

const patch = (door: Door, userId: string, body: unknown) =>
  door.call('PATCH /v2/users/{userId}', { path: { userId }, body })

const shareToken = async (door: Door, body: unknown): Promise<string> =>
  (await door.control('POST', '/simulate/share-tokens', body)).shareToken

describe('the requirements', () => {
  it('list what a bare user lacks', async () => {
    const door = openDoor()
    const id = await register(door, { profile: {} })
    expect(await outstanding(door, id)).toEqual([
      'firstName',
      'lastName',
      'dob',
      'addressLine1',
      'city',
      'province',
      'postalCode',
      'occupation',
      'purpose',
      'pep',
      'tpd',
      'kyc',
    ])
  })

  it('shrink with each field that is sent, one at a time', async () => {
    const door = openDoor()
    const id = await register(door, { profile: {} })
    const { phone: _, ...fields } = EVERYTHING
    let left = (await outstanding(door, id)).length
    for (const [field, value] of Object.entries(fields)) {
      await patch(door, id, { [field]: value })
      const now = await outstanding(door, id)
      expect(now).not.toContain(field)
      expect(now).toHaveLength(--left)
    }
    expect(await outstanding(door, id)).toEqual(['kyc'])
  })

  it('are complete for a verified user with a whole profile', async () => {
    const door = openDoor()
    const id = await register(door)
    await patch(door, id, { purpose: 'Savings' })
    await review(door, id)
    const call = { path: { userId: id } }
    expect(await door.call('GET /v2/users/{userId}/requirements', call)).toEqual({
      complete: true,
      outstanding: [],
    })
  })

  it('count false as an answer', async () => {
    const door = openDoor()
    const id = await register(door, { profile: { pep: false, tpd: false } })
    const fields = await outstanding(door, id)
    expect(fields).not.toContain('pep')
    expect(fields).not.toContain('tpd')
  })

  it('say why a reviewer rejected', async () => {
    const door = openDoor()
    const id = await register(door)
    const reasons = ['The photo is blurred.']
    await door.control('POST', `/simulate/users/${id}/kyc`, { status: 'rejected', reasons })
    const call = { path: { userId: id } }
    const { outstanding: left } = await door.call('GET /v2/users/{userId}/requirements', call)
    const kyc = left.find(({ field }) => field === 'kyc')
    expect(kyc?.message).toContain('The photo is blurred.')
  })

  it('ask more of a user who turns 60 today, and not of one who does tomorrow', async () => {
    const door = openDoor()
    const sixty = await register(door, { profile: { ...EVERYTHING, dob: '1966-07-01' } })
    const younger = await register(door, {
      email: 'bob@example.com',
      profile: { ...EVERYTHING, dob: '1966-07-02' },
    })
    expect(await outstanding(door, sixty)).toContain('olderUserInfo')
    expect(await outstanding(door, younger)).not.toContain('olderUserInfo')
    await door.advance('12h')
    expect(await outstanding(door, younger)).toContain('olderUserInfo')
  })

  it('want every field of olderUserInfo, sent together or one by one', async () => {
    const door = openDoor()
    const id = await register(door, { profile: { dob: '1950-01-01' } })
    for (const [field, value] of Object.entries(OLDER_USER_INFO)) {
      expect(await outstanding(door, id)).toContain('olderUserInfo')
      await patch(door, id, { olderUserInfo: { [field]: value } })
    }
    expect(await outstanding(door, id)).not.toContain('olderUserInfo')
    await patch(door, id, { olderUserInfo: { walletProvider: 'Another' } })
    expect(await outstanding(door, id)).not.toContain('olderUserInfo')
  })

  it('are not met by blanks in olderUserInfo', async () => {
    const door = openDoor()
    const id = await register(door, { profile: { dob: '1950-01-01' } })
    const blank = { ...OLDER_USER_INFO, whoReferredYou: ' ' }
    const call = { path: { userId: id }, body: { olderUserInfo: blank } }
    const answer = await door.refused('PATCH /v2/users/{userId}', call)
    expect(answer).toMatchObject({
      status: 400,
      errors: [{ field: 'olderUserInfo.whoReferredYou' }],
    })
    expect(await outstanding(door, id)).toContain('olderUserInfo')
  })
})

describe('an onboarding update', () => {
  it('may be empty', async () => {
    const door = openDoor()
    const id = await register(door)
    expect(await patch(door, id, {})).toMatchObject({ id, status: 'initial' })
  })

  it('changes nothing when one of its fields is wrong', async () => {
    const door = openDoor()
    const id = await register(door, { profile: {} })
    const call = { path: { userId: id }, body: { city: 'Ottawa', province: 'XX' } }
    await door.refused('PATCH /v2/users/{userId}', call)
    expect(await outstanding(door, id)).toContain('city')
  })

  it('needs no token until the user is verified, and says so', async () => {
    const door = openDoor()
    const id = await register(door)
    const body = '{"city":"Ottawa"}'
    const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
    const answer = await door.send(`/v2/users/${id}`, { method: 'PATCH', headers, body })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-sandbox-assumption')).toBe('onboarding.auth')
    await review(door, id)
    const call = { path: { userId: id }, body: {} }
    expect(await door.refused('PATCH /v2/users/{userId}', call)).toMatchObject({
      status: 401,
      errors: [{ field: 'authorization' }],
    })
    const alice = await logIn(door)
    await alice.call('PATCH /v2/users/{userId}', { body: { city: 'Ottawa' } })
  })
})

describe('a KYC link', () => {
  it('leads to a page of this world and says when it dies', async () => {
    const door = openDoor().world('kyc')
    const id = await register(door)
    const call = { path: { userId: id } }
    const { url, expiresAt } = await door.call('GET /v2/users/{userId}/kyc-url', call)
    expect(url.startsWith(`${door.base}/_sandbox/kyc/`)).toBe(true)
    expect(Date.parse(expiresAt) - Date.parse(NOON)).toBe(30 * 60_000)
  })

  it('is another one each time', async () => {
    const door = openDoor()
    const id = await register(door)
    const call = { path: { userId: id } }
    const first = await door.call('GET /v2/users/{userId}/kyc-url', call)
    const second = await door.call('GET /v2/users/{userId}/kyc-url', call)
    expect(second.url).not.toBe(first.url)
  })

  it('wants the token of a user who is verified', async () => {
    const door = openDoor()
    const alice = await verifiedUser(door)
    const call = { path: { userId: alice.id } }
    expect(await door.refused('GET /v2/users/{userId}/kyc-url', call)).toMatchObject({
      status: 401,
    })
    await alice.call('GET /v2/users/{userId}/kyc-url')
  })
})

describe('a KYC import', () => {
  it.each(['shareToken', 'share_token'])('verifies the user of a good %s', async (field) => {
    const door = openDoor()
    await using hooks = await openHooks(door)
    const id = await register(door)
    const token = await shareToken(door, { email: 'alice@example.com' })
    expect(token).toMatch(/^_act-sbx-jwt-/)
    const call = { path: { userId: id }, body: { [field]: token } }
    const user = await door.call('PUT /v2/users/{userId}/kyc', call)
    expect(user).toMatchObject({ id, status: 'verified' })
    expect(await hooks.statuses()).toEqual(['verified'])
    await door.call('PUT /v2/users/{userId}/kyc', call)
    expect(await hooks.statuses()).toEqual(['verified'])
  })

  it.each([
    ['expired', 'malformed or expired'],
    ['not-found', 'not found'],
    ['incomplete', 'not complete'],
  ])('refuses a share token that is %s, with the reason', async (kind, reason) => {
    const door = openDoor()
    const id = await register(door)
    const token = await shareToken(door, { email: 'alice@example.com', kind })
    const call = { path: { userId: id }, body: { shareToken: token } }
    const { status, errors } = await door.refused('PUT /v2/users/{userId}/kyc', call)
    expect([status, errors[0]?.field]).toEqual([400, 'shareToken'])
    expect(errors[0]?.message).toContain(reason)
    expect(await outstanding(door, id)).toContain('kyc')
  })

  it.each([
    ['nothing', ''],
    ['a word', 'token'],
    ['a plain JWT', 'eyJhbGciOiJub25lIn0.e30.'],
    ['no payload', '_act-sbx-jwt-'],
    ['a payload that is not JSON', '_act-sbx-jwt-eyJhbGciOiJub25lIn0.bm8.'],
    ['a payload that is not base64', '_act-sbx-jwt-eyJhbGciOiJub25lIn0.A.'],
    ['a payload that is a number', '_act-sbx-jwt-eyJhbGciOiJub25lIn0.Nw.'],
  ])('refuses %s as malformed', async (_, malformed) => {
    const door = openDoor()
    const id = await register(door)
    const call = { path: { userId: id }, body: { shareToken: malformed } }
    expect(await door.refused('PUT /v2/users/{userId}/kyc', call)).toMatchObject({
      status: 400,
      errors: [{ field: 'shareToken' }],
    })
  })

  it('refuses the share token of another applicant', async () => {
    const door = openDoor()
    const id = await register(door)
    const token = await shareToken(door, { email: 'bob@example.com' })
    const call = { path: { userId: id }, body: { shareToken: token } }
    expect(await door.refused('PUT /v2/users/{userId}/kyc', call)).toMatchObject({ status: 400 })
    expect(await outstanding(door, id)).toContain('kyc')
  })

  it('knows an applicant in any script and case', async () => {
    const door = openDoor()
    const email = 'é漢🙂@example.com'
    const id = await register(door, { email })
    const token = await shareToken(door, { email: email.toUpperCase() })
    const call = { path: { userId: id }, body: { shareToken: token } }
    await door.call('PUT /v2/users/{userId}/kyc', call)
  })
})
