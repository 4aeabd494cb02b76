import { logIn, PENDING, PROCESSING, receiveFunds, SOLANA_WALLET } from '../helpers/story.ts'
import { after, ordered, quoted, type Rows, read, row, statusesOf, where } from './rows.ts'
import { type Scene, SELL } from './scene.ts'

const AUTO = { 'transactions.settlement': 'auto' }

/** What cancelling an order shows, after something happened to it. */
async function cancelled(scene: Scene, change?: (id: string) => Promise<unknown>) {
  const alice = await scene.alice()
  const { data } = await scene.order(alice)
  await change?.(data.id)
  return scene.ask(`PUT /v2/transactions/${data.id}/cancel`, { token: alice.token })
}

/** The status of an order after some were cancelled, a while later. */
async function orderAfter(scene: Scene, count: number, by = '0ms') {
  const alice = await scene.alice()
  for (let i = 0; i < count; i++) await alice.cancel((await scene.order(alice)).data.id)
  if (by !== '0ms') await scene.app.advance(by)
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
  'quotes.bareLabels': row(
    async (scene) => {
      const { breakdown } = (await scene.quote({ rightSideLabel: 'CADC' })).data
      const { data } = await scene.order(await scene.alice(), { rightSideLabel: 'USDC' })
      return [breakdown.gas, data.paymentType, data.rightSideLabel]
    },
    {
      ETH: [0.375, 'eth network', 'USDC'],
      POLY: [0.05, 'poly network', 'USDC'],
      ARB: [0.05, 'arb network', 'USDC'],
      BASE: [0.05, 'base network', 'USDC'],
    },
  ),
  'transactions.required': row(ordered('status'), { priced: 200, all: 400 }),
  'transactions.depositAddress': row(ordered('data.depositAddress'), {
    string: '',
    null: null,
    absent: undefined,
  }),
  'transactions.quoteId': row(
    async (scene) => {
      const { quoteId } = (await scene.quote()).data
      return ordered('status', {}, { quoteId: String(quoteId) })(scene)
    },
    { either: 200, number: 400 },
  ),
  'transactions.externalSessionId.max': row(
    async (scene) => {
      const alice = await scene.alice()
      const order = async (length: number) =>
        (await scene.order(alice, {}, { externalSessionId: 'x'.repeat(length) })).status
      return [await order(8), await order(9), await order(255), await order(256)]
    },
    { 255: [200, 200, 200, 400], 8: [200, 400, 400, 400], 10000: [200, 200, 200, 400] },
  ),
  'transactions.cancelledStatus': row(async (scene) => (await cancelled(scene)).data.status, {
    cancelled: 'cancelled',
    canceled: 'canceled',
  }),
  'transactions.cancellable': row(
    async (scene) => (await cancelled(scene, (id) => receiveFunds(scene.app, id))).status,
    { pending: 400, active: 200 },
  ),
  'transactions.wallet': row(ordered('status', {}, { wallet: SOLANA_WALLET }), {
    checked: 400,
    any: 200,
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
  'transactions.buyWindow': row(after('30m'), {
    '1h': PENDING,
    '30m': 'expired',
    '1800001ms': PENDING,
  }),
  'transactions.sellWindow': row(after('2h', SELL), { '1d': PENDING, '2h': 'expired' }),
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
  'transactions.list.offset': row(read('status', 'GET /v2/transactions', { offset: 1.5 }), {
    integer: 400,
    numeric: 200,
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
  'transactions.list.scope': row(
    async (scene) => {
      await scene.order(await scene.alice())
      const { app, ask } = scene
      const state = await app.control('GET', '/state')
      if (!state.users[0].integrators.includes('second')) state.users[0].integrators.push('second')
      await app.control('PUT', '/state', state)
      const { token } = await logIn(app, { key: 'sandbox-key-2' })
      const { data } = await ask('GET /v2/transactions', { key: 'sandbox-key-2', token })
      return [data.total, data.items.map(({ status }: { status: string }) => status)]
    },
    { integrator: [0, []], user: [1, [PENDING]] },
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
  'limits.window': row(
    where({ 'limits.cancelled': 1 }, (scene) => orderAfter(scene, 1, '1h')),
    { '1d': 400, '1h': 200, '3600001ms': 400 },
  ),
  'requests.null': row(
    async (scene) => {
      const { token, id } = await scene.alice()
      const patch = { token, body: { firstName: null } }
      const body = { email: 'bob@example.com', dob: null, surprise: null }
      return [
        (await scene.ask('POST /v2/users', { body })).status,
        (await scene.ask(`PATCH /v2/users/${id}`, patch)).status,
        (await scene.order(await logIn(scene.app), {}, { externalSessionId: null })).status,
        (await scene.ask('PATCH /webhooks', { body: { verifiedEmailUrl: null } })).status,
      ]
    },
    { absent: [200, 200, 200, 200], refused: [400, 400, 400, 400] },
  ),
}
