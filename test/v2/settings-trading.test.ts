import { describe, expect, it } from 'vitest'
import { OTHER_SHAPES } from '../contract.ts'
import { type Call, KEY, openApp } from '../helpers/app.ts'
import { EVM_WALLET, quote, verifiedUser } from '../helpers/story.ts'

const withSettings = (settings: Record<string, string | number>) => openApp({ settings })
const ORDER = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }

async function traded(settings: Record<string, string | number>) {
  const app = withSettings(settings)
  const alice = await verifiedUser(app)
  const { quoteId } = await quote(app, ORDER)
  const body = { ...ORDER, wallet: EVM_WALLET, quoteId, externalSessionId: 'session-1' }
  return { app, alice, body }
}

describe('quotes', () => {
  it('may cost nothing (quotes.fee, quotes.spread, quotes.gas.…)', async () => {
    const app = withSettings({
      'quotes.fee': 0,
      'quotes.spread': 0,
      'quotes.gas.ethereum': 0,
      'quotes.gas.solana': 1,
      'quotes.gas.other': 2,
    })
    const order = { leftSideValue: 14.01 }
    expect(await quote(app, order)).toMatchObject({
      rightSideValue: 10,
      // What rounding 9.9964… coins to 10.00 costs the service.
      breakdown: { fee: 0, gas: 0, spread: -0.005, total: -0.005 },
    })
    expect(await quote(app, { ...order, rightSideLabel: 'USDC-SOL' })).toMatchObject({
      breakdown: { gas: 1 },
    })
    expect(await quote(app, { ...order, rightSideLabel: 'CADC-ARB' })).toMatchObject({
      breakdown: { gas: 2 },
    })
  })
})

describe('creating a transaction', () => {
  it('says that an amount other than the quoted one is taken by assumption', async () => {
    const { app, alice, body } = await traded({})
    const assumed = async (leftSideValue: number) => {
      const headers = {
        'x-api-key': KEY,
        authorization: `Bearer ${alice.token}`,
        'content-type': 'application/json',
      }
      const sent = { method: 'POST', headers, body: JSON.stringify({ ...body, leftSideValue }) }
      return (await app.send('/v2/transactions', sent)).headers.get('x-sandbox-assumption')
    }
    expect(await assumed(100)).toBeNull()
    expect(await assumed(100.01)).toBe('status.quote-amount')
  })

  it.each([
    ['null', OTHER_SHAPES.withNullAddress],
    ['absent', OTHER_SHAPES.withoutAddress],
  ] as const)(
    'may show the deposit address of a buy as %s (transactions.depositAddress)',
    async (setting, shape) => {
      const { app, alice, body } = await traded({ 'transactions.depositAddress': setting })
      const call: Call = { token: alice.token, body }
      await app.callAs(shape, 'POST /v2/transactions', call)
      expect((await alice.sell()).depositAddress).toMatch(/^0x/)
    },
  )
})

describe('reading transactions', () => {
  it('may hold fewer in a page than the default, which then is fewer too', async () => {
    const { alice } = await traded({ 'transactions.list.maximum': 1 })
    await alice.buy()
    await alice.buy()
    expect(await alice.call('GET /v2/transactions')).toMatchObject({ total: 2, limit: 1 })
    await alice.refused('GET /v2/transactions', { query: { limit: 2 } })
  })
})
