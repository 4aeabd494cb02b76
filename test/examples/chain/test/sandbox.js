// Each test gets a world of its own whose coins are on the chain, and alice's session with it.
import { test as sandboxTest } from 'ramp-sandbox/vitest'
import { privateKeyToAccount } from 'viem/accounts'
import { createRamp } from '../src/ramp.js'

export const ALICE = 'alice@example.com'

/** An account that every anvil has: it can pay for gas, and its key is no secret. */
export const account = privateKeyToAccount(
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
)

export const test = sandboxTest.extend({
  sandboxSetup: { fixture: 'verified-user' },
  ramp: async ({ sandbox }, use) => {
    const { token } = await sandbox.login(ALICE)
    await use(createRamp({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, token }))
  },
  usdc: async ({ sandbox }, use) => {
    const [{ tokens }] = await sandbox.chain.networks()
    await use(tokens.find(({ coin }) => coin === 'USDC').address)
  },
})
