import { type Chains, openChains } from '../chain/chains.ts'
import type { OptionSpecs, Values } from './command.ts'

export const CHAIN_OPTIONS = {
  chain: {
    value: '[LABEL=]URL',
    many: true,
    help: 'a development chain (anvil, Hardhat): coins are real tokens there',
  },
  token: {
    value: 'LABEL=ADDRESS',
    many: true,
    help: 'a token of yours on it, such as USDC-ETH=0x…; else it deploys its own',
  },
} as const satisfies OptionSpecs

export async function openChainsOf(
  values: Values<typeof CHAIN_OPTIONS>,
): Promise<Chains | undefined> {
  const { chain, token: tokens } = values
  if (chain.length === 0 && tokens.length === 0) return undefined
  return await openChains({ chain, tokens })
}
