import { describe, expect, it } from 'vitest'
import { type Door, KEY, KEY_2, openDoor } from '../helpers/door.ts'
import { logIn, PROFILE, register, review, verifiedUser } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'

interface Heard {
  integrator: string
  type: string
  status: string
}

/** Who heard which status of a user. */
async function heard(door: Door): Promise<string[]> {
  const { events } = await door.control('GET', '/events?type=user.update')
  return events.map(({ integrator, status }: Heard) => `${integrator} ${status}`)
}

const linksOf = async (door: Door): Promise<string[]> =>
  (await door.control('GET', `/users/${EMAIL}`)).integrators

describe('a user of the platform', () => {
  it('is found by the hint of a creation that is refused', async () => {
    const door = openDoor()
    const id = await register(door)
    const call = { key: KEY_2, body: { email: EMAIL } }
    expect(await door.refused('POST /v2/users', call)).toMatchObject({ status: 409 })
    const { requests } = await door.control('GET', '/requests')
    const { reason } = await door.control('GET', `/requests/${requests.at(-1)?.id}`)
    expect(reason?.hint).toContain('GET /v2/users?email=')
    expect(await door.call('GET /v2/users', { key: KEY_2, query: { email: EMAIL } })).toEqual([
      { id },
    ])
    expect(await linksOf(door)).toEqual(['main'])
  })

  it('is linked by a login, and its integrator hears what comes after', async () => {
    const door = openDoor()
    const { id } = await verifiedUser(door)
    const body = { email: EMAIL }
    await door.call('POST /v2/auth/login-codes', { key: KEY_2, body })
    expect(await linksOf(door)).toEqual(['main'])
    await logIn(door, { key: KEY_2 })
    await logIn(door, { key: KEY_2 })
    expect(await linksOf(door)).toEqual(['main', 'second'])
    await review(door, id, 'inactive')
    expect(await heard(door)).toEqual(['main verified', 'main inactive', 'second inactive'])
  })

  it('is linked by an import, which its integrator hears already', async () => {
    const door = openDoor()
    const path = { userId: await register(door) }
    const { shareToken } = await door.control('POST', '/simulate/share-tokens', { email: EMAIL })
    await door.call('PUT /v2/users/{userId}/kyc', { key: KEY_2, path, body: { shareToken } })
    expect(await heard(door)).toEqual(['main verified', 'second verified'])
  })

  it('is not linked by a call that fails, or by what another key reads and supplies', async () => {
    const door = openDoor()
    const path = { userId: await register(door) }
    const call = { key: KEY_2, path }
    const wrong = { ...call, body: { shareToken: 'x' } }
    expect(await door.refused('PUT /v2/users/{userId}/kyc', wrong)).toMatchObject({ status: 400 })
    await door.call('GET /v2/users/{userId}/requirements', call)
    await door.call('GET /v2/users/{userId}/kyc-url', call)
    await door.call('PATCH /v2/users/{userId}', { ...call, body: { city: 'Ottawa' } })
    expect(await linksOf(door)).toEqual(['main'])
  })

  it('has transactions that stay with the integrator that created them', async () => {
    const door = openDoor()
    const alice = await verifiedUser(door)
    const elsewhere = await logIn(door, { key: KEY_2 })
    const { id: txId } = await alice.buy()
    const path = { txId }
    expect(await elsewhere.refused('GET /v2/transactions/{txId}', { path })).toMatchObject({
      status: 404,
    })
    expect((await elsewhere.call('GET /v2/transactions')).total).toBe(0)
    const { events } = await door.control('GET', `/events?ref=${txId}`)
    expect(events.map(({ integrator }: Heard) => integrator)).toEqual(['main'])
    await alice.buy()
    await elsewhere.buy()
    expect(await elsewhere.refusedBuy()).toMatchObject({ errors: [{ field: 'transactions' }] })
  })

  it('keeps its links when users.visibility becomes integrator', async () => {
    const door = openDoor()
    const alice = await verifiedUser(door)
    await logIn(door, { key: KEY_2 })
    await door.control('PATCH', '/settings', { 'users.visibility': 'integrator' })
    await alice.call('GET /v2/limits')
    await (await logIn(door, { key: KEY_2 })).call('GET /v2/limits')
  })
})

describe('a creation', () => {
  it('may send a user.update (users.create.event = sent)', async () => {
    const door = openDoor({ settings: { 'users.create.event': 'sent' } })
    const id = await register(door)
    await review(door, id)
    expect(await heard(door)).toEqual(['main initial', 'main verified'])
  })
})

describe('a verified user', () => {
  it('may not change name and birth date (users.update.verified = refused)', async () => {
    const door = openDoor({ settings: { 'users.update.verified': 'refused' } })
    const id = await register(door)
    const path = { userId: id }
    await door.call('PATCH /v2/users/{userId}', { path, body: { firstName: 'Alicia' } })
    await review(door, id)
    const alice = await logIn(door)
    const body = { firstName: 'Zoë', lastName: PROFILE.lastName, dob: '1991-04-12' }
    expect(await alice.refused('PATCH /v2/users/{userId}', { body })).toMatchObject({
      status: 400,
      errors: [{ field: 'firstName' }, { field: 'dob' }],
    })
    await alice.call('PATCH /v2/users/{userId}', { body: { firstName: 'Alicia', city: 'Ottawa' } })
    await review(door, id, 'upload')
    await alice.call('PATCH /v2/users/{userId}', { body })
  })
})

describe('a login with an unknown e-mail address', () => {
  const body = { email: 'nobody@example.com' }

  it('may be hidden (login.unknown = hidden), except from the journal', async () => {
    const door = openDoor({ settings: { 'login.unknown': 'hidden' } })
    const call = { key: KEY, body }
    const answer = await door.call('POST /v2/auth/login-codes', call)
    const { requests } = await door.control('GET', '/requests')
    expect(requests.at(-1)?.notes).toEqual([expect.stringContaining('nothing was sent')])
    expect((await door.control('GET', '/inbox')).messages).toEqual([])
    await verifiedUser(door)
    expect(await door.call('POST /v2/auth/login-codes', { body: { email: EMAIL } })).toEqual(answer)
    const wrong = async (email: string) => {
      const call = { body: { email, code: '0000' } }
      return (await door.refused('POST /v2/auth/login-codes/verify', call)).errors
    }
    expect(await wrong(body.email)).toEqual(await wrong(EMAIL))
  })
})

describe('a login code that is wrong', () => {
  it('has the status of errors.validation where errors.loginCode is invalid', async () => {
    const settings = { 'errors.loginCode': 'invalid', 'errors.validation': '422' }
    const door = openDoor({ settings })
    await verifiedUser(door)
    const answer = await door.send('/v2/auth/login-codes/verify', {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ email: EMAIL, code: '0000' }),
    })
    expect(answer.status).toBe(422)
    const { why } = await door.control('GET', '/assumptions/errors.loginCode')
    expect(why).toContain('errors.validation')
  })
})
