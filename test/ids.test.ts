import { expect, it } from 'vitest'
import type { WorldsOptions } from '../src/host/worlds.ts'
import { type Control, controlOf, openControl } from './control/control.ts'
import { validKyb } from './helpers/kyb.ts'
import { logIn, receiveFunds, register, settle } from './helpers/story.ts'

const ALICE = 'alice@example.com'
const USERS = { users: [{ email: ALICE, status: 'verified' }] }
const HOOKS = { body: { url: 'http://127.0.0.1:1/hooks' } }

/** Creates one thing of each kind, and returns every id and secret text that callers see. */
async function collectIds({ app, get, post }: Control): Promise<string[]> {
  await post('/users', { email: 'carol@example.com' })
  const alice = await logIn(app)
  const buy = await alice.buy()
  await receiveFunds(app, buy.id)
  await settle(app, buy.id)
  const sell = await alice.sell()
  const link = await alice.call('GET /v2/users/{userId}/kyc-url', { path: { userId: alice.id } })
  const { events } = await get('/events')
  const { items: users } = await get('/users')
  const { items: transactions } = await get('/transactions')
  return [
    JSON.parse(atob(alice.token.split('.')[1] ?? '')).jti,
    new URL(link.url).pathname.split('/').at(-1) ?? '',
    sell.depositAddress ?? '',
    ...users.map(({ id }: { id: string }) => id),
    ...events.map(({ id }: { id: string }) => id),
    ...transactions.flatMap(({ id, rmtId, paymentId }: Record<string, string>) => [
      id,
      rmtId,
      ...(paymentId === null ? [] : [paymentId]),
    ]),
  ]
}

/** Ids of a fresh sandbox, after the given steps in one of its worlds. */
async function idsOf(
  options: WorldsOptions,
  { name, reset }: { name?: string; reset?: object } = {},
): Promise<string[]> {
  await using control = open(options)
  const world = name === undefined ? control : controlOf(control.app.world(name))
  if (reset) await world.post('/reset', reset)
  return await collectIds(world)
}

const open = (options: WorldsOptions = {}) => openControl({ fixture: USERS, ...options })
const readAlice = async (control: Control) => (await control.get(`/users/${ALICE}`)).id

const makeSecret = async ({ app }: Control): Promise<string | undefined> =>
  (await app.call('PUT /v2/webhook-configurations', HOOKS)).signingSecret

it('ids of one world never occur in another, whatever the order', async () => {
  await using control = open()
  const one = await collectIds(controlOf(control.app.world('one')))
  const main = await collectIds(control)
  const two = await collectIds(controlOf(control.app.world('two')))
  const all = [...main, ...one, ...two]
  expect(new Set(all).size).toBe(all.length)
  expect(await idsOf({}, { name: 'two' })).toEqual(two)
})

it('ids of the world default derive from the seed alone', async () => {
  await using control = open()
  expect(await readAlice(control)).toBe('c20a193d-a2a7-40f7-b973-84e7545ace83')
  const secret = 'whsec_aa1bb96ceef8f2bfc02b24f1244ce66680727d563de94c6a'
  expect(await makeSecret(control)).toBe(secret)
  expect((await (await logIn(control.app)).buy()).id).toBe('4187851a-04a8-41ad-a5e3-c653acc88768')
  const { events } = await control.get('/events')
  expect(events[0].id).toBe('evt_6b36166ac463c6b5f1cc5d0a80f14a7e')
})

it('ids also derive from the world’s name if the seed is that of the process', async () => {
  const fixture = { ...USERS, seed: 'mine' }
  const main = await idsOf({ fixture })
  const one = await idsOf({ fixture }, { name: 'one' })
  expect(await idsOf({ seed: 'mine' }, { name: 'one' })).toEqual(one)
  expect(one.filter((id) => main.includes(id))).toEqual([])
})

it('ids repeat after a reset without a seed, whose response says so', async () => {
  await using control = open()
  const world = controlOf(control.app.world('one'))
  const before = await collectIds(world)
  expect(await world.post('/reset')).toMatchObject({ idsRepeat: true })
  expect(await collectIds(world)).toEqual(before)
  expect(await world.post('/reset', { seed: 'a' })).toMatchObject({ idsRepeat: false, seed: 'a' })
})

it('ids are new after each reset to a random seed', async () => {
  await using control = open()
  const all: string[] = []
  for (let times = 1; times <= 3; times++) {
    const { seed, idsRepeat } = await control.post('/reset', { seed: 'random' })
    expect([seed, idsRepeat]).toEqual([expect.stringMatching(/^[\w-]{21}$/), false])
    all.push(...(await collectIds(control)))
  }
  expect(new Set(all).size).toBe(all.length)
})

it('a private world draws a seed and shows it, and its ids come back with that seed', async () => {
  await using control = open()
  const [one, two] = [await control.post('/worlds'), await control.post('/worlds')]
  const first = controlOf(control.app.world(one.name))
  const second = controlOf(control.app.world(two.name))
  expect(one.seed).not.toBe(two.seed)
  expect((await first.get('/info')).seed).toBe(one.seed)
  const id = await readAlice(first)
  expect(await readAlice(second)).not.toBe(id)
  await first.post('/reset')
  await second.post('/reset', { seed: one.seed })
  expect([await readAlice(first), await readAlice(second)]).toEqual([id, id])
})

it('a private world takes a seed, whatever its own name is', async () => {
  await using control = open()
  await using other = open({ seed: 'mine' })
  const { name, seed } = await control.post('/worlds', { seed: 'mine' })
  expect(seed).toBe('mine')
  const id = await readAlice(controlOf(control.app.world(name)))
  expect(id).toBe(await readAlice(other))
})

it('a forked private world keeps the ids of its origin, and continues their sequence', async () => {
  await using control = open()
  const origin = controlOf(control.app.world('one'))
  await (await logIn(origin.app)).buy()
  const { name, seed } = await origin.post('/worlds', { from: { world: 'one' } })
  const fork = controlOf(control.app.world(name))
  expect(seed).toBe((await origin.get('/info')).seed)
  expect(await fork.get('/transactions')).toEqual(await origin.get('/transactions'))
  const [here, there] = [await logIn(origin.app), await logIn(fork.app)]
  expect((await there.buy()).id).toBe((await here.buy()).id)
})

it('a private world forked with a seed uses it only for new ids', async () => {
  await using control = open()
  await (await logIn(control.app)).buy()
  const { name, seed } = await control.post('/worlds', { from: {}, seed: 'random' })
  const fork = controlOf(control.app.world(name))
  expect(seed).toMatch(/^[\w-]{21}$/)
  expect(await fork.get('/transactions')).toEqual(await control.get('/transactions'))
  const [here, there] = [await logIn(control.app), await logIn(fork.app)]
  expect((await there.buy()).id).not.toBe((await here.buy()).id)
  await fork.post('/reset')
  expect((await fork.get('/info')).seed).toBe(seed)
})

it('signing secrets are the same in every world of a process, and after every reset', async () => {
  await using control = open({ seed: 'mine' })
  const secret = await makeSecret(control)
  const { name } = await control.post('/worlds', { seed: 'other' })
  const worlds = ['one', name].map((each) => controlOf(control.app.world(each)))
  for (const world of worlds) expect(await makeSecret(world)).toBe(secret)
  const fixture = { seed: 'third', users: [] }
  for (const reset of [{}, { seed: 'random' }, { fixture }]) {
    await control.post('/reset', reset)
    expect(await makeSecret(control)).toBe(secret)
  }
  await using other = open({ fixture: { seed: 'mine' } })
  expect(await makeSecret(other)).toBe(secret)
  await using third = open({ seed: 'another' })
  expect(await makeSecret(third)).not.toBe(secret)
})

it('an id that a fixture gave to another user or transaction is not given again', async () => {
  await using control = openControl()
  const { app, get, post, put } = control
  await (await logIn(app)).buy()
  const second = await (await logIn(app)).buy()
  const bob = await register(app, { email: 'bob@example.com' })
  const { id: alice } = await get(`/users/${ALICE}`)

  // Somebody who saves this world may leave the first order out, and give bob another address.
  const order = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  const fixture = {
    users: [
      { email: ALICE, id: alice, status: 'verified' },
      { email: 'robert@example.com', id: bob },
    ],
    transactions: [{ ...order, user: ALICE, id: second.id }],
  }
  await post('/reset', { fixture })
  expect((await (await logIn(app)).buy()).id).not.toBe(second.id)
  expect(await register(app, { email: 'bob@example.com' })).not.toBe(bob)
  await put('/state', await get('/state'))
})

it('an id of a business is not assigned again after others were removed from the state', async () => {
  await using control = openControl()
  const { app, get, put } = control
  const submit = () => app.send('/submitKYB', SUBMISSION)
  await submit()
  await submit()
  const state = await get('/state')
  state.kybSubmissions.shift()
  await put('/state', state)
  await submit()
  const { items } = await get('/kyb-submissions')
  expect(new Set(items.map(({ id }: { id: string }) => id)).size).toBe(2)
})

const SUBMISSION = {
  method: 'POST',
  headers: { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' },
  body: JSON.stringify(validKyb()),
}
