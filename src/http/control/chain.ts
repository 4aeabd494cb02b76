import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { toMicros } from '../../world/money.ts'
import {
  Address,
  ChainBalances,
  ChainNetwork,
  ChainSent,
  type CoinHolder,
  SendOnChain,
} from '../coin-holder.ts'
import type { Services } from '../services.ts'
import { lever } from './dialect.ts'

export const ChainStatus = () =>
  z.strictObject({ networks: z.array(ChainNetwork()), log: z.array(z.string()).readonly() })
export type ChainStatus = z.output<ReturnType<typeof ChainStatus>>

const FAILS = { conflict: 'No chain is behind the sandbox, or its node failed.' }

export const chain = [
  lever('chain.networks', 'getChain', {
    summary: 'Read which chains are behind the sandbox, their tokens and the platform’s account',
    about:
      'They are those of `--chain`; the account mints and sends. Without a chain the list is empty. A node that does not respond has a `problem`. A transfer that is short, late or of another token leaves the transaction as it is, with a line in `log`.',
    words: ['chain status', 'chain'],
    response: ChainStatus,
    handle: ({ services }) => readStatus(services.coins),
  }),
  lever('chain.balances', 'getChainBalances', {
    summary: 'Read how many coins an address has, on each chain',
    about: 'The tokens themselves say it, of a wallet, a deposit address, or any other one.',
    success: 'One row for each coin on each chain.',
    words: ['chain balances ADDRESS'],
    response: ChainBalances,
    errors: { ...FAILS, invalid: 'Invalid address.' },
    async handle({ services, param }) {
      const address = param('address')
      if (!Address().safeParse(address).success) {
        throw new DomainError('invalid', 'address must be 0x and 40 digits.', { field: 'address' })
      }
      return { address, balances: await getCoins(services).balances(address) }
    },
  }),
  lever('chain.scan', 'scanChain', {
    summary: 'Read every block up to now, and do what follows',
    about:
      'Where the coins that arrived at the deposit address of a sell reach its amount, the sell is processing, with the hash as its `paymentId`; under automatic settlement buys are paid. It responds once webhooks are delivered, so a test need not sleep: send coins, call this, and look. By itself a sandbox looks every second.',
    success: 'The chains as they are now, and what did not fit.',
    words: ['chain scan'],
    response: ChainStatus,
    errors: FAILS,
    async handle({ services }) {
      const coins = getCoins(services)
      await coins.scan()
      return await readStatus(coins)
    },
  }),
  lever('chain.send', 'sendOnChain', {
    summary: 'Send coins from an account of the node, such as to a deposit address',
    about:
      'The account gets them first where the sandbox mints them. It responds when the transfer is in a block; `scanChain` then lets the sandbox see it.',
    words: ['chain send TO AMOUNT'],
    example: 'chain send 0x5290… 100 --coin USDC',
    body: SendOnChain,
    response: ChainSent,
    errors: FAILS,
    async handle({ services, input: { body } }) {
      const { coin = 'USDC', amount } = body
      if (!toMicros(amount)) {
        throw new DomainError('invalid', 'amount may have at most six decimals.', {
          field: 'amount',
        })
      }
      return await getCoins(services).send({ ...body, coin })
    },
  }),
]

function getCoins({ coins }: Services): CoinHolder {
  if (coins) return coins
  throw new DomainError('chain', 'No chain is behind this sandbox.', {
    field: 'chain',
    hint: 'Start it with `--chain http://127.0.0.1:8545`.',
  })
}

const readStatus = async (coins: CoinHolder | undefined) => ({
  networks: (await coins?.networks()) ?? [],
  log: coins?.log ?? [],
})
