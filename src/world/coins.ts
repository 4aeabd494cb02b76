import { countBase58Bytes, toBase58 } from './base58.ts'
import { DomainError } from './domain-error.ts'
import type { Side } from './money.ts'
import { plural } from './plural.ts'
import { hex, type Random } from './random.ts'
import { CONSTANTS } from './settings/constants.ts'
import { namesIn } from './settings/setting.ts'
import { CHAINS } from './settings/trading.ts'
import { COINS, type Coin } from './state.ts'
import { toVisible, wordList } from './word-list.ts'
import type { World } from './world.ts'

const CAD = 'CAD'

export interface CoinLabel {
  coin: Coin
  chain: string
}

/** The coin and the chain of each label. */
const COIN_LABELS: Readonly<Record<string, CoinLabel>> = Object.fromEntries(
  COINS.flatMap((coin) => [
    [coin, { coin, chain: CONSTANTS['quotes.bareLabels'].value }] as const,
    ...CHAINS[coin].map((chain) => [`${coin}-${chain}`, { coin, chain }] as const),
  ]),
)

/** Every label a quote or transaction may name, `CAD` first. */
export const LABELS: readonly string[] = [CAD, ...Object.keys(COIN_LABELS)]

export const findCoinLabel = (label: string): CoinLabel | undefined =>
  Object.hasOwn(COIN_LABELS, label) ? COIN_LABELS[label] : undefined

export interface Pair extends CoinLabel {
  side: Side
}

export const labelsOf = ({ settings }: World): readonly string[] => [
  CAD,
  ...namesIn(settings['quotes.labels']),
]

/** The side, coin and chain of a pair of labels: exactly one of them is CAD. */
export function toPair(
  { leftSideLabel, rightSideLabel }: { leftSideLabel: string; rightSideLabel: string },
  labels = LABELS,
): Pair {
  assertLabel('leftSideLabel', leftSideLabel, { labels, other: rightSideLabel })
  assertLabel('rightSideLabel', rightSideLabel, { labels, other: leftSideLabel })
  const side: Side = leftSideLabel === CAD ? 'buy' : 'sell'
  const coin = findCoinLabel(side === 'buy' ? rightSideLabel : leftSideLabel)
  if (coin === undefined || (side === 'sell' && rightSideLabel !== CAD)) {
    throw new DomainError(
      'invalid',
      `${leftSideLabel} to ${rightSideLabel} is not offered: one side must be CAD and the other a stablecoin.`,
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
  const letters = lettersOf(label)
  const nearest = offered.find((known) => lettersOf(known) === letters)
  const message =
    offered.length === 0
      ? `${field} cannot be ${toVisible(label)}: no stablecoins are offered (quotes.labels).`
      : `${field} must be ${wordList(offered, 'or')}.`
  throw new DomainError('invalid', message, {
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
const SOLANA_BYTES = 32
/** Longer text is not decoded, because that takes quadratic time. */
const SOLANA_LENGTH_MAX = 44

/** Documented samples fail EIP-55, so its checksum is not enforced. */
export function assertWallet(wallet: string, { side, chain }: Pick<Pair, 'side' | 'chain'>): void {
  if (side === 'buy' && ZERO_ADDRESS.test(wallet)) {
    throw new DomainError('invalid', 'wallet must not be the zero address.', { field: 'wallet' })
  }
  if (chain === 'SOL' ? isSolanaAddress(wallet) : EVM_ADDRESS.test(wallet)) return
  const expected = chain === 'SOL' ? '32 bytes in base58' : '0x and 40 hexadecimal digits'
  const hint = describeWallet(wallet, chain)
  const message = `wallet must be an address on ${chain}: ${expected}.`
  throw new DomainError('invalid', message, { field: 'wallet', hint })
}

/** Returns true for an address on Solana that is valid, but has probably been put into lower case. */
export const isLowerCased = (wallet: string): boolean =>
  isSolanaAddress(wallet) && /[a-z]/.test(wallet) && !/[A-Z]/.test(wallet)

function describeWallet(wallet: string, chain: string): string | undefined {
  if (EVM_ADDRESS.test(wallet)) {
    return 'It is an EVM address; use the label of an EVM chain, such as USDC-ETH.'
  }
  if (/^0x[0-9a-fA-F]{64}$/.test(wallet)) {
    return 'It looks like a transaction hash or a private key, not an address.'
  }
  if (isSolanaAddress(wallet)) {
    return 'It is a Solana address; for Solana, use the label USDC-SOL.'
  }
  if (chain !== 'SOL' || wallet.length > SOLANA_LENGTH_MAX) return undefined
  const bytes = countBase58Bytes(wallet)
  return bytes
    ? `As base58, it decodes to ${plural(bytes, 'byte')}; is part of it missing?`
    : undefined
}

const isSolanaAddress = (wallet: string): boolean =>
  wallet.length <= SOLANA_LENGTH_MAX && countBase58Bytes(wallet) === SOLANA_BYTES

export function newAddress(random: Random, chain: string): string {
  return chain === 'SOL' ? toBase58(hex(random, 2 * SOLANA_BYTES)) : `0x${hex(random, 40)}`
}

/** A blockchain transaction hash; a signature on Solana. */
export function newHash(random: Random, chain: string): string {
  return chain === 'SOL' ? toBase58(hex(random, 128)) : `0x${hex(random, 64)}`
}
