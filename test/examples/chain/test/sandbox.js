// Each test gets a sandbox whose coins are on the chain, and alice's session with it.
import { createSandbox } from 'ramp-sandbox'
import { privateKeyToAccount } from 'viem/accounts'
import { inject } from 'vitest'
import { createRamp } from '../src/ramp.js'

export const ALICE = 'alice@example.com'

/** An account that every anvil has: it can pay for gas, and its key is no secret. */
export const account = privateKeyToAccount(
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
)

export async function openSandbox() {
  const node = inject('chain')
  const sandbox = await createSandbox({ fixture: 'verified-user', chain: node })
  const [{ tokens }] = await sandbox.chain.networks()
  const usdc = tokens.find(({ coin }) => coin === 'USDC').address
  const { token } = await sandbox.login(ALICE)
  const ramp = createRamp({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, token })
  return { sandbox, ramp, node, usdc }
}
