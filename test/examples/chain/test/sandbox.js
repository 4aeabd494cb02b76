// Each test gets a world of its own whose coins are on the chain, and alice's session with it.
import { attachChain } from 'ramp-sandbox'
import { test as sandboxTest } from 'ramp-sandbox/vitest'
import { privateKeyToAccount } from 'viem/accounts'
import { inject } from 'vitest'
import { createRamp } from '../src/ramp.js'

export const ALICE = 'alice@example.com'

/** An account that every anvil has: it can pay for gas, and its key is no secret. */
export const account = privateKeyToAccount(
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
)

export const test = sandboxTest.extend({
  // Worlds that share a chain need a seed each: their deposit addresses come from it.
  sandboxSetup: ({ task }, use) => use({ fixture: 'verified-user', seed: task.name }),
  node: ({ task: _ }, use) => use(inject('node')),
  log: ({ task: _ }, use) => use([]),
  chain: async ({ sandbox, node, log }, use) => {
    const chain = await attachChain(sandbox, { rpc: node, log: (line) => log.push(line) })
    await use(chain)
    await chain.close()
  },
  ramp: async ({ sandbox }, use) => {
    const { token } = await sandbox.login(ALICE)
    await use(createRamp({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, token }))
  },
  usdc: ({ chain }, use) => use(chain.tokens.USDC.address),
})
