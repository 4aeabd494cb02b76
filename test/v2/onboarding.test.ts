import { describe, expect, it } from 'vitest'
import type { Door } from '../helpers/door.ts'
import { openDoor } from '../helpers/door.ts'
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

async function outstanding(door: Door, userId: string): Promise<string[]> {
  const route = 'GET /v2/users/{userId}/requirements'
  const requirements = await door.call(route, { path: { userId } })
  return requirements.outstanding.map(({ field }) => field)
}

const patch = (door: Door, userId: string, body: unknown) =>
  door.call('PATCH /v2/users/{userId}', { path: { userId }, body })

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
