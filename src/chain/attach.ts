import type { Sandbox } from '../client/client.ts'
import type { AttachedChain, ChainOptions } from './attached-chain.ts'

/**
 * Lets the coins of a world move on a development chain: transfers to the deposit address of a sell
 * are its funds, and a buy that is processing is paid and completed with the hash.
 *
 * @example
 * await using chain = await attachChain(sandbox, { rpc: 'http://127.0.0.1:8545' })
 * const { transaction } = await sandbox.sell('alice@example.com', { coins: 50 })
 * await chain.send({ to: transaction.depositAddress, amount: 50 })
 * await chain.scan()
 * const { status } = await sandbox.transactions.get(transaction.id)
 * assert.equal(status, 'processing request money transfer')
 *
 * @throws SandboxError with code `chain` when the node does not respond, is not at a private address
 * or is of a public network, and when the world settles by itself.
 */
export async function attachChain(sandbox: Sandbox, options: ChainOptions): Promise<AttachedChain> {
  // The code of the tokens is long, so a program without a chain does not load it.
  const { openChain } = await import('./open.ts')
  return await openChain(sandbox, options)
}
