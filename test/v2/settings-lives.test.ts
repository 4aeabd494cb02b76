import { describe, expect, it } from 'vitest'
import { openApp } from '../helpers/app.ts'
import { logIn, PENDING, PROCESSING, verifiedUser } from '../helpers/story.ts'

const LIMIT = { status: 400, errors: [{ field: 'transactions' }] }

async function traded(settings: Record<string, string | number>) {
  const app = openApp({ settings })
  return { app, alice: await verifiedUser(app) }
}

describe('the life of a transaction', () => {
  it.each([
    ['stays', PENDING],
    ['cancelled', 'cancelled'],
  ])('%s when the bank refuses (transactions.bankRefused)', async (setting, status) => {
    const { app, alice } = await traded({ 'transactions.bankRefused': setting })
    const { id } = await alice.buy()
    await app.control('POST', `/simulate/transactions/${id}/bank-refused`)
    expect(await alice.read(id)).toMatchObject({ status })
    const { messages } = await app.control('GET', `/inbox?email=${alice.email}&kind=bank-refusal`)
    expect(messages).toHaveLength(1)
  })

  it('may go on by itself (transactions.settlement = auto)', async () => {
    const { app, alice } = await traded({
      'transactions.settlement': 'auto',
      'transactions.fundsAfter': '10s',
      'transactions.settleAfter': '5s',
    })
    const { id } = await alice.buy()
    const statuses = []
    for (const step of ['9999ms', '1ms', '4999ms', '1ms', '1d']) {
      await app.advance(step)
      statuses.push((await (await logIn(app)).read(id)).status)
    }
    expect(statuses).toEqual([PENDING, PROCESSING, PROCESSING, 'complete', 'complete'])
  })

  it.each([
    ['transactions.buyWindow', 'buy'],
    ['transactions.sellWindow', 'sell'],
  ] as const)('may be shorter (%s)', async (setting, side) => {
    const { app, alice } = await traded({ [setting]: '10m' })
    const { id } = await alice[side]()
    await app.advance('599999ms')
    expect(await alice.read(id)).toMatchObject({ status: PENDING })
    await app.advance('1ms')
    expect(await alice.read(id)).toMatchObject({ status: 'expired' })
  })
})

describe('limits', () => {
  it('may be wider or narrower (limits.maximum, limits.minimum, limits.selfServeMinimum)', async () => {
    const { alice } = await traded({
      'limits.maximum': 20_000,
      'limits.minimum': 50,
      'limits.selfServeMinimum': 60,
    })
    const { CAD } = (await alice.call('GET /v2/limits')).leftSideCurrency
    expect(CAD).toEqual({ minimum: 60, maximum: 20_000 })
    await alice.buy({ leftSideValue: 20_000 })
    await alice.buy({ leftSideValue: 50 })
    await alice.refusedBuy({ leftSideValue: 20_000.01 })
    await alice.refusedBuy({ leftSideValue: 49.99 })
  })

  it('may allow one that failed, in a window of an hour (limits.cancelled, limits.window)', async () => {
    const { app, alice } = await traded({
      'limits.cancelled': 1,
      'limits.window': '50m',
    })
    await alice.cancel((await alice.buy()).id)
    await app.advance('2999999ms')
    const refused = await alice.refusedBuy()
    expect(refused).toMatchObject(LIMIT)
    expect(refused.errors[0]?.message).toMatch(
      /^1 transaction was cancelled or expired in the last 50m;/,
    )
    await app.advance('1ms')
    await alice.buy()
  })

  it.each([
    ['1h', 'the last hour'],
    ['2d', 'the last 48 hours'],
    ['90m', 'the last 90m'],
  ])('names its window of %s in an error (limits.window)', async (window, words) => {
    const { alice } = await traded({ 'limits.cancelled': 1, 'limits.window': window })
    await alice.cancel((await alice.buy()).id)
    expect((await alice.refusedBuy()).errors[0]?.message).toContain(`in ${words};`)
  })
})

it('can be changed while the world lives', async () => {
  const { app, alice } = await traded({})
  await alice.buy()
  await app.control('PATCH', '/settings', { 'limits.active': 1 })
  expect(await alice.refusedBuy()).toMatchObject(LIMIT)
  await app.control('PATCH', '/settings', { 'limits.active': 2 })
  await alice.buy()
})
