import type { DevChain } from '../chain/dev-chain.ts'
import { openChainOf } from '../host/chain.ts'
import type { OptionSpecs, Values } from './command.ts'
import type { LiveLog } from './live-log.ts'
import { invalid } from './option-values.ts'

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
  'chain-confirmations': {
    value: 'BLOCKS',
    help: 'how many blocks make a transfer count, its own included; 1 by default',
  },
} as const satisfies OptionSpecs

export async function openChainWith(
  values: Values<typeof CHAIN_OPTIONS>,
  log: LiveLog | undefined,
): Promise<DevChain | undefined> {
  const { chain, token: tokens, 'chain-confirmations': blocks = '1' } = values
  if (!/^[1-9]\d{0,3}$/.test(blocks)) {
    throw invalid(
      '--chain-confirmations',
      `--chain-confirmations must be from 1 to 9999, not ${blocks}.`,
    )
  }
  if (chain.length === 0 && tokens.length === 0) return undefined
  return await openChainOf({ chain, tokens, confirmations: Number(blocks), log: log?.note })
}
