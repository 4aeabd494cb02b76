import type {
  ChainBalances,
  ChainNetwork,
  ChainSent,
  ChainStatus,
  SendOnChain,
} from '../http/control/wire.ts'
import type { ControlClient } from './control.ts'

/** The development chains behind the coins, where a sandbox was started with one. */
export interface Chain {
  /** The chains, their tokens and how far they were read. */
  networks(): Promise<ChainNetwork[]>
  /** Reads every block up to now; resolves once everything that follows has happened. */
  scan(): Promise<ChainStatus>
  balances(address: string): Promise<ChainBalances['balances']>
  /** Sends coins, USDC by default, from a funded account or from one that the node impersonates. */
  send(request: SendOnChain): Promise<ChainSent>
}

export function createChain({ call }: ControlClient): Chain {
  return {
    networks: async () => (await call<ChainStatus>('GET', '/chain')).networks,
    scan: () => call('POST', '/chain/scan'),
    balances: async (address) =>
      (await call<ChainBalances>('GET', `/chain/balances/${encodeURIComponent(address)}`)).balances,
    send: (request) => call('POST', '/chain/send', { body: request }),
  }
}
