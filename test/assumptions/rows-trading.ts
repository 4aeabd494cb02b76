import { logIn, PENDING, PROCESSING, receiveFunds, SOLANA_WALLET } from '../helpers/story.ts'
import type { Rows } from './rows.ts'
import { BUY, type Scene, SELL } from './scene.ts'

async function statusesOf({ app }: Scene, id: string): Promise<string[]> {
  const { events } = await app.control('GET', `/events?ref=${id}`)
  return events.map(({ status }: { status: string }) => status)
}

export const TRADING_ROWS: Rows = {
  'quotes.labels': {
    async see({ quote }) {
      const ask = async (label: string) => (await quote({ rightSideLabel: label })).status
      return [await ask('USDC-ETH'), await ask('USDC-BASE')]
    },
    under: { all: [200, 200], 'USDC,USDC-ETH': [200, 400], none: [400, 400] },
  },
  'quotes.ttl': {
    see: async ({ quote }) => (await quote()).data.expiresAt,
    under: { '30m': '2026-07-01T12:30:00.000Z', '5m': '2026-07-01T12:05:00.000Z' },
  },
  'quotes.fee': {
    see: async ({ quote }) => (await quote()).data.breakdown.fee,
    under: { 0.005: 0.5, 0.01: 1 },
  },
  'quotes.spread': {
    see: async ({ quote }) => (await quote({ leftSideValue: 1000 })).data.rightSideValue,
    under: { 0.001: 708.98, 0.01: 702.59 },
  },
  'quotes.gas.ethereum': {
    see: async ({ quote }) => (await quote()).data.breakdown.gas,
    under: { 0.375: 0.375, 2: 2 },
  },
  'quotes.gas.solana': {
    see: async ({ quote }) => (await quote({ rightSideLabel: 'USDC-SOL' })).data.breakdown.gas,
    under: { 0.01: 0.01, 2: 2 },
  },
  'quotes.gas.other': {
    see: async ({ quote }) => (await quote({ rightSideLabel: 'USDC-BASE' })).data.breakdown.gas,
    under: { 0.05: 0.05, 2: 2 },
  },
  'transactions.required': {
    see: async (scene) => (await scene.order(await scene.alice())).status,
    under: { priced: 200, all: 400 },
  },
  'transactions.depositAddress': {
    see: async (scene) => (await scene.order(await scene.alice())).data.depositAddress,
    under: { string: '', null: null, absent: undefined },
  },
  'transactions.cancelledStatus': {
    async see(scene) {
      const alice = await scene.alice()
      const { token } = alice
      const { data } = await scene.order(alice)
      return (await scene.ask(`PUT /v2/transactions/${data.id}/cancel`, { token })).data.status
    },
    under: { cancelled: 'cancelled', canceled: 'canceled' },
  },
  'transactions.cancellable': {
    async see(scene) {
      const alice = await scene.alice()
      const { data } = await scene.order(alice)
      await receiveFunds(scene.app, data.id)
      const { token } = alice
      return (await scene.ask(`PUT /v2/transactions/${data.id}/cancel`, { token })).status
    },
    under: { pending: 400, active: 200 },
  },
  'transactions.wallet': {
    async see(scene) {
      const alice = await scene.alice()
      return (await scene.order(alice, {}, { wallet: SOLANA_WALLET })).status
    },
    under: { checked: 400, any: 200 },
  },
  'transactions.bankRefused': {
    async see(scene) {
      const { data } = await scene.order(await scene.alice())
      return (await scene.app.control('POST', `/simulate/transactions/${data.id}/bank-refused`)).to
    },
    under: { stays: PENDING, cancelled: 'cancelled' },
  },
  'transactions.settlement': {
    async see(scene) {
      const { data } = await scene.order(await scene.alice())
      await scene.app.advance('3m')
      return statusesOf(scene, data.id)
    },
    under: { manual: [PENDING], auto: [PENDING, PROCESSING, 'complete'] },
  },
  'transactions.buyWindow': {
    async see(scene) {
      const { data } = await scene.order(await scene.alice())
      await scene.app.advance('30m')
      return (await statusesOf(scene, data.id)).at(-1)
    },
    under: { '1h': PENDING, '30m': 'expired', '1800001ms': PENDING },
  },
  'transactions.sellWindow': {
    async see(scene) {
      const { data } = await scene.order(await scene.alice(), SELL)
      await scene.app.advance('2h')
      return (await statusesOf(scene, data.id)).at(-1)
    },
    under: { '1d': PENDING, '2h': 'expired' },
  },
  'transactions.expiryLag': {
    async see(scene) {
      const { data } = await scene.order(await scene.alice())
      await scene.app.advance('1h')
      const onTime = (await statusesOf(scene, data.id)).at(-1)
      await scene.app.advance('1m')
      return [onTime, (await statusesOf(scene, data.id)).at(-1)]
    },
    under: { '0ms': ['expired', 'expired'], '1m': [PENDING, 'expired'] },
  },
  'transactions.list.limit': {
    async see(scene) {
      const { token } = await scene.alice()
      return (await scene.ask('GET /v2/transactions', { token })).data.limit
    },
    under: { 20: 20, 5: 5 },
  },
  'transactions.list.maximum': {
    async see(scene) {
      const { token } = await scene.alice()
      return (await scene.ask('GET /v2/transactions', { token, query: { limit: 101 } })).status
    },
    under: { 100: 400, 101: 200 },
  },
  'transactions.list.offset': {
    async see(scene) {
      const { token } = await scene.alice()
      return (await scene.ask('GET /v2/transactions', { token, query: { offset: 1.5 } })).status
    },
    under: { integer: 400, numeric: 200 },
  },
  'transactions.paymentType': {
    see: async (scene) => (await scene.order(await scene.alice())).data.paymentType,
    under: { chain: 'eth network', etransfer: 'etransfer' },
  },
  'limits.maximum': {
    see: async (scene) =>
      (await scene.order(await scene.alice(), { leftSideValue: 5000.01 })).status,
    under: { 9999: 200, 5000: 400, 5000.01: 200 },
  },
  'limits.minimum': {
    see: async (scene) => (await scene.order(await scene.alice(), { leftSideValue: 19.99 })).status,
    under: { 10: 200, 20: 400, 19.99: 200 },
  },
  'limits.selfServeMinimum': {
    async see(scene) {
      const { token } = await scene.alice()
      const { data } = await scene.ask('GET /v2/limits', { token })
      return data.leftSideCurrency.CAD.minimum
    },
    under: { 100: 100, 50: 50 },
  },
  'limits.active': {
    async see(scene) {
      const alice = await scene.alice()
      const first = await scene.order(alice)
      return [first.status, (await scene.order(alice)).status]
    },
    under: { 3: [200, 200], 1: [200, 400] },
  },
  'limits.cancelled': {
    see: (scene) => orderAfter(scene, { cancelled: 2 }),
    under: { 10: 200, 2: 400, 3: 200 },
  },
  'limits.window': {
    async see(scene) {
      await scene.app.control('PATCH', '/settings', { 'limits.cancelled': 1 })
      return orderAfter(scene, { cancelled: 1, by: '1h' })
    },
    under: { '1d': 400, '1h': 200, '3600001ms': 400 },
  },
}

/** The status of an order after some were cancelled, a while later. */
async function orderAfter(scene: Scene, { cancelled, by }: { cancelled: number; by?: string }) {
  const alice = await scene.alice()
  for (let i = 0; i < cancelled; i++) {
    const { data } = await scene.order(alice)
    await alice.cancel(data.id)
  }
  if (by !== undefined) await scene.app.advance(by)
  return (await scene.order(await logIn(scene.app))).status
}

export const SETTLEMENT_ROWS: Rows = {
  'transactions.fundsAfter': {
    async see(scene) {
      await scene.app.control('PATCH', '/settings', { 'transactions.settlement': 'auto' })
      const { data } = await scene.order(await scene.alice(), BUY)
      await scene.app.advance('2m')
      return (await statusesOf(scene, data.id)).at(-1)
    },
    under: { '2m': PROCESSING, '3m': PENDING },
  },
  'transactions.settleAfter': {
    async see(scene) {
      await scene.app.control('PATCH', '/settings', { 'transactions.settlement': 'auto' })
      const { data } = await scene.order(await scene.alice(), BUY)
      await scene.app.advance('3m')
      return (await statusesOf(scene, data.id)).at(-1)
    },
    under: { '1m': 'complete', '5m': PROCESSING },
  },
}

/** The rows about quotes, what is ordered with them, and KYC links. */
export const ORDER_ROWS: Rows = {
  'quotes.bareLabels': {
    async see(scene) {
      const { breakdown } = (await scene.quote({ rightSideLabel: 'CADC' })).data
      const { data } = await scene.order(await scene.alice(), { rightSideLabel: 'USDC' })
      return [breakdown.gas, data.paymentType, data.rightSideLabel]
    },
    under: {
      ETH: [0.375, 'eth network', 'USDC'],
      POLY: [0.05, 'poly network', 'USDC'],
      ARB: [0.05, 'arb network', 'USDC'],
      BASE: [0.05, 'base network', 'USDC'],
    },
  },
  'requests.null': {
    async see(scene) {
      const { token, id } = await scene.alice()
      const patch = { token, body: { firstName: null } }
      const body = { email: 'bob@example.com', dob: null, surprise: null }
      return [
        (await scene.ask('POST /v2/users', { body })).status,
        (await scene.ask(`PATCH /v2/users/${id}`, patch)).status,
        (await scene.order(await logIn(scene.app), {}, { ethCost: null })).status,
        (await scene.ask('PATCH /webhooks', { body: { verifiedEmailUrl: null } })).status,
      ]
    },
    under: { absent: [200, 200, 200, 200], refused: [400, 400, 400, 400] },
  },
  'transactions.quoteId': {
    async see(scene) {
      const alice = await scene.alice()
      const { quoteId } = (await scene.quote()).data
      return (await scene.order(alice, {}, { quoteId: String(quoteId) })).status
    },
    under: { either: 200, number: 400 },
  },
  'transactions.externalSessionId.max': {
    async see(scene) {
      const alice = await scene.alice()
      const order = async (length: number) =>
        (await scene.order(alice, {}, { externalSessionId: 'x'.repeat(length) })).status
      return [await order(8), await order(9), await order(255), await order(256)]
    },
    under: { 255: [200, 200, 200, 400], 8: [200, 400, 400, 400], 10000: [200, 200, 200, 400] },
  },
  'transactions.list.order': {
    async see(scene) {
      const alice = await scene.alice()
      const ids = [(await scene.order(alice)).data.id, (await scene.order(alice)).data.id]
      const { data } = await scene.ask('GET /v2/transactions', { token: alice.token })
      return data.items.map(({ id }: { id: string }) => ids.indexOf(id))
    },
    under: { newest: [1, 0], oldest: [0, 1] },
  },
  'transactions.list.scope': {
    async see(scene) {
      await scene.order(await scene.alice())
      const { app, ask } = scene
      const state = await app.control('GET', '/state')
      if (!state.users[0].integrators.includes('second')) state.users[0].integrators.push('second')
      await app.control('PUT', '/state', state)
      const { token } = await logIn(app, { key: 'sandbox-key-2' })
      const { data } = await ask('GET /v2/transactions', { key: 'sandbox-key-2', token })
      return [data.total, data.items.map(({ status }: { status: string }) => status)]
    },
    under: { integrator: [0, []], user: [1, [PENDING]] },
  },
}
