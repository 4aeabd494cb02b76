import { describe, expect } from 'vitest'
import { ALICE, test } from './wallet.js'

describe('a session', () => {
  test('ends with the access token, an hour after the login', async ({ sandbox, wallet }) => {
    await wallet.logIn(ALICE)
    await sandbox.clock.advance('1h')

    await expect(wallet.buy(100)).rejects.toMatchObject({ status: 401 })

    await wallet.logIn(ALICE)
    await wallet.buy(100)
  })

  test('is not opened by a wrong code', async ({ sandbox, wallet }) => {
    await sandbox.simulate.account(ALICE, { loginCode: '1234' })
    await wallet.call('/send-code', { email: ALICE })

    const wrong = wallet.call('/log-in', { email: ALICE, code: '4321' })

    await expect(wrong).rejects.toMatchObject({ status: 401 })
  })
})
