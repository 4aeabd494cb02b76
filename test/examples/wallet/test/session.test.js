import { expect } from 'vitest'
import { ALICE, test } from './wallet.js'

/** The contract names an authentication error, but no status. */
const AUTHENTICATION_ERRORS = [401, 403]

test('a session ends with the access token, an hour after the login', async ({
  sandbox,
  wallet,
}) => {
  await wallet.logIn(ALICE)
  await sandbox.clock.advance('1h')

  const status = await wallet.buy(100).catch((refused) => refused.status)
  expect(status).toBeOneOf(AUTHENTICATION_ERRORS)

  await wallet.logIn(ALICE)
  await wallet.buy(100)
})

test('a session is not opened by a wrong code', async ({ sandbox, wallet }) => {
  await sandbox.simulate.account(ALICE, { loginCode: '1234' })
  await wallet.call('/send-code', { email: ALICE })

  const wrong = wallet.call('/log-in', { email: ALICE, code: '4321' })

  expect(await wrong.catch(({ status }) => status)).toBeOneOf(AUTHENTICATION_ERRORS)
})
