import type { WorldChain } from '../../chain/world-chain.ts'
import { isOnChain } from '../../world/coins.ts'
import { DomainError } from '../../world/domain-error.ts'
import type { Transaction } from '../../world/state.ts'
import { assertCanSettle } from '../../world/transfers.ts'
import type { World } from '../../world/world.ts'
import type { Services } from '../services.ts'

export function getChain({ chain }: Services): WorldChain {
  if (chain) return chain
  throw new DomainError('conflict', 'chain', 'No chain is behind this sandbox.', {
    code: 'chain',
    hint: 'Start it with `--chain http://127.0.0.1:8545`.',
  })
}

/** Whether the coins of a transaction leave on a chain when it settles. */
export const isPaidOnChain = (world: World, { side, rightSideLabel }: Transaction): boolean =>
  side === 'buy' && isOnChain(world, rightSideLabel)

/** Sends the coins of a buy; the hash once they are in a block. */
export async function payOnChain(
  services: Services,
  buy: Transaction,
  request: { through?: boolean | undefined },
): Promise<string> {
  assertCanSettle(services.world, buy, request)
  return await getChain(services).pay(buy)
}

/** What happens after a wait still belongs to the call that waited, and to its world. */
export function keepOrigin(services: Services) {
  const { timeline, world } = services
  const origin = timeline.current
  return function inOrigin<Result>(work: () => Result): Result {
    if (services.world === world) return origin ? timeline.run(origin, work) : work()
    const message = 'The world was reset while the coins were sent.'
    throw new DomainError('conflict', 'id', message, { code: 'reset' })
  }
}
