import { expect, it } from 'vitest'
import type { WebhookEnvelope } from '../contract.ts'
import { KEY_2, openApp } from '../helpers/app.ts'
import { openHooks } from '../helpers/hooks.ts'
import {
  logIn,
  PENDING,
  PROCESSING,
  receiveFunds,
  register,
  review,
  settle,
  verifiedUser,
} from '../helpers/story.ts'

const ofTransactions = (envelopes: WebhookEnvelope[]) =>
  envelopes.flatMap((envelope) => (envelope.type === 'transaction.update' ? [envelope] : []))
const idsOf = (envelopes: WebhookEnvelope[]) => new Set(envelopes.map(({ id }) => id))
const statuses = (envelopes: WebhookEnvelope[]) => envelopes.map(({ payload }) => payload.status)

/** A verified user whose integrator listens. */
async function openScene() {
  const app = openApp()
  const hooks = await openHooks(app)
  const alice = await verifiedUser(app)
  return { app, hooks, alice, [Symbol.asyncDispose]: () => hooks.receiver.close() }
}

it('the events of a user report each change of status once, in order, and not the creation', async () => {
  const app = openApp()
  await using hooks = await openHooks(app)
  const id = await register(app)
  for (const status of ['in-review', 'in-review', 'upload', 'verified', 'verified']) {
    await review(app, id, status)
  }
  const envelopes = await hooks.envelopes()
  expect(statuses(envelopes)).toEqual(['in-review', 'upload', 'verified'])
  expect(idsOf(envelopes).size).toBe(3)
  for (const { type, occurredAt, payload } of envelopes) {
    expect([type, occurredAt]).toEqual(['user.update', '2026-07-01T12:00:00.000Z'])
    expect(payload).toMatchObject({ userId: id, email: 'alice@example.com' })
  }
})

it('the events of a user go to every linked integrator', async () => {
  const app = openApp({ fixture: 'verified-user' })
  await using first = await openHooks(app)
  await using second = await openHooks(app, KEY_2)
  await review(app, 'alice@example.com', 'inactive')
  expect(await first.statuses()).toEqual(['inactive'])
  expect(await second.statuses()).toEqual(['inactive'])
  const [here, there] = [(await first.envelopes())[0]?.id, (await second.envelopes())[0]?.id]
  expect(here).not.toBe(there)
})

it('the events of a transaction report its creation, its processing and its completion', async () => {
  await using scene = await openScene()
  const { app, hooks, alice } = scene
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
  const externalSessionId = ' session é漢🙂 '
  const { id, rightSideValue } = await alice.buy({ externalSessionId, wallet })
  await receiveFunds(app, id)
  await settle(app, id)
  const envelopes = ofTransactions(await hooks.envelopes())
  expect(statuses(envelopes)).toEqual([PENDING, PROCESSING, 'complete'])
  expect(idsOf(envelopes).size).toBe(3)
  const { paymentId } = await alice.read(id)
  expect(envelopes.map(({ payload }) => payload.paymentId)).toEqual([null, null, paymentId])
  expect(envelopes[0]?.payload).toEqual({
    transactionId: id,
    status: PENDING,
    email: 'alice@example.com',
    wallet,
    paymentId: null,
    leftSideLabel: 'CAD',
    leftSideValue: 100,
    rightSideLabel: 'USDC-ETH',
    rightSideValue,
    etransferSecurityAnswer: null,
    externalSessionId,
  })
})

it('the events of a transaction carry the security answer of a sell, unless the user has autodeposit', async () => {
  await using scene = await openScene()
  const { app, hooks, alice } = scene
  const first = await alice.sell()
  const account = { autodeposit: true }
  await app.control('POST', `/simulate/users/${alice.id}/account`, account)
  const second = await alice.sell()
  const responses = ofTransactions(await hooks.envelopes()).map(({ payload }) => [
    payload.transactionId,
    typeof payload.etransferSecurityAnswer,
  ])
  expect(responses).toEqual([
    [first.id, 'string'],
    [second.id, 'object'],
  ])
})

it('the events of a transaction carry a different security answer for each sell, and the e-mail address of its user', async () => {
  await using scene = await openScene()
  const { app, hooks, alice } = scene
  const bob = await verifiedUser(app, { email: 'bob@example.com' })
  for (const seller of [alice, bob, bob]) await seller.sell()
  const payloads = ofTransactions(await hooks.envelopes()).map(({ payload }) => payload)
  expect(payloads.map(({ email }) => email)).toEqual([alice.email, bob.email, bob.email])
  const answers = payloads.map(({ etransferSecurityAnswer }) => etransferSecurityAnswer)
  expect(new Set(answers).size).toBe(3)
})

it('the events of a transaction go to the integrator that created it', async () => {
  const app = openApp({ fixture: 'verified-user' })
  await using first = await openHooks(app)
  await using second = await openHooks(app, KEY_2)
  await (await logIn(app)).buy()
  await (await logIn(app, { key: KEY_2 })).sell()
  expect((await first.envelopes()).map(({ payload }) => payload)).toMatchObject([
    { leftSideLabel: 'CAD' },
  ])
  expect((await second.envelopes()).map(({ payload }) => payload)).toMatchObject([
    { rightSideLabel: 'CAD' },
  ])
})
