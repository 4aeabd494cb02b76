import { expect, it } from 'vitest'
import { readState } from '../helpers/state.ts'
import { type Control, openControl } from './control.ts'

const ALICE = 'alice@example.com'
const PENDING = 'pending request money transfer'
const PROCESSING = 'processing request money transfer'
const path = (user = ALICE, side = 'buy') => `/simulate/users/${encodeURIComponent(user)}/${side}`

const statusesIn = ({ events }: { events: { status: string }[] }) =>
  events.map(({ status }) => status)

async function configure({ app }: Control) {
  const url = 'http://127.0.0.1:9/hooks'
  await app.call('PUT /v2/webhook-configurations', { body: { url } })
}

it('a transaction created in one step is a pending buy, with its event, its delivery and the money request', async () => {
  await using control = openControl()
  await configure(control)
  const response = await control.post(path(), { cad: 250 })
  expect(response.transaction).toMatchObject({
    side: 'buy',
    status: PENDING,
    email: ALICE,
    integrator: 'main',
    leftSideLabel: 'CAD',
    leftSideValue: 250,
    rightSideLabel: 'USDC-ETH',
    externalSessionId: null,
    wallet: expect.stringMatching(/^0x[0-9a-f]{40}$/),
  })
  expect(statusesIn(response)).toEqual([PENDING])
  expect(response).toMatchObject({ deliveryCount: 1, pending: 0 })
  const { messages } = await control.get('/inbox?kind=money-request')
  expect(messages).toHaveLength(1)
})

it.each([
  ['buy', { cad: 250, coin: 'USDC-ETH' }],
  ['sell', { coins: 100, coin: 'CADC-POLY' }],
  ['sell', { coins: 100, coin: 'USDC-SOL' }],
] as const)(
  'a transaction created in one step completes with settle: %s %s',
  async (side, order) => {
    await using control = openControl()
    await configure(control)
    const response = await control.post(path(ALICE, side), { ...order, settle: true })
    expect(response.transaction).toMatchObject({ status: 'complete', side })
    expect(response.transaction.paymentId).not.toBeNull()
    expect(statusesIn(response)).toEqual([PENDING, PROCESSING, 'complete'])
    expect(response.deliveryCount).toBe(3)
    expect(response.pending).toBe(0)
  },
)

it('a transaction created in one step uses the given user id, wallet, session id and integrator', async () => {
  await using control = openControl()
  const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
  const { id } = await control.get(`/users/${ALICE}`)
  const given = { wallet, externalSessionId: 'cart-1', integrator: 'keyed' }
  const info = await control.get('/info')
  const name = info.integrators.at(-1).name
  const body = { ...given, integrator: name, cad: 100 }
  const { transaction } = await control.post(path(id), body)
  expect(transaction).toMatchObject({ ...given, integrator: name })
})

it.each([
  ['too little', 'buy', { cad: 9.99 }, 400, 'limit-minimum', 'cad'],
  ['too much', 'buy', { cad: 10_000 }, 400, 'limit-maximum', 'cad'],
  ['an unknown coin', 'buy', { cad: 100, coin: 'usdc-et' }, 400, 'invalid', 'coin'],
  ['a bad wallet', 'buy', { cad: 100, wallet: '0x12' }, 400, 'invalid', 'wallet'],
])(
  'a transaction created in one step that the service would reject changes nothing: %s',
  async (_, side, body, status, code, field) => {
    await using control = openControl()
    const before = await readState(control.app)
    const problem = await control.refused('POST', path(ALICE, side), { body })
    expect(problem).toMatchObject({ status, code, errors: [{ field }] })
    expect(problem.title).not.toMatch(/SideValue|SideLabel/)
    expect(await readState(control.app)).toBe(before)
  },
)

it('the error for declining a payment that the bank has already made says what can be declined', async () => {
  await using control = openControl()
  const { transaction } = await control.post(path(), { cad: 250 })
  const simulate = `/simulate/transactions/${transaction.id}`
  await control.post(`${simulate}/funds-received`)
  expect(await control.refused('POST', `${simulate}/bank-refused`)).toMatchObject({
    code: 'illegal-transition',
    title: 'The bank can decline only a pending buy.',
    from: PROCESSING,
  })
  const early = await control.post(path(), { cad: 250 })
  const settle = `/simulate/transactions/${early.transaction.id}/settled`
  expect((await control.refused('POST', settle)).title).toBe(
    `The transaction has the status “${PENDING}”, which can only change to “${PROCESSING}”, “cancelled” or “expired”, not to “complete”.`,
  )
})

it('the error for a truncated wallet address says that it has too few bytes', async () => {
  await using control = openControl()
  const body = { cad: 250, coin: 'USDC-SOL', wallet: 'z' }
  expect((await control.refused('POST', path(), { body })).detail).toBe(
    'As base58, it decodes to 1 byte; is part of it missing?',
  )
})
