import * as z from 'zod'
import type { Network } from '../../chain/network.ts'
import type { WorldChain } from '../../chain/world-chain.ts'
import { TRANSFER_OUTCOMES, type Transfer } from '../../world/chain-state.ts'
import { COINS } from '../../world/coins.ts'
import { DomainError, messageOf } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { fromMicros, toMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import type { Services } from '../services.ts'
import { titled } from '../titled.ts'
import { getChain } from './chain-payment.ts'
import { operation } from './dialect.ts'
import { WorldTime } from './shapes.ts'

const Coin = () => z.enum(COINS)
const Address = () => z.string().regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be 0x and 40 digits' })

const ChainToken = () => z.strictObject({ coin: Coin(), address: z.string(), decimals: z.int() })

export const ChainNetwork = () =>
  titled('ChainNetwork', {
    name: z.string(),
    labels: z.array(z.string()).readonly(),
    chainId: z.int().nullable(),
    block: z.int(),
    readBlock: z.int(),
    account: z.string().nullable(),
    funded: z.string().nullable(),
    tokens: z.array(ChainToken()),
    problem: z.string().nullable(),
  }).describe('A development chain behind the sandbox.')
export type ChainNetwork = z.output<ReturnType<typeof ChainNetwork>>

export const ChainTransfer = () =>
  titled('ChainTransfer', {
    transactionId: z.uuid(),
    hash: z.string(),
    network: z.string(),
    block: z.int(),
    from: z.string(),
    token: z.string(),
    coin: Coin().nullable(),
    amount: z.number(),
    outcome: z.enum(TRANSFER_OUTCOMES),
    gone: z.boolean(),
    at: WorldTime(),
  }).describe('Tokens that arrived at a deposit address, and what followed.')
export type ChainTransfer = z.output<ReturnType<typeof ChainTransfer>>

export const ChainScanned = () =>
  z.strictObject({ networks: z.array(ChainNetwork()), transfers: z.array(ChainTransfer()) })
export type ChainScanned = z.output<ReturnType<typeof ChainScanned>>

export const ChainBalances = () =>
  z.strictObject({
    address: z.string(),
    balances: z.array(z.strictObject({ network: z.string(), coin: Coin(), amount: z.number() })),
  })
export type ChainBalances = z.output<ReturnType<typeof ChainBalances>>

export const SendOnChain = () =>
  z.strictObject({
    to: Address(),
    amount: z.number().positive().max(1e9),
    from: Address().optional(),
    coin: Coin().optional(),
    network: z.string().max(20).optional(),
  })
export type SendOnChain = z.input<ReturnType<typeof SendOnChain>>

export const ChainSent = () =>
  z.strictObject({
    hash: z.string(),
    network: z.string(),
    from: z.string(),
    to: z.string(),
    coin: Coin(),
    amount: z.number(),
  })
export type ChainSent = z.output<ReturnType<typeof ChainSent>>

const FAILS = { conflict: 'No chain is behind the sandbox, or its node failed.' }

export const chain = [
  operation('GET', '/_sandbox/chain', {
    id: 'getChain',
    summary: 'Read which chains are behind the sandbox, their tokens and the platform’s account',
    answer: () => z.strictObject({ networks: z.array(ChainNetwork()) }),
    handle: async ({ services }) => ({ networks: await presentNetworks(services) }),
  }),
  operation('GET', '/_sandbox/chain/transfers', {
    id: 'listChainTransfers',
    summary: 'List the newest thousand transfers to deposit addresses, oldest first',
    answer: () => z.strictObject({ transfers: z.array(ChainTransfer()) }),
    handle: ({ world }) => ({ transfers: transfersOf(world) }),
  }),
  operation('GET', '/_sandbox/chain/balances/:address', {
    id: 'getChainBalances',
    summary: 'Read how many coins an address has, on each chain',
    answer: ChainBalances,
    errors: { ...FAILS, invalid: 'It is no address.' },
    async handle({ services, param }) {
      const address = param('address')
      if (!Address().safeParse(address).success) {
        throw new DomainError('invalid', 'address', 'address must be 0x and 40 digits.')
      }
      return { address, balances: await readBalances(getChain(services), address) }
    },
  }),
  operation('POST', '/_sandbox/chain/scan', {
    id: 'scanChain',
    summary: 'Read every block up to now, and answer once all that follows has happened',
    answer: ChainScanned,
    errors: FAILS,
    async handle({ services }) {
      await getChain(services).scan()
      return { networks: await presentNetworks(services), transfers: transfersOf(services.world) }
    },
  }),
  operation('POST', '/_sandbox/chain/send', {
    id: 'sendOnChain',
    summary: 'Send coins from an account of the node, such as to a deposit address',
    body: SendOnChain,
    answer: ChainSent,
    errors: FAILS,
    async handle({ services, input: { body } }) {
      const { to, from, coin = 'USDC', network, amount } = body
      const micros = toMicros(amount)
      if (micros === undefined || micros === 0) {
        throw new DomainError('invalid', 'amount', 'amount may have at most six decimals.')
      }
      const sent = await getChain(services).send({ to, from, coin, network, amount: micros })
      return { ...sent, to, coin, amount }
    },
  }),
]

function presentNetworks({ chain: behind, world }: Services): Promise<ChainNetwork[]> {
  return Promise.all((behind?.networks ?? []).map((network) => presentNetwork(network, world)))
}

/** A node that fails is described, too. */
async function presentNetwork(network: Network, world: World): Promise<ChainNetwork> {
  const { name, labels } = network
  const readBlock = world.chain?.cursors[name]?.block ?? 0
  try {
    const { id, account, funded, tokens } = await network.check()
    const { number: block } = await network.readHead()
    const shown = tokens.map(({ coin, address, decimals }) => ({ coin, address, decimals }))
    const found = { chainId: id, block, account, funded, tokens: shown, problem: null }
    return { name, labels, readBlock, ...found }
  } catch (error) {
    const problem = messageOf(error)
    const none = { chainId: null, account: null, funded: null, tokens: [], problem }
    return { name, labels, readBlock, block: network.head.number, ...none }
  }
}

async function readBalances({ networks }: WorldChain, address: string) {
  const balances: ChainBalances['balances'] = []
  for (const network of networks) {
    for (const token of (await network.check()).tokens) {
      const amount = fromMicros(await network.balanceOf(token, address))
      balances.push({ network: network.name, coin: token.coin, amount })
    }
  }
  return balances
}

/** More than a page needs. */
const TRANSFERS_SHOWN_MAX = 1_000

function transfersOf(world: World): ChainTransfer[] {
  const all = world.transactions.flatMap((transaction) =>
    (transaction.transfers ?? []).map((transfer) => presentTransfer(transaction, transfer)),
  )
  return all.sort((a, b) => a.at.localeCompare(b.at)).slice(-TRANSFERS_SHOWN_MAX)
}

function presentTransfer({ id }: Transaction, transfer: Transfer): ChainTransfer {
  const { hash, network, block, from, token, coin, amount, outcome, isGone, at } = transfer
  return {
    transactionId: id,
    hash,
    network,
    block,
    from,
    token,
    coin,
    amount: fromMicros(amount),
    outcome,
    gone: isGone,
    at: formatInstant(at),
  }
}
