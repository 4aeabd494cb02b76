import * as z from 'zod'
import { realTime } from '../real-time.ts'
import type { Coin } from '../world/state.ts'
import { COIN_CODE, DEPLOYER, OWN_COINS, SELECTORS } from './coin.ts'
import { address, bigQuantity, bytes, chainError, quantity, type Rpc, word } from './rpc.ts'
import { encodeCall, readWord, type Token, toAddress, toQuantity } from './token.ts'

export interface ChainNode {
  /** The platform's account, which the node signs for. */
  account: string
  /** Whose coins `send` sends. */
  funded: string
  tokens: Record<Coin, Token>
  /** A token of ours that notes lives, also where the coins are somebody else's. */
  notebook: Token
}

export type Block = z.output<typeof block>
export const block = z.object({ number: quantity, hash: word })

/** Looks at a node, and deploys the coins that it lacks. */
export async function prepareNode(
  rpc: Rpc,
  own: Partial<Record<Coin, string>>,
): Promise<ChainNode> {
  const id = await rpc.call('eth_chainId', quantity)
  if (PUBLIC_NETWORKS.has(id)) {
    const message =
      `The chain at ${rpc.url} has the id ${id} of a public network; give a fork another one, ` +
      'such as anvil --chain-id 31337.'
    throw chainError(message)
  }
  const [account, funded = account] = await findAccounts(rpc)
  // One after the other, because the same account sends both.
  const notebook = await deploy(rpc, 'USDC', account)
  const USDC = own.USDC === undefined ? notebook : await readToken(rpc, 'USDC', own.USDC)
  const CADC = await (own.CADC === undefined
    ? deploy(rpc, 'CADC', account)
    : readToken(rpc, 'CADC', own.CADC))
  return { account, funded, tokens: { USDC, CADC }, notebook }
}

/** Account without a private key, for nodes that have no unlocked accounts but impersonate. */
const IMPERSONATED = '0x5a4db0c500000000000000000000000000000001'

async function findAccounts(rpc: Rpc): Promise<[account: string, funded?: string | undefined]> {
  const accounts = await rpc.call('eth_accounts', z.array(address))
  const [account, funded] = accounts
  // A node also lists the accounts that it impersonates, in any order.
  if (account !== undefined && !accounts.includes(IMPERSONATED)) return [account, funded]
  await unlock(rpc, IMPERSONATED)
  return [IMPERSONATED]
}

/** Makes the node sign for an account, with something to pay for gas: anvil and Hardhat can. */
export async function unlock(rpc: Rpc, account: string): Promise<void> {
  const unlocked = await rpc.call('eth_accounts', z.array(address))
  if (unlocked.some((each) => each.toLowerCase() === account.toLowerCase())) return
  try {
    await rpc.call('hardhat_impersonateAccount', z.unknown(), account)
    if ((await rpc.call('eth_getBalance', bigQuantity, account, 'latest')) < GAS_MONEY) {
      await rpc.call('hardhat_setBalance', z.unknown(), account, toQuantity(GAS_MONEY))
    }
  } catch {
    const message = `The chain at ${rpc.url} has not unlocked ${account}, and impersonates nobody.`
    throw chainError(message)
  }
}

const GAS_MONEY = 10n ** 21n

async function readToken(rpc: Rpc, coin: Coin, address: string): Promise<Token> {
  const decimals = Number(await readWord(rpc, address, SELECTORS.decimals))
  return { coin, address: address.toLowerCase(), decimals, isOwn: false }
}

/** Deploys a coin; its address is the same on every chain, whichever account deploys. */
async function deploy(rpc: Rpc, coin: Coin, account: string): Promise<Token> {
  const { address, decimals, args } = OWN_COINS[coin]
  await ensureCode(rpc, address, async () => {
    await ensureCode(rpc, DEPLOYER, () => deployDeployer(rpc, account))
    const data = `0x${SALT}${COIN_CODE.slice(2)}${args}`
    await rpc.sendAndWait({ from: account, to: DEPLOYER, data })
  })
  const readMinter = async () => toAddress(await readWord(rpc, address, SELECTORS.minter))
  const minter = await readMinter()
  if (Number(minter) === 0) {
    const data = encodeCall(SELECTORS.setMinter, account)
    await rpc.sendAndWait({ from: account, to: address, data }).catch(async (error) => {
      // Another sandbox's transaction with the same nonce may have replaced this one.
      if ((await readMinter()) !== account.toLowerCase()) throw error
    })
  } else if (minter !== account.toLowerCase()) {
    const message = `${minter} mints ${coin} on the chain at ${rpc.url}, and not ${account}: restart the chain.`
    throw chainError(message)
  }
  return { coin, address, decimals, isOwn: true }
}

const SALT = '0'.repeat(64)

/** The signer of this raw transaction is the same on every chain, and nobody has its key. */
const DEPLOYER_SIGNER = '0x3fab184622dc19b6109349b94811493bf2a45362'
const DEPLOYER_TRANSACTION =
  '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222'

async function deployDeployer(rpc: Rpc, account: string): Promise<void> {
  const value = toQuantity(10n ** 16n)
  await rpc.sendAndWait({ from: account, to: DEPLOYER_SIGNER, value })
  const hash = await rpc.call('eth_sendRawTransaction', word, DEPLOYER_TRANSACTION)
  await rpc.waitForReceipt(hash)
}

const CODE_MAX_MS = 30_000
const CODE_STEP_MS = 40

/** Deploys code where there is none. If another sandbox is faster, waits for its deployment. */
async function ensureCode(rpc: Rpc, address: string, put: () => Promise<void>): Promise<void> {
  if (await hasCode(rpc, address, 'latest')) return
  try {
    await put()
  } catch (error) {
    if (!(await hasCode(rpc, address, 'pending'))) throw error
    const deadline = realTime.elapsed() + CODE_MAX_MS
    while (!(await hasCode(rpc, address, 'latest'))) {
      if (realTime.elapsed() > deadline) throw error
      await realTime.pause(CODE_STEP_MS)
    }
  }
}

export const hasCode = async (rpc: Rpc, address: string, block: 'latest' | 'pending') =>
  (await rpc.call('eth_getCode', bytes, address, block)) !== '0x'

/** Chain ids of networks where coins are worth something, or that others test on. */
const PUBLIC_NETWORKS: ReadonlySet<number> = new Set([
  // Ethereum, and its test networks.
  1, 3, 4, 5, 42, 11155111, 17000, 560048,
  // Optimism, Base, Arbitrum, Polygon.
  10, 420, 11155420, 8453, 84531, 84532, 42161, 42170, 421611, 421613, 421614, 137, 80001, 80002,
  1101, 2442,
  // Avalanche, BNB, Celo, SX.
  43114, 43113, 56, 97, 204, 42220, 44787, 11142220, 416, 647, 4162, 79479957,
  // Gnosis, Linea, Scroll, zkSync, Mantle, Blast, Fantom, Sonic, Moonbeam, Cronos, Unichain, Ink.
  100, 10200, 59144, 59141, 534352, 534351, 324, 300, 5000, 5003, 81457, 250, 4002, 146, 1284, 1285,
  25, 338, 130, 1301, 57073,
])
