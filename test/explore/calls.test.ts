import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { Stage } from '../../src/scenario/types.ts'
import { clients, order } from '../examples/receivers/clients.mjs'
import { right } from '../examples/receivers/shop.mjs'
import { openReceiver, type Parts } from './receiver.ts'

/** Knows only what it ordered itself. */
const ownOrdersOnly: Parts = {
  ...right,
  apply(state, payload) {
    if (state.orders[payload.transactionId]) right.apply(state, payload)
  },
}

/** Explores a back end that orders once, and whose order then completes. */
async function exploreClient(client: keyof typeof clients, parts: Parts = right) {
  await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
  await using receiver = await openReceiver(parts)
  const { options, shop } = receiver
  const story = async ({ control }: Stage) => {
    const id = await order(shop, clients[client])
    await control.post(`/simulate/transactions/${id}/funds-received`)
    await control.post(`/simulate/transactions/${id}/settled`)
  }
  return await sandbox.explore(story, { ...options, calls: true })
}

describe('a back end whose calls are disturbed', () => {
  it('is right where it asks before it orders again', async () => {
    const { findings, held } = await exploreClient('right')
    expect(findings).toEqual([])
    const { of = 0, held: kept } = held.find(({ name }) => name === 'your calls') ?? {}
    expect(kept).toBe(of)
    expect(of).toBeGreaterThan(20)
  }, 120_000)

  it('orders twice where it retries blindly', async () => {
    await expect(exploreClient('retries-blindly')).rejects.toThrow(
      /When the response of `createTransaction` \(call 4\) is lost, your backend orders again: 2 transactions instead of 1/,
    )
  }, 120_000)

  it('loses an order where it forgets what it asked for', async () => {
    await expect(exploreClient('forgets', ownOrdersOnly)).rejects.toThrow(
      /When the response of `createTransaction` \(call 4\) (is lost|takes longer.*), transaction .* is orphaned/,
    )
  }, 120_000)
})
