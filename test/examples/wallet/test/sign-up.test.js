import { expect } from 'vitest'
import { test } from './wallet.js'

const BOB = 'bob@example.com'

test('a new customer can log in once a reviewer has approved', async ({ sandbox, wallet }) => {
  const { kycUrl } = await wallet.signUp(BOB)
  expect(kycUrl).toContain(sandbox.url)
  await expect(wallet.logIn(BOB)).rejects.toThrow()

  await sandbox.simulate.kyc(BOB, 'verified')

  await wallet.logIn(BOB)
  expect((await wallet.show()).kyc).toBe('verified')
})

test('a new customer is notified when the review takes a day', async ({ sandbox, wallet }) => {
  await wallet.signUp(BOB)
  await sandbox.simulate.kyc(BOB, 'in-review')
  await sandbox.simulate.kyc(BOB, 'verified', { after: '1d' })

  await sandbox.clock.advance('1d')

  const event = await sandbox.events.next({ type: 'user.update', status: 'verified' })
  expect(event.payload.email).toBe(BOB)
  await wallet.logIn(BOB)
})
