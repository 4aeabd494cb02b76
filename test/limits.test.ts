import { expect, it } from 'vitest'
import { TASKS_PER_USER_MAX } from '../src/world/kyc.ts'
import { openControl } from './control/control.ts'
import { KEY } from './helpers/app.ts'
import { logIn } from './helpers/story.ts'

it('a user has at most a thousand scheduled decisions', async () => {
  await using control = openControl()
  const { app } = control
  const path = '/simulate/users/alice@example.com/kyc'
  const body = { status: 'in-review', after: '1h' }
  for (let i = 0; i < TASKS_PER_USER_MAX; i++) await app.control('POST', path, body)
  const { status, errors } = await control.refused('POST', path, { body })
  expect([status, errors[0]?.field]).toEqual([400, 'after'])
  await app.advance('1h')
  await app.control('POST', path, body)
})

it('the wallet of an order has at most 500 characters', async () => {
  await using control = openControl()
  const alice = await logIn(control.app)
  const { errors } = await alice.refusedBuy({ wallet: 'x'.repeat(501) })
  expect(errors[0]?.message).toBe('wallet may be at most 500 characters long.')
})

it.each(['email', 'dob'])(
  'a text that fills the longest body is refused at once as %s',
  async (field) => {
    await using control = openControl()
    for (const part of ['x', 'a@', '1/', '-']) {
      const body = { email: 'a@example.com', [field]: part.repeat(900_000 / part.length) }
      const { status } = await control.app.send('/v2/users', {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(status).toBe(400)
    }
  },
)

it('the health of a sandbox with a control token is open to everyone, and the rest of it to the holder of the token', async () => {
  await using control = openControl({ controlToken: 'secret' })
  const ask = async (headers: Record<string, string>) =>
    JSON.parse((await control.app.send('/_sandbox/health', { headers })).text)
  const bare = { status: 'ok', version: expect.any(String) }
  const probes: Record<string, string>[] = [
    {},
    { authorization: 'Bearer other' },
    { host: '10.1.2.3' },
  ]
  for (const headers of probes) {
    expect(await ask(headers)).toEqual(bare)
  }
  expect(await ask({ authorization: 'Bearer secret' })).toMatchObject({ world: 'default' })
})
