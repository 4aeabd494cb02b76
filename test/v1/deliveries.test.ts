import { afterEach, beforeEach, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { openApp, type TestApp } from '../helpers/app.ts'
import { isSigned } from '../helpers/hooks.ts'
import { logIn, PENDING, type Person, PROCESSING, receiveFunds, settle } from '../helpers/story.ts'
import { LEGACY_BODIES } from './contract.ts'
import { callV1 } from './legacy.ts'

const HOOKS = [
  'verifiedEmail',
  'transactionInitiated',
  'transactionComplete',
  'transactionStatusUpdate',
] as const

let app: TestApp
let alice: Person
let receiver: Receiver

beforeEach(async () => {
  receiver = await createReceiver()
  app = openApp({ fixture: 'verified-user' })
  alice = await logIn(app)
})
afterEach(async () => {
  await app.close()
  await receiver.close()
})

/** Switches all four on, each at its own path or all at one. */
const subscribe = (at: (hook: string) => string = (hook) => `/${hook}`) =>
  callV1(app, 'PATCH /webhooks', {
    body: Object.fromEntries(
      HOOKS.flatMap((hook) => [
        [`${hook}Enabled`, true],
        [`${hook}Url`, new URL(at(hook), receiver.url).href],
      ]),
    ),
  })

const subscribeV2 = () =>
  app.call('PUT /v2/webhook-configurations', { body: { url: `${receiver.url}/v2` } })

/** What has arrived, path by path, in its order. */
async function arrived() {
  await app.control('POST', '/webhooks/drain')
  return receiver.received.map(({ path, json }) => {
    const { payload, status } = json as { payload?: { status: string }; status?: string }
    return `${path.replace(/^\/+/, '')}: ${payload?.status ?? status}`
  })
}

const bodyAt = (path: string) =>
  receiver.received.find((request) => request.path === path)?.json as Record<string, unknown>

it('legacy webhooks report a buy in addition to v2, each to its own URL, in the format of the contract', async () => {
  await subscribe()
  await subscribeV2()
  const { id } = await alice.buy({ externalSessionId: 'session-1' })
  await receiveFunds(app, id)
  await settle(app, id)
  expect((await arrived()).sort()).toEqual(
    [
      `v2: ${PENDING}`,
      `transactionInitiated: ${PENDING}`,
      `v2: ${PROCESSING}`,
      `transactionStatusUpdate: ${PROCESSING}`,
      'v2: complete',
      'transactionStatusUpdate: complete',
      'transactionComplete: complete',
    ].sort(),
  )
  for (const hook of ['transactionInitiated', 'transactionComplete'] as const) {
    const body = LEGACY_BODIES[hook].parse(bodyAt(`/${hook}`))
    expect(body).toMatchObject({ txId: id, email: alice.email, externalSessionId: 'session-1' })
  }
  const { paymentId, ...order } = await alice.read(id)
  expect(paymentId).not.toBeNull()
  const { wallet, leftSideLabel, leftSideValue, rightSideLabel, rightSideValue } = order
  const trade = { wallet, leftSideLabel, leftSideValue, rightSideLabel, rightSideValue }
  expect(bodyAt('/transactionComplete')).toMatchObject({ paymentId, ...trade })
  const update = bodyAt('/transactionStatusUpdate')
  expect(LEGACY_BODIES.transactionStatusUpdate.parse(update).status).toBe(PROCESSING)
})

it.each(['expired', 'cancelled'])(
  'legacy webhooks report a transaction that is %s as updated, never as complete',
  async (end) => {
    await subscribe()
    const { id } = await alice.buy()
    await app.control('POST', `/simulate/transactions/${id}/${end}`)
    expect((await arrived()).sort()).toEqual([
      `transactionInitiated: ${PENDING}`,
      `transactionStatusUpdate: ${end}`,
    ])
  },
)

it('legacy webhooks report a verification with two fields, and no other user status', async () => {
  await subscribe()
  for (const status of ['in-review', 'verified']) {
    await app.control('POST', `/simulate/users/${alice.email}/kyc`, { status })
  }
  expect(await arrived()).toEqual(['verifiedEmail: verified'])
  const body = LEGACY_BODIES.userVerified.parse(bodyAt('/verifiedEmail'))
  expect(body).toEqual({ email: alice.email, status: 'verified' })
})

it('legacy webhooks are signed, each of the four', async () => {
  await subscribe()
  const { signingSecret: secret } = await callV1(app, 'POST /webhook-signing-secret')
  for (const status of ['in-review', 'verified']) {
    await app.control('POST', `/simulate/users/${alice.email}/kyc`, { status })
  }
  const { id } = await alice.buy()
  await receiveFunds(app, id)
  await settle(app, id)
  await arrived()
  const signed = receiver.received.filter(({ headers, bytes }) => isSigned(headers, bytes, secret))
  expect(new Set(signed.map(({ path }) => path))).toEqual(new Set(HOOKS.map((hook) => `/${hook}`)))
  expect(signed).toHaveLength(receiver.received.length)
})

it('legacy webhooks are signed with the same secret as v2, and unsigned before there is one', async () => {
  await subscribe()
  await alice.buy()
  await arrived()
  expect(receiver.received[0]?.headers).not.toHaveProperty('x-service-signature')
  const { deliveries } = await app.control('GET', '/webhooks/deliveries')
  expect(deliveries.at(-1)).toMatchObject({ generation: 'v1', outcome: 'delivered' })
  expect(deliveries.at(-1).reason).toMatch(/^Unsigned: .*webhooks\.withoutSecret/)

  const { signingSecret: secret } = await callV1(app, 'POST /webhook-signing-secret')
  await subscribeV2()
  await alice.buy()
  await arrived()
  expect(receiver.received).toHaveLength(3)
  for (const request of receiver.received.slice(1)) {
    expect(isSigned(request.headers, request.bytes, secret)).toBe(true)
  }
})

it('legacy webhooks stop one by one with their flags, and the journal says why', async () => {
  await subscribe()
  await callV1(app, 'PATCH /webhooks', { body: { transactionInitiatedEnabled: false } })
  await callV1(app, 'PATCH /webhooks', { body: { transactionStatusUpdateUrl: '' } })
  const { id } = await alice.buy()
  await receiveFunds(app, id)
  expect(await arrived()).toEqual([])
  expect(await suppressed()).toEqual([
    ['transactionInitiated', 'transactionInitiatedEnabled was false.'],
    ['transactionStatusUpdate', 'transactionStatusUpdateUrl was empty.'],
  ])
})

const subscribeOne = () =>
  callV1(app, 'PATCH /webhooks', {
    body: {
      ...Object.fromEntries(HOOKS.map((hook) => [`${hook}Enabled`, true])),
      verifiedEmailUrl: `${receiver.url}/only`,
    },
  })

it('legacy webhooks without a URL of their own go to the only URL that there is', async () => {
  await subscribeOne()
  const { id } = await alice.buy()
  await receiveFunds(app, id)
  expect(await arrived()).toEqual([`only: ${PENDING}`, `only: ${PROCESSING}`])
})

it('the shutdown of v1 ends legacy webhooks, to the second', async () => {
  await app.control('PATCH', '/settings', { 'v1.sunset': '2026-07-01T12:00:02Z' })
  await subscribe()
  await app.advance('1s')
  const { id } = await alice.buy()
  await app.advance('1s')
  await receiveFunds(app, id)
  expect(await arrived()).toEqual([`transactionInitiated: ${PENDING}`])
  const [[hook, reason] = []] = await suppressed()
  expect([hook, reason]).toEqual(['transactionStatusUpdate', expect.stringContaining('shut down')])
})

async function suppressed(): Promise<[string, string][]> {
  const { deliveries } = await app.control('GET', '/webhooks/deliveries?outcome=suppressed')
  return deliveries
    .filter(({ generation }: { generation: string }) => generation === 'v1')
    .map(({ hook, reason }: { hook: string; reason: string }) => [hook, reason])
}
