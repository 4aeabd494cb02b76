import type { Sandbox } from '../client/client.ts'
import type { AttachedChain, ChainOptions, SendRequest } from './attached-chain.ts'
import { prepareNode, unlock } from './node.ts'
import { assertPrivate } from './private-url.ts'
import { address as Address, chainError, Rpc } from './rpc.ts'
import { mint, readBalance, toUnits, transfer } from './token.ts'
import { WorldChain } from './world-chain.ts'

/** Puts a world on a chain, and follows both. */
export async function openChain(sandbox: Sandbox, options: ChainOptions): Promise<AttachedChain> {
  const { tokens: ownTokens = {}, log = () => undefined } = options
  const { fetch = (url, init) => globalThis.fetch(url, init) } = options
  await assertPrivate(options.rpc)
  const rpc = new Rpc(options.rpc, fetch)
  const node = await prepareNode(rpc, ownTokens)
  const chain = new WorldChain(sandbox, { rpc, node, ownTokens, log })
  await chain.scan()
  chain.follow()
  return {
    tokens: node.tokens,
    scan: () => chain.scan(),
    send: (request) => send(rpc, chain, request),
    close: () => chain.close(),
    [Symbol.asyncDispose]: () => chain.close(),
  }
}

async function send(rpc: Rpc, { node }: WorldChain, request: SendRequest): Promise<string> {
  const { to, amount, coin = 'USDC', from = node.funded } = request
  for (const given of [to, from]) {
    if (!Address.safeParse(given).success) {
      throw chainError(`${given} is not an address: 0x and 40 digits.`)
    }
  }
  if (!(amount > 0 && Number.isFinite(amount))) throw chainError(`${amount} coins cannot be sent.`)
  const token = node.tokens[coin]
  const units = toUnits(amount, token)
  if ((await readBalance(rpc, token, from)) < units) {
    if (!token.isOwn || from.toLowerCase() !== node.funded.toLowerCase()) {
      throw chainError(`${from} has too few ${coin}; send it some first.`)
    }
    await mint(rpc, token, { from: node.account, to: from, units })
  }
  await unlock(rpc, from)
  return await transfer(rpc, token, { from, to, units })
}
