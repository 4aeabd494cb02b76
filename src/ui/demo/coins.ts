/** Coins on their networks, by the provider's labels. */
export const COINS = [
  { label: 'USDC-ETH', network: 'Ethereum' },
  { label: 'USDC-SOL', network: 'Solana' },
  { label: 'USDC-BASE', network: 'Base' },
  { label: 'USDC-POLY', network: 'Polygon' },
  { label: 'CADC-ETH', network: 'Ethereum' },
] as const

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const SOLANA_WALLET = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'

export const networkOf = (label: string): string =>
  COINS.find((coin) => coin.label === label)?.network ?? 'Ethereum'

/** The wallet's address on a coin's network. */
export const walletOf = (label: string): string => (label.endsWith('-SOL') ? SOLANA_WALLET : WALLET)
