import { openChainOf } from '../../src/host/chain.ts'
import { createDevNode, NODE_URL } from '../helpers/dev-node.ts'
import { EVM_WALLET } from '../helpers/story.ts'
import type { Recorder } from './recorder.ts'
import { ALICE, type Cast, openCast } from './story-v2.ts'

/** With a chain behind the coins, and without. */
export async function playChain({ call }: Recorder, { app: without }: Cast): Promise<void> {
  const node = createDevNode()
  const { app } = await openCast(
    {},
    { chain: await openChainOf({ chain: [NODE_URL], fetch: node.fetch }) },
  )
  await call(app, 'getChain', 200)
  const sent = { to: EVM_WALLET, amount: 100, coin: 'USDC' }
  await call(app, 'sendOnChain', 200, { body: sent })
  await call(app, 'scanChain', 200)
  const path = { address: EVM_WALLET }
  await call(app, 'getChainBalances', 200, { path })
  await call(app, 'getChainBalances', 400, { path: { address: 'alice' } })
  node.fail('eth_sendTransaction', 'out of gas')
  const buy = { cad: 100, settle: true }
  await call(app, 'simulateBuy', 409, { path: { user: ALICE }, body: buy })
  await call(without, 'getChainBalances', 409, { path })
  await call(without, 'scanChain', 409)
  await call(without, 'sendOnChain', 409, { body: sent })
  await app.close()
}
