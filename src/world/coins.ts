import { DomainError } from './domain-error.ts'
import type { Side } from './money.ts'
import { BASE58, hex, type Random, randomText } from './random.ts'
import { namesIn } from './settings/setting.ts'
import { CHAINS } from './settings/trading.ts'
import { COINS, type Coin } from './state.ts'
import type { World } from './world.ts'

const CAD = 'CAD'

export interface CoinLabel {
  coin: Coin
  chain: string
}

/** The coin and the chain of each label; a bare label has no chain of its own. */
const COIN_LABELS: Readonly<Record<string, { coin: Coin; chain?: string }>> = Object.fromEntries(
  COINS.flatMap((coin) => [
    [coin, { coin }] as const,
    ...CHAINS[coin].map((chain) => [`${coin}-${chain}`, { coin, chain }] as const),
  ]),
)

/** Every label a quote or transaction may name, `CAD` first. */
export const LABELS: readonly string[] = [CAD, ...Object.keys(COIN_LABELS)]

export function findCoinLabel({ settings }: World, label: string): CoinLabel | undefined {
  const found = Object.hasOwn(COIN_LABELS, label) ? COIN_LABELS[label] : undefined
  return found && { coin: found.coin, chain: found.chain ?? settings['quotes.bareLabels'] }
}

export interface Pair extends CoinLabel {
  side: Side
}

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
  assertLabel('leftSideLabel', leftSideLabel, { labels, other: rightSideLabel })
  assertLabel('rightSideLabel', rightSideLabel, { labels, other: leftSideLabel })
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

function assertLabel(
  field: string,
  label: string,
  { labels, other }: { labels: readonly string[]; other: string },
) {
  if (label === CAD || labels.includes(label)) return
  const offered = other === CAD ? labels.filter((each) => each !== CAD) : labels
  const nearest = offered.find((known) => lettersOf(known) === lettersOf(label))
  throw new DomainError('invalid', `${field} must be one of ${offered.join(', ')}.`, {
    field,
    rule: 'What the service does: 3',
    ...(nearest !== undefined && { nearest }),
  })
}

/** Sorted letters of a label, to compare labels in any case, order and separators. */
const lettersOf = (label: string) => [...label.toUpperCase().replace(/[^A-Z]/g, '')].sort().join('')

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** The zero address: nobody has its key, and tokens refuse to send to it. */
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

/** Chains that an address may belong to, the likeliest first: some share an alphabet. */
const LOOKS: readonly [pattern: RegExp, what: string][] = [
  [EVM_ADDRESS, 'an address on Ethereum or a chain like it, which ETH, POLY, BASE and others are'],
  [/^0x[0-9a-fA-F]{64}$/, 'a transaction hash or a private key, not an address'],
  [SOLANA_ADDRESS, 'an address on Solana, whose coin is USDC-SOL'],
]

export function newAddress(random: Random, chain: string): string {
  return chain === 'SOL' ? randomText(random, BASE58, 44) : `0x${hex(random, 40)}`
}

/** A blockchain transaction hash; a signature on Solana. */
export function newHash(random: Random, chain: string): string {
  return chain === 'SOL' ? randomText(random, BASE58, 88) : `0x${hex(random, 64)}`
}
