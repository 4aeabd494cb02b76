import { describe, expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { logIn } from '../helpers/story.ts'
import { openServed } from './served.ts'

async function openTrader(url: string, settings: Record<string, string> = {}) {
  const served = await openServed({ settings })
  await served.app.call('PUT /v2/webhook-configurations', { body: { url } })
  const alice = await logIn(served.app)
  const order = (more: object = {}) =>
    served.post('/faults', { on: 'webhook', then: { beforeResponse: true }, ...more })
  return { served, alice, order }
}

describe('a webhook that is ordered before the response', () => {
  it('has been acknowledged when the call that caused it gets its response', async () => {
    await using receiver = await createReceiver()
    const { served, alice, order } = await openTrader(receiver.url)
    await using _ = served
    await order({ times: 2 })
    const seen: number[] = []
    receiver.respondWith(async () => {
      const { items } = await served.get('/transactions')
      seen.push(items.length)
      return 200
    })
    const { id } = await alice.buy()
    expect(receiver.received).toHaveLength(1)
    await alice.cancel(id)
    expect(receiver.received).toHaveLength(2)
    expect(seen).toEqual([1, 1])
    const { deliveries } = await served.get('/webhooks/deliveries')
    expect(deliveries[0]).toMatchObject({
      outcome: 'delivered',
      reason: 'Fault fault_1: sent before the response to the call that caused it.',
    })
  })

  it('holds up no other call', async () => {
    let release = () => {}
    const released = new Promise<number>((resolve) => (release = () => resolve(200)))
    await using receiver = await createReceiver({ respond: () => released })
    const { served, alice, order } = await openTrader(receiver.url)
    await using _ = served
    await order()
    let hasResponse = false
    const buying = alice.buy().then(() => (hasResponse = true))
    await receiver.next()
    await served.get('/health')
    expect(hasResponse).toBe(false)
    release()
    await buying
  })
})
