import { logIn, PENDING, PROCESSING } from '../helpers/story.ts'
import { after, ordered, quoted, type Rows, read, row, statusesOf, where } from './rows.ts'
import type { Scene } from './scene.ts'

const AUTO = { 'transactions.settlement': 'auto' }

/** What cancelling an order shows. */
async function cancelled(scene: Scene) {
  const alice = await scene.alice()
  const { data } = await scene.order(alice)
  return scene.ask(`PUT /v2/transactions/${data.id}/cancel`, { token: alice.token })
}

/** The status of an order after some were cancelled. */
async function orderAfter(scene: Scene, count: number) {
  const alice = await scene.alice()
  for (let i = 0; i < count; i++) await alice.cancel((await scene.order(alice)).data.id)
  return (await scene.order(await logIn(scene.app))).status
}

export const TRADING_ROWS: Rows = {
  'quotes.labels': row(
    async ({ quote }) => {
      const ask = async (label: string) => (await quote({ rightSideLabel: label })).status
      return [await ask('USDC-ETH'), await ask('USDC-BASE')]
    },
    { all: [200, 200], 'USDC,USDC-ETH': [200, 400], none: [400, 400] },
  ),
  'quotes.ttl': row(quoted('data.expiresAt'), {
    '30m': '2026-07-01T12:30:00.000Z',
    '5m': '2026-07-01T12:05:00.000Z',
  }),
  'quotes.fee': row(quoted('data.breakdown.fee'), { 0.005: 0.5, 0.01: 1 }),
  'quotes.spread': row(quoted('data.rightSideValue', { leftSideValue: 1000 }), {
    0.001: 708.98,
    0.01: 702.59,
  }),
  'quotes.gas.ethereum': row(quoted('data.breakdown.gas'), { 0.375: 0.375, 2: 2 }),
  'quotes.gas.solana': row(quoted('data.breakdown.gas', { rightSideLabel: 'USDC-SOL' }), {
    0.01: 0.01,
    2: 2,
  }),
  'quotes.gas.other': row(quoted('data.breakdown.gas', { rightSideLabel: 'USDC-BASE' }), {
    0.05: 0.05,
    2: 2,
  }),
  'transactions.required': row(ordered('status'), { priced: 200, all: 400 }),
  'transactions.depositAddress': row(ordered('data.depositAddress'), {
    string: '',
    null: null,
    absent: undefined,
  }),
  'transactions.cancelledStatus': row(async (scene) => (await cancelled(scene)).data.status, {
    cancelled: 'cancelled',
    canceled: 'canceled',
  }),
  'transactions.bankRefused': row(
    async (scene) => {
      const { data } = await scene.order(await scene.alice())
      return (await scene.app.control('POST', `/simulate/transactions/${data.id}/bank-refused`)).to
    },
    { stays: PENDING, cancelled: 'cancelled' },
  ),
  'transactions.settlement': row(
    async (scene) => {
      const { data } = await scene.order(await scene.alice())
      await scene.app.advance('3m')
      return statusesOf(scene, data.id)
    },
    { manual: [PENDING], auto: [PENDING, PROCESSING, 'complete'] },
  ),
  'transactions.fundsAfter': row(where(AUTO, after('2m')), { '2m': PROCESSING, '3m': PENDING }),
  'transactions.settleAfter': row(where(AUTO, after('3m')), { '1m': 'complete', '5m': PROCESSING }),
  'transactions.expiryLag': row(
    async (scene) => {
      const { data } = await scene.order(await scene.alice())
      await scene.app.advance('1h')
      const onTime = (await statusesOf(scene, data.id)).at(-1)
      await scene.app.advance('1m')
      return [onTime, (await statusesOf(scene, data.id)).at(-1)]
    },
    { '0ms': ['expired', 'expired'], '1m': [PENDING, 'expired'] },
  ),
  'transactions.list.limit': row(read('data.limit', 'GET /v2/transactions'), { 20: 20, 5: 5 }),
  'transactions.list.maximum': row(read('status', 'GET /v2/transactions', { limit: 101 }), {
    100: 400,
    101: 200,
  }),
  'transactions.list.order': row(
    async (scene) => {
      const alice = await scene.alice()
      const ids = [(await scene.order(alice)).data.id, (await scene.order(alice)).data.id]
      const { data } = await scene.ask('GET /v2/transactions', { token: alice.token })
      return data.items.map(({ id }: { id: string }) => ids.indexOf(id))
    },
    { newest: [1, 0], oldest: [0, 1] },
  ),
  'transactions.paymentType': row(ordered('data.paymentType'), {
    chain: 'eth network',
    etransfer: 'etransfer',
  }),
  'limits.maximum': row(ordered('status', { leftSideValue: 5000.01 }), {
    9999: 200,
    5000: 400,
    5000.01: 200,
  }),
  'limits.minimum': row(ordered('status', { leftSideValue: 19.99 }), {
    10: 200,
    20: 400,
    19.99: 200,
  }),
  'limits.selfServeMinimum': row(read('data.leftSideCurrency.CAD.minimum', 'GET /v2/limits'), {
    100: 100,
    50: 50,
  }),
  'limits.active': row(
    async (scene) => {
      const alice = await scene.alice()
      return [(await scene.order(alice)).status, (await scene.order(alice)).status]
    },
    { 3: [200, 200], 1: [200, 400] },
  ),
  'limits.cancelled': row((scene) => orderAfter(scene, 2), { 10: 200, 2: 400, 3: 200 }),
}
