import { describe, expect, it } from 'vitest'
import { KEY, KEY_2, NOWHERE, openDoor } from '../helpers/door.ts'
import { PROFILE, register, review } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'

describe('registering a user', () => {
  it('takes an e-mail address alone', async () => {
    const door = openDoor()
    const user = await door.call('POST /v2/users', { body: { email: EMAIL } })
    expect(user).toMatchObject({ accessibleBy: ['jwt'], status: 'initial' })
  })

  it('takes a whole profile, in any script', async () => {
    const door = openDoor()
    const body = { email: 'é漢🙂@example.com', ...PROFILE, firstName: '漢', lastName: 'Ñoño 🙂' }
    const { id } = await door.call('POST /v2/users', { body })
    const query = { email: 'É漢🙂@EXAMPLE.com'.toLowerCase() }
    expect(await door.call('GET /v2/users', { query })).toEqual([{ id }])
  })

  it('refuses an address that is registered already, in any case of letters', async () => {
    const door = openDoor()
    await register(door)
    for (const email of [EMAIL, 'ALICE@EXAMPLE.COM']) {
      expect(await door.refused('POST /v2/users', { body: { email } })).toMatchObject({
        status: 409,
        errors: [{ field: 'email' }],
      })
    }
  })

  it('refuses an address that another integrator registered', async () => {
    const door = openDoor()
    await register(door)
    expect(
      await door.refused('POST /v2/users', { key: KEY_2, body: { email: EMAIL } }),
    ).toMatchObject({
      status: 409,
    })
  })

  it('requires an e-mail address', async () => {
    const door = openDoor()
    expect(await door.refused('POST /v2/users', { body: PROFILE })).toMatchObject({
      status: 400,
      errors: [{ field: 'email', message: 'email is required.' }],
    })
  })

  it('lists everything that is wrong at once', async () => {
    const door = openDoor()
    const body = { email: 'nobody', dob: '1990-02-30', province: 'XX', postalCode: '1', phone: '2' }
    const { status, errors } = await door.refused('POST /v2/users', { body })
    expect(status).toBe(400)
    expect(errors.map(({ field }) => field).sort()).toEqual([
      'dob',
      'email',
      'phone',
      'postalCode',
      'province',
    ])
  })

  it('leaves nothing behind when it is refused', async () => {
    const door = openDoor()
    await door.refused('POST /v2/users', { body: { email: EMAIL, province: 'XX' } })
    expect(await door.call('GET /v2/users', { query: { email: EMAIL } })).toEqual([])
    await register(door)
  })
})

describe('finding a user', () => {
  it('answers its id and nothing else', async () => {
    const door = openDoor()
    const id = await register(door)
    expect(await door.call('GET /v2/users', { query: { email: EMAIL } })).toEqual([{ id }])
    expect(await door.call('GET /v2/users', { query: { email: 'Alice@Example.com' } })).toEqual([
      { id },
    ])
  })

  it('answers nothing for an unknown address', async () => {
    const door = openDoor()
    expect(await door.call('GET /v2/users', { query: { email: 'nobody@example.com' } })).toEqual([])
  })

  it('answers any integrator, whichever registered the user', async () => {
    const door = openDoor()
    const id = await register(door)
    const found = await door.call('GET /v2/users', { key: KEY_2, query: { email: EMAIL } })
    expect(found).toEqual([{ id }])
  })

  it('answers nothing to others under users.visibility = integrator', async () => {
    const door = openDoor({ settings: { 'users.visibility': 'integrator' } })
    await register(door)
    expect(await door.call('GET /v2/users', { key: KEY_2, query: { email: EMAIL } })).toEqual([])
  })

  it.each([{}, { email: '' }, { email: 'alice' }, { mail: EMAIL }])(
    'requires an e-mail address in the query, so %j is refused',
    async (query) => {
      expect(await openDoor().refused('GET /v2/users', { query })).toMatchObject({
        status: 400,
        errors: [{ field: 'email' }],
      })
    },
  )
})

describe('a user of another integrator', () => {
  it.each([
    ['PATCH /v2/users/{userId}', { city: 'Ottawa' }],
    ['GET /v2/users/{userId}/requirements', undefined],
    ['GET /v2/users/{userId}/kyc-url', undefined],
    ['PUT /v2/users/{userId}/kyc', { shareToken: 'x' }],
  ] as const)('does not exist for %s under users.visibility = integrator', async (route, body) => {
    const door = openDoor({ settings: { 'users.visibility': 'integrator' } })
    const userId = await register(door)
    for (const [key, id] of [
      [KEY_2, userId],
      [KEY, NOWHERE],
    ] as const) {
      const call = { key, path: { userId: id }, ...(body && { body }) }
      expect(await door.refused(route, call)).toMatchObject({
        status: 404,
        errors: [{ field: 'userId' }],
      })
    }
  })
})

describe('the status of a user', () => {
  it('is what reviewers made of it, one after the other', async () => {
    const door = openDoor()
    const id = await register(door)
    for (const status of ['active', 'in-review', 'upload', 'rejected', 'verified', 'inactive']) {
      expect(await review(door, id, status)).toMatchObject({ to: status })
    }
  })

  it('changes later when a reviewer takes a while', async () => {
    const door = openDoor()
    const id = await register(door)
    const body = { status: 'verified', after: '10m' }
    await door.control('POST', `/simulate/users/${id}/kyc`, body)
    const call = { path: { userId: id }, body: {} }
    await door.advance('599s')
    expect(await door.call('PATCH /v2/users/{userId}', call)).toMatchObject({ status: 'initial' })
    await door.advance('1s')
    const refused = await door.refused('PATCH /v2/users/{userId}', call)
    expect(refused.status).toBe(401)
  })
})
