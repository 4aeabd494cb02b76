import { describe, expect } from 'vitest'
import { ALICE, test } from './wallet.js'

/** The first four forge an event; the others leave it genuine. */
const MUTATIONS = [
  ['body', 401],
  ['signature', 401],
  ['timestamp', 401],
  ['timestamp-ahead', 401],
  ['wording', 204],
  ['chunked', 204],
  ['charset', 204],
  ['field', 204],
  ['eventId', 204],
  ['unknown-status', 204],
  ['unknown-type', 204],
]

describe('the webhook handler', () => {
  test('the webhook handler processes an event once, however often it arrives', async ({
    sandbox,
    wallet,
  }) => {
    await wallet.logIn(ALICE)
    const { id, coins } = await wallet.buy(100)
    const { deliveries } = await sandbox.simulate.settled(id, { through: true })

    const again = await sandbox.webhooks.resend(deliveries.at(-1).id)

    expect(again.outcome).toBe('delivered')
    expect((await wallet.show()).balance).toBe(coins)
  })

  test('the webhook handler changes nothing when an earlier status arrives late', async ({
    sandbox,
    wallet,
  }) => {
    await wallet.logIn(ALICE)
    const { id, coins } = await wallet.buy(100)
    const match = { status: 'processing request money transfer' }
    await sandbox.faults.add({ on: 'webhook', match, then: { reorder: true } })
    await sandbox.simulate.settled(id, { through: true })

    const [, last] = (await sandbox.webhooks.deliveries({ ref: id })).slice(-2)
    expect(last.outcome).toBe('delivered')
    expect(await wallet.show()).toMatchObject({ balance: coins, buys: [{ status: 'complete' }] })
  })

  for (const [mutate, status] of MUTATIONS) {
    test(`the webhook handler responds with ${status} to an event with the mutation ${mutate}`, async ({
      sandbox,
      wallet,
    }) => {
      await wallet.logIn(ALICE)
      const { id } = await wallet.buy(100)
      const [delivery] = await sandbox.webhooks.deliveries({ ref: id })

      const changed = await sandbox.webhooks.resend(delivery.id, { mutate })

      expect(changed.response.status).toBe(status)
    })
  }
})
