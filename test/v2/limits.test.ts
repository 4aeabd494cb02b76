import { expect, it } from 'vitest'
import { KEY, KEY_2, openApp, type TestApp } from '../helpers/app.ts'
import { expire, logIn, type Person, receiveFunds, settle, verifiedUser } from '../helpers/story.ts'

const LIMIT = { status: 400, errors: [{ field: 'transactions' }] }
const VALUE = { status: 400, errors: [{ field: 'leftSideValue' }] }
const EMAIL = 'alice@example.com'

it('GET /limits shows the self-serve minimum and the maximum, converted at the rate', async () => {
  const alice = await verifiedUser(openApp())
  expect(await alice.call('GET /v2/limits')).toEqual({
    leftSideCurrency: {
      CAD: { minimum: 100, maximum: 9999 },
      CADC: { minimum: 100, maximum: 9999 },
      USDC: { minimum: 71.36, maximum: 7134.49 },
    },
  })
})

it.each([0, 99.99, 100.01])(
  'GET /limits never shows a minimum above the maximum of %d CAD',
  async (maximumCad) => {
    const app = openApp()
    const alice = await verifiedUser(app)
    await app.control('POST', `/simulate/users/${EMAIL}/account`, { maximumCad })
    const { leftSideCurrency } = await alice.call('GET /v2/limits')
    for (const { minimum, maximum } of Object.values(leftSideCurrency)) {
      expect(minimum).toBeLessThanOrEqual(maximum)
    }
    expect(leftSideCurrency.CAD.maximum).toBe(maximumCad)
  },
)

it('GET /limits shows the maximum of the account, which also applies when a transaction is created', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  await app.control('POST', `/simulate/users/${EMAIL}/account`, { maximumCad: 500 })
  const { CAD, CADC, USDC } = (await alice.call('GET /v2/limits')).leftSideCurrency
  expect([CAD.maximum, CADC?.maximum, USDC?.maximum]).toEqual([500, 500, 356.76])
  await alice.buy({ leftSideValue: 500 })
  expect(await alice.refusedBuy({ leftSideValue: 500.01 })).toMatchObject(VALUE)
})

it.each([
  ...[['CAD', 9.99, 10, 9999, 9999.01] as const, ['CADC-ETH', 9.99, 10, 9999, 9999.01] as const],
  ['CAD', 9.995, 10, 9999, 9999.004] as const,
  ['USDC-ETH', 7.13, 7.14, 7134.49, 7134.5] as const,
])('a transaction of %s may not be %d, may be %d or %d, and not %d', async (label, ...values) => {
  const alice = await verifiedUser(openApp())
  const [tooLittle, least, most, tooMuch] = values.map((leftSideValue) => {
    return { leftSideValue, ...(label !== 'CAD' && { leftSideLabel: label }) }
  })
  const refused = label === 'CAD' ? alice.refusedBuy : alice.refusedSell
  const create = label === 'CAD' ? alice.buy : alice.sell
  expect(await refused(tooLittle)).toMatchObject(VALUE)
  expect(await create(least)).toMatchObject({ leftSideValue: least?.leftSideValue })
  expect(await create(most)).toMatchObject({ leftSideValue: most?.leftSideValue })
  expect(await refused(tooMuch)).toMatchObject(VALUE)
})

async function buyThree(alice: Person) {
  const bought = []
  for (let i = 0; i < 3; i++) bought.push(await alice.buy())
  return bought.map(({ id }) => id)
}

it('active transactions are limited to three', async () => {
  const alice = await verifiedUser(openApp())
  await buyThree(alice)
  expect(await alice.refusedBuy()).toMatchObject(LIMIT)
  expect(await alice.refusedSell()).toMatchObject(LIMIT)
})

it.each([
  ['is cancelled', (_: TestApp, id: string, alice: Person) => alice.cancel(id)],
  ['expires', (app: TestApp, id: string) => expire(app, id)],
  [
    'completes',
    async (app: TestApp, id: string) => {
      await receiveFunds(app, id)
      await settle(app, id)
    },
  ],
])('active transactions no longer count when one %s', async (_, end) => {
  const app = openApp()
  const alice = await verifiedUser(app)
  const [id = ''] = await buyThree(alice)
  await end(app, id, alice)
  await alice.buy()
  expect(await alice.refusedBuy()).toMatchObject(LIMIT)
})

it('active transactions count until 24 hours after their creation, and no longer', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  for (const id of await buyThree(alice)) await receiveFunds(app, id)
  await app.advance('86399999ms')
  expect(await (await logIn(app)).refusedBuy()).toMatchObject(LIMIT)
  await app.advance('1ms')
  await buyThree(await logIn(app))
  expect(await (await logIn(app)).refusedBuy()).toMatchObject(LIMIT)
})

it('active transactions count across the integrators of a user', async () => {
  const app = openApp({ fixture: 'verified-user' })
  const here = await logIn(app, { key: KEY })
  const there = await logIn(app, { key: KEY_2 })
  await here.buy()
  const { id } = await there.buy()
  await here.buy()
  expect(await there.refusedBuy()).toMatchObject(LIMIT)
  expect(await here.refusedBuy()).toMatchObject(LIMIT)
  await there.cancel(id)
  await here.buy()
})

async function cancelMany(alice: Person, count: number) {
  for (let i = 0; i < count; i++) await alice.cancel((await alice.buy()).id)
}

it('cancelled and expired transactions are limited to ten, and nine of them still allow another', async () => {
  const alice = await verifiedUser(openApp())
  await cancelMany(alice, 9)
  const { id } = await alice.buy()
  await alice.cancel(id)
  expect(await alice.refusedBuy()).toMatchObject(LIMIT)
})

it('cancelled and expired transactions are counted together', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  await cancelMany(alice, 5)
  for (let i = 0; i < 4; i++) await expire(app, (await alice.buy()).id)
  const { id } = await alice.buy()
  await expire(app, id)
  expect(await alice.refusedBuy()).toMatchObject(LIMIT)
})

it('cancelled and expired transactions count from when they were cancelled, not from when they were created', async () => {
  const app = openApp({ settings: { 'limits.cancelled': 1 } })
  const { id } = await (await verifiedUser(app)).sell()
  await app.advance('23h')
  await (await logIn(app)).cancel(id)
  await app.advance('86399999ms')
  expect(await (await logIn(app)).refusedBuy()).toMatchObject(LIMIT)
  await app.advance('1ms')
  await (await logIn(app)).buy()
})

it('cancelled and expired transactions count until 24 hours after they were cancelled, and no longer', async () => {
  const app = openApp()
  await cancelMany(await verifiedUser(app), 10)
  await app.advance('86399999ms')
  expect(await (await logIn(app)).refusedBuy()).toMatchObject(LIMIT)
  await app.advance('1ms')
  await (await logIn(app)).buy()
})

it('cancelled and expired transactions count across the integrators of a user', async () => {
  const app = openApp({ fixture: 'verified-user' })
  const here = await logIn(app, { key: KEY })
  const there = await logIn(app, { key: KEY_2 })
  await cancelMany(here, 5)
  await cancelMany(there, 5)
  expect(await here.refusedBuy()).toMatchObject(LIMIT)
  expect(await there.refusedBuy()).toMatchObject(LIMIT)
})
