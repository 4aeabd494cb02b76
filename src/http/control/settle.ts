import { type Effects, joinEffects } from '../../engine/watch.ts'
import { findCustody } from '../../world/coins.ts'
import { DomainError } from '../../world/domain-error.ts'
import { fromMicros } from '../../world/money.ts'
import { receiveFunds, settleTransaction } from '../../world/simulate.ts'
import type { Transaction } from '../../world/state.ts'
import { allowedFrom, assertCanMove, PROCESSING } from '../../world/transaction-status.ts'
import type { World } from '../../world/world.ts'
import type { Services } from '../services.ts'

interface Settling {
  wait: boolean
  /** Whether a pending transaction may go through processing on the way. */
  through?: boolean | undefined
}

/** Whether the coins of a transaction are sent by the one who holds them. */
export const isPaidOutside = (world: World, { rightSideLabel }: Transaction): boolean =>
  findCustody(world, rightSideLabel) !== undefined

/**
 * Receives the funds of a buy, has its coins sent, and settles it with their hash. A buy whose coins
 * could not be sent stays in processing.
 */
export async function settleOutside(
  services: Services,
  buy: Transaction,
  { wait, through }: Settling,
): Promise<Effects> {
  const { world, timekeeper, timeline } = services
  const origin = timeline.current
  const { id, wallet, coin, rightSide, rightSideLabel } = buy
  const received = await timekeeper.observe(
    () => {
      if (through && allowedFrom(world, buy.status).includes(PROCESSING)) receiveFunds(world, buy)
      assertCanMove(world, buy, 'complete')
    },
    { wait },
  )
  const paymentId = await services.coins?.pay({
    ...{ id, wallet, coin, amount: fromMicros(rightSide) },
    network: findCustody(world, rightSideLabel) ?? '',
  })
  const settle = () => {
    assertNotReset(services, world)
    settleTransaction(world, buy, { paymentId })
  }
  const settleAsCaller = () => (origin ? timeline.run(origin, settle) : settle())
  assertNotReset(services, world)
  return joinEffects(received, await timekeeper.observe(settleAsCaller, { wait }))
}

/** The transaction is gone with its world, though the coins are with the user. */
function assertNotReset(services: Services, world: World): void {
  if (services.world === world) return
  const message = 'The world was reset while the coins were sent.'
  throw new DomainError('reset', message, { field: 'id' })
}
