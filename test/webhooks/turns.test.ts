import { expect, it, onTestFinished } from 'vitest'
import { createReceiver, createSandbox, type Receiver, type Sandbox } from '../../src/index.ts'
import { allLegacyWebhooks, LEGACY_HOOKS } from '../../src/world/state.ts'
import { ALICE } from '../client/buy.ts'
import { findRejection } from '../verifier.ts'
import { countOpen } from './servers.ts'

interface Body {
  status?: string
  payload?: { status: string }
}

async function openSandbox() {
  const sandbox = await createSandbox({
    fixture: 'verified-user',
    clock: 'frozen',
    listen: false,
  })
  onTestFinished(() => sandbox.close())
  return sandbox
}

async function openReceiver() {
  const receiver = await createReceiver<Body>()
  onTestFinished(() => receiver.close())
  return receiver
}

/** A receiver that responds to nothing until it is let go. */
async function openHeld() {
  const receiver = await openReceiver()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  receiver.respondWith(() => held.then(() => 200))
  return { receiver, letGo }
}

/** Each makes one webhook of v2. */
async function changeKyc(sandbox: Sandbox, ...statuses: ('rejected' | 'verified' | 'upload')[]) {
  for (const status of statuses) {
    await sandbox.simulate.kyc(ALICE, status, { deliver: 'async' })
  }
}

/** A call of the API, which responds before its webhooks have left. */
async function buy(sandbox: Sandbox): Promise<{ id: string }> {
  const alice = await sandbox.login(ALICE)
  return (await alice.buy({ cad: 100 })).data
}

const statusesOf = ({ received }: Receiver<Body>) =>
  received.map(({ json }) => json.payload?.status ?? json.status)

const call = (sandbox: Sandbox, method: string, path: string, body?: object) =>
  sandbox.fetch(path, {
    method,
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

const drain = (sandbox: Sandbox) => sandbox.webhooks.drain({ timeout: '5s' })

it('a webhook waiting for its turn goes to the URL that was set while it waited', async () => {
  const [sandbox, { receiver, letGo }, other] = [
    await openSandbox(),
    await openHeld(),
    await openReceiver(),
  ]
  await sandbox.webhooks.set(receiver.url)
  await changeKyc(sandbox, 'rejected', 'upload', 'verified')
  await receiver.next()
  await call(sandbox, 'PUT', '/v2/webhook-configurations', { url: other.url })
  letGo()
  await drain(sandbox)
  expect([statusesOf(receiver), statusesOf(other)]).toEqual([['rejected'], ['upload', 'verified']])
  const deliveries = await sandbox.webhooks.deliveries({ outcome: 'delivered' })
  expect(deliveries.map(({ url }) => url)).toEqual([receiver.url, other.url, other.url])
})

it('a webhook waiting for its turn is signed with the secret that was rotated while it waited', async () => {
  const [sandbox, { receiver, letGo }] = [await openSandbox(), await openHeld()]
  const { signingSecret } = await sandbox.webhooks.set(receiver.url)
  await changeKyc(sandbox, 'rejected', 'upload')
  await receiver.next()
  const path = '/v2/webhook-configurations/signing-secret/rotate'
  const { data } = (await (await call(sandbox, 'POST', path)).json()) as Record<'data', never>
  const { signingSecret: rotated } = data as { signingSecret: string }
  letGo()
  await drain(sandbox)
  const [first, second] = receiver.received
  expect(first && findRejection(first, signingSecret)).toBeNull()
  expect(second && findRejection(second, rotated)).toBeNull()
})

it('a webhook waiting for its turn is not sent if its configuration was deleted meanwhile, and says so', async () => {
  const [sandbox, { receiver, letGo }] = [await openSandbox(), await openHeld()]
  await sandbox.webhooks.set(receiver.url)
  await changeKyc(sandbox, 'rejected', 'upload')
  await receiver.next()
  await call(sandbox, 'DELETE', '/v2/webhook-configurations')
  letGo()
  await drain(sandbox)
  expect(statusesOf(receiver)).toEqual(['rejected'])
  const deliveries = await sandbox.webhooks.deliveries({ ref: ALICE })
  const own = deliveries.filter(({ integrator }) => integrator === 'main')
  expect(own).toMatchObject([
    { outcome: 'delivered', url: receiver.url },
    {
      outcome: 'suppressed',
      url: null,
      reason: 'No webhook URL was configured for the integrator main when this webhook was due.',
    },
  ])
})

it('a webhook waiting for its turn is not sent by v1 if all four flags were switched off meanwhile', async () => {
  const [sandbox, { receiver, letGo }] = [await openSandbox(), await openHeld()]
  await sandbox.webhooks.set(null, { legacy: allLegacyWebhooks(receiver.url) })
  const { id } = await buy(sandbox)
  await receiver.next()
  await sandbox.simulate.fundsReceived(id, { deliver: 'async' })
  await sandbox.simulate.settled(id, { deliver: 'async' })
  const off = Object.fromEntries(LEGACY_HOOKS.map((hook) => [`${hook}Enabled`, false]))
  expect((await call(sandbox, 'PATCH', '/webhooks', off)).status).toBe(200)
  letGo()
  await drain(sandbox)
  expect(receiver.received).toHaveLength(1)
  const deliveries = await sandbox.webhooks.deliveries({ generation: 'v1' })
  expect(deliveries.map(({ hook, outcome }) => [hook, outcome])).toEqual([
    ['transactionInitiated', 'delivered'],
    ['transactionStatusUpdate', 'suppressed'],
    ['transactionComplete', 'suppressed'],
    ['transactionStatusUpdate', 'suppressed'],
  ])
  expect(deliveries[1]?.reason).toBe(
    'transactionStatusUpdateEnabled was false when this webhook was due.',
  )
})

it('legacy webhooks that share a URL share a queue, in the order of the events', async () => {
  const [sandbox, receiver] = [await openSandbox(), await openReceiver()]
  const openAtMost = countOpen(receiver)
  await sandbox.webhooks.set(null, { legacy: allLegacyWebhooks(receiver.url) })
  for (let i = 0; i < 3; i++) {
    const { id } = await buy(sandbox)
    await sandbox.simulate.settled(id, { through: true, deliver: 'async' })
  }
  await drain(sandbox)
  const deliveries = await sandbox.webhooks.deliveries({ generation: 'v1' })
  expect(openAtMost()).toBe(1)
  expect(receiver.received.map(({ body }) => body)).toEqual(
    deliveries.map(({ request }) => request.body),
  )
})

it('legacy webhooks with URLs of their own have queues of their own, so that none waits for another', async () => {
  const [sandbox, { receiver, letGo }, other] = [
    await openSandbox(),
    await openHeld(),
    await openReceiver(),
  ]
  const legacy = {
    ...allLegacyWebhooks(receiver.url),
    transactionCompleteUrl: other.url,
  }
  await sandbox.webhooks.set(null, { legacy })
  const { id } = await buy(sandbox)
  await sandbox.simulate.settled(id, { through: true, deliver: 'async' })
  expect((await other.next()).json.status).toBe('complete')
  expect(receiver.received).toHaveLength(1)
  letGo()
  await drain(sandbox)
})

it('webhooks of v1 and of v2 have queues of their own, even with one URL', async () => {
  const [sandbox, { receiver, letGo }] = [await openSandbox(), await openHeld()]
  await sandbox.webhooks.set(receiver.url, { legacy: allLegacyWebhooks(receiver.url) })
  await buy(sandbox)
  const both = [await receiver.next(), await receiver.next()]
  expect(both.map(({ json }) => json.payload?.status ?? json.status)).toEqual([
    'pending request money transfer',
    'pending request money transfer',
  ])
  letGo()
  await drain(sandbox)
})
