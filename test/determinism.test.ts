import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../src/client/receiver.ts'
import { act } from './simulation/actions.ts'
import { openLife } from './simulation/life.ts'

const STEPS = 150
const FIXTURE = {
  integrators: [{ name: 'main', apiKey: 'key' }],
  users: [{ email: 'alice@example.com', status: 'verified' }],
}

let receiver: Receiver
beforeAll(async () => {
  receiver = await createReceiver()
})
afterAll(() => receiver.close())

/** Lives one life, and collects every byte that it sends and every id that it gives. */
async function play(seed: string) {
  const responses: string[] = []
  let steps = 0
  const life = openLife({
    ...{ chance: 'determinism', fixture: FIXTURE, seed, settings: {} },
    // These would put back the seed of the fixture.
    mayTake: ({ action }) => action !== 'reset',
    onStep({ step, response }) {
      steps++
      // What the control API says of deliveries has real times in it.
      if (step.route.includes(' /v2/')) responses.push(`${response.status} ${response.text}`)
    },
  })
  const before = receiver.received.length
  const route = 'PUT /v2/webhook-configurations'
  const body = { url: receiver.url }
  await life.take({ action: 'putWebhookConfiguration', route, key: 'key', body })
  while (steps < STEPS) await act(life)
  await life.services.outbox.drain(10_000)
  const webhooks = receiver.received.slice(before).map((request) => request.body)
  const { users, transactions, events, messages, integrators } = life.state
  await life.app.close()
  const ids = [
    ...[...users, ...transactions, ...events].map(({ id }) => id),
    ...transactions.flatMap(({ rmtId, paymentId, depositAddress }) => [
      rmtId,
      paymentId,
      depositAddress,
    ]),
    ...[
      ...integrators.map(({ signingSecret }) => signingSecret),
      ...life.tokens.map(({ text }) => text),
    ],
  ].filter((id) => id && !id.startsWith('0xbeef') && !id.startsWith('0xfeed'))
  return { responses, webhooks, ids, messages }
}

it('a story repeats byte for byte, and has other ids under another seed', async () => {
  const [first, second] = [await play('one'), await play('two')]
  expect(first.webhooks.length).toBeGreaterThan(9)
  expect(await play('one')).toEqual(first)
  expect(first.ids.length).toBeGreaterThan(50)
  expect(first.ids.filter((id) => second.ids.includes(id))).toEqual([])
})
