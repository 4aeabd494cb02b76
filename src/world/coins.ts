import { DomainError } from './domain-error.ts'
import type { Side } from './money.ts'
import { BASE58, hex, type Random, randomFor, randomText } from './random.ts'
import { namesIn } from './settings/setting.ts'
import { CHAINS } from './settings/trading.ts'
import { COINS, type Coin, type Custody } from './state.ts'
import type { World } from './world.ts'

const CAD = 'CAD'

/** Those whose coins may be held on a development chain: Solana is of another kind. */
export const NETWORKS: readonly string[] = CHAINS.USDC.filter((chain) => chain !== 'SOL')

export interface CoinLabel {
  coin: Coin
  chain: string
  /** The chain as a payment type. */
  network: string
}

/** Every label a quote or transaction may name, `CAD` first. */
export const LABELS: readonly string[] = [
  CAD,
  ...COINS.flatMap((coin) => [coin, ...CHAINS[coin].map((chain) => `${coin}-${chain}`)]),
]

export function findCoinLabel({ settings }: World, label: string): CoinLabel | undefined {
  if (!LABELS.includes(label) || label === CAD) return undefined
  const [coin, chain = settings['quotes.bareLabels']] = label.split('-') as [Coin, string?]
  return { coin, chain, network: `${chain.toLowerCase()} network` }
}

export interface Pair extends CoinLabel {
  side: Side
}

/** The labels that are quoted in a world. */
export const labelsOf = ({ settings }: World): readonly string[] => [
  CAD,
  ...namesIn(settings['quotes.labels']),
]

/** The side, coin and chain of a pair of labels: exactly one of them is CAD. */
export function toPair(
  world: World,
  { leftSideLabel, rightSideLabel }: { leftSideLabel: string; rightSideLabel: string },
  labels = LABELS,
): Pair {
  const coins = labels.filter((label) => label !== CAD)
  assertLabel('leftSideLabel', leftSideLabel, rightSideLabel === CAD ? coins : labels)
  assertLabel('rightSideLabel', rightSideLabel, leftSideLabel === CAD ? coins : labels)
  const side: Side = leftSideLabel === CAD ? 'buy' : 'sell'
  const coin = findCoinLabel(world, side === 'buy' ? rightSideLabel : leftSideLabel)
  if (coin === undefined || (side === 'sell' && rightSideLabel !== CAD)) {
    throw new DomainError(
      'invalid',
      `${leftSideLabel} to ${rightSideLabel} is not offered: one side is CAD, the other a stablecoin.`,
      { field: 'rightSideLabel', rule: 'What the service does: 2' },
    )
  }
  return { side, ...coin }
}

function assertLabel(field: string, label: string, labels: readonly string[]) {
  if (label === CAD || labels.includes(label)) return
  const nearest = labels.find((known) => lettersOf(known) === lettersOf(label))
  throw new DomainError('invalid', `${field} must be one of ${labels.join(', ')}.`, {
    field,
    rule: 'What the service does: 3',
    ...(nearest !== undefined && { nearest }),
  })
}

/** The same for a label in another case, with another separator, or turned round. */
const lettersOf = (label: string) => [...label.toUpperCase().replace(/[^A-Z]/g, '')].sort().join('')

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** Nobody has its key; tokens refuse to send there. */
const ZERO_ADDRESS = /^0x0{40}$/
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Documented samples fail EIP-55, so its checksum is not enforced. */
export function assertWallet(wallet: string, { side, chain }: Pick<Pair, 'side' | 'chain'>): void {
  if (side === 'buy' && ZERO_ADDRESS.test(wallet)) {
    throw new DomainError('invalid', 'wallet must not be the zero address.', { field: 'wallet' })
  }
  if (chain === 'SOL' ? SOLANA_ADDRESS.test(wallet) : EVM_ADDRESS.test(wallet)) return
  const expected = chain === 'SOL' ? '32 to 44 base58 characters' : '0x and 40 hexadecimal digits'
  const like = LOOKS.find(([pattern]) => pattern.test(wallet))?.[1]
  const hint = like && `It looks like ${like}.`
  const message = `wallet must be an address on ${chain}: ${expected}.`
  throw new DomainError('invalid', message, { field: 'wallet', hint })
}

/** Chains that it may be of, the surest first: some share an alphabet. */
const LOOKS: readonly [pattern: RegExp, what: string][] = [
  [EVM_ADDRESS, 'an address on Ethereum or a chain like it, which ETH, POLY, BASE and others are'],
  [/^0x[0-9a-fA-F]{64}$/, 'a transaction hash or a private key, and no address'],
  [SOLANA_ADDRESS, 'an address on Solana, whose coin is USDC-SOL'],
]

export function newAddress(random: Random, chain: string): string {
  return chain === 'SOL' ? randomText(random, BASE58, 44) : `0x${hex(random, 40)}`
}

/** Address where the coins of a sell go. Of coins that are held outside, no other world has it. */
export function newDepositAddress(world: World, random: Random, { id, chain }: DepositRequest) {
  const { seed, networks = [] } = world.custody ?? {}
  const isHeld = seed !== undefined && networks.includes(chain)
  return newAddress(isHeld ? randomFor(seed, 'deposit-address', id) : random, chain)
}

interface DepositRequest {
  /** Id of the transaction. */
  id: string
  chain: string
}

/** The network on which the coins of a label are held outside of the sandbox, if they are. */
export function findCustody(world: World, label: string): string | undefined {
  const { chain } = findCoinLabel(world, label) ?? {}
  return chain !== undefined && world.custody?.networks.includes(chain) ? chain : undefined
}

/** Has the coins of a world held outside; the sells that it has move to addresses of their own. */
export function holdCoins(world: World, custody: Custody): void {
  world.custody = custody
  for (const transaction of world.transactions) {
    const { id, leftSideLabel, depositAddress } = transaction
    const chain = findCustody(world, leftSideLabel)
    if (depositAddress === '' || chain === undefined) continue
    const random = world.random('transaction-parts', id, 1)
    transaction.depositAddress = newDepositAddress(world, random, { id, chain })
    for (const message of world.messages.after(0)) {
      message.text = message.text.replaceAll(depositAddress, transaction.depositAddress)
    }
  }
}

/** A blockchain transaction hash; a signature on Solana. */
export function newHash(random: Random, chain: string): string {
  return chain === 'SOL' ? randomText(random, BASE58, 88) : `0x${hex(random, 64)}`
}
