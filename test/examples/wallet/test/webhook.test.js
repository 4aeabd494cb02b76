import { describe, expect } from 'vitest'
import { ALICE, test } from './wallet.js'

describe('the webhook handler', () => {
  test('takes an event once, however often it comes', async ({ sandbox, wallet }) => {
    await wallet.logIn(ALICE)
    const { id, coins } = await wallet.buy(100)
    const { deliveries } = await sandbox.simulate.settled(id, { through: true })

    const again = await sandbox.webhooks.resend(deliveries.at(-1).id)

    expect(again.outcome).toBe('delivered')
    expect((await wallet.show()).balance).toBe(coins)
  })

  for (const mutate of ['body', 'signature', 'timestamp']) {
    test(`refuses an event with another ${mutate}`, async ({ sandbox, wallet }) => {
      await wallet.logIn(ALICE)
      const { id } = await wallet.buy(100)
      const [delivery] = await sandbox.webhooks.deliveries({ ref: id })

      const changed = await sandbox.webhooks.resend(delivery.id, { mutate })

      expect(changed.response.status).toBe(401)
    })
  }
})
