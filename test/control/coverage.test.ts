import { expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { appOf } from '../helpers/app.ts'
import { buyUnder, logIn, register } from '../helpers/story.ts'
import { callV1 } from '../v1/legacy.ts'
import { type Control, controlOf, openControl } from './control.ts'

const ALICE = 'alice@example.com'

const metIn = async ({ get }: Pick<Control, 'get'>): Promise<string[]> =>
  (await get('/coverage')).met
const neverMetIn = async ({ get }: Pick<Control, 'get'>): Promise<string[]> =>
  (await get('/coverage')).neverMet.map(({ id }: { id: string }) => id)

it('coverage begins with nothing met, and lists money, webhooks and statuses before the rest', async () => {
  await using control = openControl()
  const { calls, met } = await control.get('/coverage')
  expect([calls, met]).toEqual([0, []])
  const ids = await neverMetIn(control)
  expect(new Set(ids).size).toBe(ids.length)
  const inOrder = [
    'created-buy',
    'expired-sell',
    'largest-sell',
    'webhook/transaction.update/refused',
    'kyc-rejected',
    'response-lost',
    'createTransaction',
    'createTransaction/quote-expired',
    'network-BASE',
    'findUsers',
    'expired-token',
  ]
  expect(ids.filter((id) => inOrder.includes(id))).toEqual(inOrder)
})

it('coverage lists v1 only for a client that calls it', async () => {
  await using control = openControl()
  const { app } = control
  expect((await neverMetIn(control)).filter((id) => /v1|transactionComplete/.test(id))).toEqual([])
  await callV1(app, 'GET /apiFindUser', { query: { email: ALICE } })
  expect(await neverMetIn(control)).toEqual(
    expect.arrayContaining([
      'v1ImportUser/unknown-applicant',
      'webhook/transactionComplete/timeout',
    ]),
  )
})

it('coverage counts API calls, with the error of each', async () => {
  await using control = openControl()
  const { app } = control
  await app.refused('POST /v2/transactions', { key: null, body: {} })
  await app.refused('GET /v2/limits')
  const alice = await logIn(app)
  await alice.call('GET /v2/limits')
  expect((await control.get('/coverage')).calls).toBe(6)
  expect(new Set(await metIn(control))).toEqual(
    new Set([
      'createTransaction/missing-key',
      'getLimits/missing-token',
      'sendLoginCode',
      'verifyLoginCode',
      'findUsers',
      'getLimits',
    ]),
  )
})

it('coverage counts the statuses of transactions and users, amounts and networks', async () => {
  await using control = openControl()
  const { app, post } = control
  const alice = await logIn(app)
  const { id } = await alice.sell({ leftSideLabel: 'USDC-BASE' })
  await post(`/simulate/transactions/${id}/expired`)
  await alice.buy({ leftSideValue: 10 })
  await alice.buy({ leftSideValue: 9_999 })
  await post(`/simulate/users/${ALICE}/kyc`, { status: 'rejected' })
  const met = await metIn(control)
  const others = met.filter((situation) => /^[a-z]+-/.test(situation))
  expect(others.sort()).toEqual([
    'created-buy',
    'created-sell',
    'expired-sell',
    'kyc-lost',
    'kyc-rejected',
    'largest-buy',
    'network-BASE',
    'network-ETH',
    'smallest-buy',
  ])
})

it('coverage counts an order placed by an API call, and what the control API does to any order', async () => {
  await using control = openControl()
  const { app, post } = control
  const { transaction } = await post(`/simulate/users/${ALICE}/sell`, {
    coins: 100,
    coin: 'USDC-BASE',
  })
  expect(await metIn(control)).toEqual(['webhook/transaction.update/unset'])
  await post(`/simulate/transactions/${transaction.id}/settled`, { through: true })
  expect(await metIn(control)).toEqual(expect.arrayContaining(['processing-sell', 'complete-sell']))
  const alice = await logIn(app)
  await alice.sell({ leftSideLabel: 'USDC-BASE' })
  const placed = ['createTransaction', 'created-sell', 'network-BASE']
  expect(await metIn(control)).toEqual(expect.arrayContaining(placed))
})

it('coverage counts what became of each webhook', async () => {
  await using receiver = await createReceiver()
  await using control = openControl()
  const { app, post, get, patch } = control
  const alice = await logIn(app)
  const became = async () =>
    (await metIn(control)).filter((id) => id.startsWith('webhook/transaction.update/'))
  await alice.buy()
  expect(await became()).toEqual(['webhook/transaction.update/unset'])
  await app.call('PUT /v2/webhook-configurations', { body: { url: receiver.url } })
  receiver.respondWith(500)
  const { id } = await alice.buy()
  await post('/webhooks/drain')
  expect(await became()).toContain('webhook/transaction.update/refused')
  const { deliveries } = await get('/webhooks/deliveries?outcome=rejected')
  receiver.respondWith(200)
  // A receiver that accepts a forged webhook has proven nothing about a genuine one.
  await post(`/webhooks/deliveries/${deliveries[0].id}/resend`, { mutate: 'signature' })
  expect(await became()).not.toContain('webhook/transaction.update/again')
  await post(`/webhooks/deliveries/${deliveries[0].id}/resend`, {})
  expect(await became()).toContain('webhook/transaction.update/again')
  receiver.respondWith(() => new Promise(() => undefined))
  await patch('/settings', { 'webhooks.timeout': '50ms' })
  await post(`/simulate/transactions/${id}/expired`)
  expect(await became()).toContain('webhook/transaction.update/timeout')
})

it('coverage counts calls that come too late', async () => {
  await using control = openControl()
  const { app, post, get } = control
  const bob = await register(app, { email: 'bob@example.com' })
  const { url } = await app.call('GET /v2/users/{userId}/kyc-url', { path: { userId: bob } })
  const alice = await logIn(app)
  const { quoteId } = await alice.call('GET /v2/quotes', {
    query: { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' },
  })
  await app.call('POST /v2/auth/login-codes', { body: { email: ALICE } })
  const { messages } = await get(`/inbox?email=${ALICE}&kind=login-code`)
  await app.advance('31m')
  await alice.refused('POST /v2/transactions', { body: buyUnder(quoteId) })
  const body = { email: ALICE, code: messages.at(-1).code }
  await app.refused('POST /v2/auth/login-codes/verify', { body })
  await app.send(new URL(url).pathname)
  await post('/clock/advance', { by: '30d' })
  await alice.refused('GET /v2/limits')
  const met = await metIn(control)
  expect(met).toEqual(
    expect.arrayContaining([
      'createTransaction/quote-expired',
      'getLimits/expired-token',
      'late-kyc-link',
      'late-login-code',
    ]),
  )
})

it('coverage counts an order placed once a limit no longer applies', async () => {
  await using control = openControl({ settings: { 'limits.cancelled': 1 } })
  const { app } = control
  const alice = await logIn(app)
  await alice.cancel((await alice.buy()).id)
  await alice.refusedBuy()
  await alice.buy().catch(() => undefined)
  expect(await metIn(control)).not.toContain('limit-left-behind')
  await app.advance('25h')
  await (await logIn(app)).buy()
  expect(await metIn(control)).toContain('limit-left-behind')
})

it('coverage does not count a limit that a reset or a setting has removed', async () => {
  await using control = openControl({ settings: { 'limits.cancelled': 1 } })
  const { app, post, patch } = control
  const meetLimit = async () => {
    const alice = await logIn(app)
    await alice.cancel((await alice.buy()).id)
    await alice.refusedBuy()
  }
  await meetLimit()
  await post('/reset')
  await (await logIn(app)).buy()
  await post('/reset')
  await meetLimit()
  await patch('/settings', { 'limits.cancelled': 2 })
  await (await logIn(app)).buy()
  expect(await metIn(control)).not.toContain('limit-left-behind')
})

it('coverage counts neither a response that the caller could not read nor an order that was not placed', async () => {
  await using control = openControl()
  const { app, get, post } = control
  for (const connection of ['reset', 'lost']) {
    const match = { operation: 'findUsers' }
    await post('/faults', { on: 'api', match, times: 1, then: { connection } })
    await app.call('GET /v2/users', { query: { email: ALICE } }).catch(() => undefined)
  }
  await post('/faults', { on: 'api', times: 2, then: { delay: '20ms' } })
  const order = () => app.refused('POST /v2/transactions', { key: null, body: {} })
  await Promise.all([order(), order()])
  expect((await get('/coverage')).calls).toBe(4)
  expect(await metIn(control)).toEqual(['response-lost', 'createTransaction/missing-key'])
})

it('coverage counts a webhook as arrived again only if an undamaged one had arrived', async () => {
  await using receiver = await createReceiver()
  await using control = openControl()
  const { app, get, post } = control
  const alice = await logIn(app)
  const isAgain = async () => (await metIn(control)).some((id) => id.endsWith('/again'))
  const resendLast = async () => {
    const { deliveries } = await get('/webhooks/deliveries')
    return await post(`/webhooks/deliveries/${deliveries.at(-1).id}/resend`, {})
  }
  await alice.buy()
  await app.call('PUT /v2/webhook-configurations', { body: { url: receiver.url } })
  expect((await resendLast()).outcome).toBe('delivered')
  receiver.respondWith(401)
  await post('/faults', { on: 'webhook', times: 1, then: { mutate: 'signature' } })
  await alice.buy()
  await post('/webhooks/drain')
  receiver.respondWith(200)
  expect((await resendLast()).outcome).toBe('delivered')
  expect(await isAgain()).toBe(false)
  await resendLast()
  expect(await isAgain()).toBe(true)
})

it('coverage counts a webhook with a rotated secret only if that secret signed it', async () => {
  await using receiver = await createReceiver()
  await using control = openControl()
  const { app, post } = control
  const rotate = () => app.call('POST /v2/webhook-configurations/signing-secret/rotate')
  const configureAndBuy = async () => {
    await app.call('PUT /v2/webhook-configurations', { body: { url: receiver.url } })
    await (await logIn(app)).buy()
  }
  let letGo = () => {}
  const held = new Promise<number>((resolve) => (letGo = () => resolve(200)))
  receiver.respondWith(() => held)
  await configureAndBuy()
  await receiver.next()
  await rotate()
  letGo()
  await post('/webhooks/drain')
  await post('/reset')
  await configureAndBuy()
  await post('/webhooks/drain')
  expect(receiver.received).toHaveLength(2)
  expect(await metIn(control)).not.toContain('rotated-secret')
})

it('coverage counts edge cases', async () => {
  await using receiver = await createReceiver()
  await using sandbox = await createSandbox({ fixture: 'verified-user' })
  const app = appOf(
    (request) => sandbox.fetch(request),
    '',
    () => sandbox.close(),
  )
  const control = { get: (path: string) => sandbox.control<never>('GET', path) }
  await sandbox.webhooks.set(receiver.url)
  const alice = await sandbox.login(ALICE)
  const orders = [alice.buy({ cad: 100 }), alice.buy({ cad: 100 })]
  await Promise.all(orders)
  for (const status of [503, 429]) {
    await sandbox.faults.add({ on: 'api', then: { status } })
    await alice.get('/v2/limits')
  }
  await sandbox.faults.add({ on: 'api', then: { connection: 'lost' } })
  await alice.get('/v2/limits').catch(() => undefined)
  await sandbox.fetch('/v2/webhook-configurations/signing-secret/rotate', {
    method: 'POST',
    headers: { 'x-api-key': sandbox.apiKey },
  })
  const [order] = await sandbox.transactions.list()
  await sandbox.simulate.expired(order?.id ?? '')
  expect((await metIn(control)).filter((id) => /^(response|two|rotated)/.test(id))).toEqual([
    'two-orders-at-once',
    'response-503',
    'response-429',
    'response-lost',
    'rotated-secret',
  ])
  await app.close()
})

it('coverage of all worlds together is at the base URL, and that of each world below it', async () => {
  await using control = openControl()
  const [first, second] = ['one', 'two'].map((name) => controlOf(control.app.world(name)))
  await first?.app.call('GET /v2/users', { query: { email: ALICE } })
  await second?.app.refused('GET /v2/limits')
  expect(await metIn(first ?? control)).toEqual(['findUsers'])
  expect(await metIn(second ?? control)).toEqual(['getLimits/missing-token'])
  expect(await metIn(control)).toEqual(['findUsers', 'getLimits/missing-token'])
})

it('coverage survives a reset, a restore and the end of a world', async () => {
  await using control = openControl()
  const world = controlOf(control.app.world('one'))
  await world.app.call('GET /v2/users', { query: { email: ALICE } })
  await world.post('/snapshots', { name: 'a' })
  await world.post('/reset')
  await world.post('/snapshots/a/restore')
  expect(await metIn(world)).toEqual(['findUsers'])
  await control.delete('/worlds/one')
  expect(await metIn(control)).toEqual(['findUsers'])
})

it('coverage of a private world stays apart from that of the base URL', async () => {
  await using control = openControl({ controlToken: 'secret-token' })
  const headers = { authorization: 'Bearer secret-token', 'content-type': 'application/json' }
  const made = await control.open('/worlds', { method: 'POST', headers, body: '{}' })
  const { name } = (await made.json()) as { name: string }
  await control.app.call('GET /v2/users', { query: { email: ALICE } })
  const own = controlOf(control.app.world(name))
  expect(await metIn(own)).toEqual([])
  expect((await control.open('/coverage')).status).toBe(401)
})
