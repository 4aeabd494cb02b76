import { createHash } from 'node:crypto'
import type { Timekeeper } from '../engine/timekeeper.ts'
import type { Action, Timeline } from '../engine/timeline.ts'
import { findCoinLabel, isOnChain } from '../world/coins.ts'
import { DomainError } from '../world/domain-error.ts'
import { fromMicros } from '../world/money.ts'
import type { Task, Transaction } from '../world/state.ts'
import { PROCESSING } from '../world/transaction-status.ts'
import { settlePaidBuy } from '../world/transfers.ts'
import type { World } from '../world/world.ts'
import type { Network, Payment } from './network.ts'
import { type Change, readNetwork } from './read.ts'
import type { Sending } from './send.ts'

export type WorldChain = ReturnType<typeof createWorldChain>

interface SendRequest extends Sending {
  network: string | undefined
}

export interface WorldChainOptions {
  networks: readonly Network[]
  world: () => World
  timekeeper: Timekeeper
  timeline: () => Timeline
  onClose(): void
}

/** The chains as one world uses them. */
export function createWorldChain(options: WorldChainOptions) {
  const { networks, timekeeper, onClose } = options
  const paying = new Map<string, Promise<string>>()
  const problems = new Map<string, string>()
  let followed: World | undefined
  /** Buys that may be paid without being complete. */
  let due = new Set<string>()
  let queue: Promise<unknown> = Promise.resolve()
  let problem: string | null = null
  return {
    networks,
    scan,
    pay,
    send,
    networkOf,
    isBehind,
    /** Why the last scan failed. */
    get problem() {
      return problem
    },
    close: onClose,
  }

  /**
   * Reads every block up to now and does what follows; pays what automatic settlement left. One after
   * the other: each sees all blocks that there were when it was asked for.
   */
  function scan(): Promise<void> {
    const scanning = queue.then(scanNow)
    queue = scanning.catch(() => undefined)
    return scanning.then(
      () => {
        problem = null
      },
      (error) => {
        problem = error instanceof Error ? error.message : String(error)
        throw error
      },
    )
  }

  /** Whether there are blocks to read or buys to pay, as far as is known. */
  function isBehind(): boolean {
    const world = options.world()
    const { cursors } = world.chain ?? {}
    if (world !== followed || due.size > 0 || problem !== null) return true
    return networks.some(({ name, head }) => cursors?.[name]?.hash !== head.hash)
  }

  async function scanNow(): Promise<void> {
    const world = follow()
    for (const network of networks) {
      const reading = await readNetwork(world, network)
      assertSame(world)
      const { chain } = world
      if (chain && chain.cursors[network.name]?.hash !== reading.cursor.hash) {
        chain.cursors[network.name] = reading.cursor
        world.touchScalars()
      }
      if (reading.changes.length > 0) {
        await timekeeper.observe(() => reading.changes.forEach(note))
      }
    }
    for (const id of due) await resume(world, id)
  }

  /** A reset puts another world in the place of the one that was followed. */
  function follow(): World {
    const world = options.world()
    if (world === followed) return world
    followed = world
    due = new Set(world.transactions.filter(isDue).map(({ id }) => id))
    world.listen({
      onTaskEnd({ kind, ref }: Task) {
        if (world !== followed || kind !== 'settle-transaction') return
        due.add(ref)
        // Without waiting for the next look.
        scan().catch(() => undefined)
      },
    })
    return world

    function isDue({ side, status, rightSideLabel }: Transaction): boolean {
      return side === 'buy' && status === PROCESSING && isOnChain(world, rightSideLabel)
    }
  }

  function note({ transaction, transfer, isGone, apply }: Change) {
    const { hash, amount, coin } = transfer
    const input = { hash, amount: fromMicros(amount), coin, ...(isGone && { isGone }) }
    act('chainTransfer', transaction, input, apply)
  }

  function act(operation: string, { id }: Transaction, input: object, work: () => void) {
    const timeline = options.timeline()
    const action: Action = timeline.open({ kind: 'simulation', operation, subject: id, input })
    timeline.run(action, work)
    timeline.close(action, { status: 200 })
  }

  /** After a crash the coins may be with the user while the buy is not complete. */
  async function resume(world: World, id: string): Promise<void> {
    const transaction = world.transactionsById.get(id)
    if (transaction?.status !== PROCESSING) return void due.delete(id)
    const isAutomatic =
      world.settings['transactions.settlement'] === 'auto' && world.tasks.of(id).length === 0
    try {
      const paymentId = isAutomatic
        ? await pay(transaction)
        : await networkOfBuy(transaction).findPayment(toPayment(world, transaction))
      due.delete(id)
      problems.delete(id)
      if (paymentId === undefined || transaction.status !== PROCESSING) return
      assertSame(world)
      await timekeeper.observe(() =>
        act('chainPayout', transaction, { hash: paymentId }, () =>
          settlePaidBuy(world, transaction, paymentId),
        ),
      )
    } catch (error) {
      complain(id, error)
    }
  }

  /** Each reason once, as it is tried again every second. */
  function complain(id: string, error: unknown) {
    const reason = error instanceof Error ? error.message : String(error)
    if (problems.get(id) === reason) return
    problems.set(id, reason)
    const timeline = options.timeline()
    const action = timeline.open({ kind: 'simulation', operation: 'chainPayout', subject: id })
    timeline.close(action, { status: 409, problem: reason })
  }

  /** Sends the coins of a buy, and answers the hash once they are in a block. */
  function pay(transaction: Transaction): Promise<string> {
    const { id } = transaction
    const world = follow()
    const known = paying.get(id)
    if (known) return known
    const started = payNow(world, transaction).finally(() => paying.delete(id))
    paying.set(id, started)
    return started
  }

  async function payNow(world: World, transaction: Transaction): Promise<string> {
    const network = networkOfBuy(transaction)
    await setBlockTime(network, world)
    return await network.pay(toPayment(world, transaction))
  }

  function toPayment(world: World, { id, wallet, coin, rightSide, rightSideLabel }: Transaction) {
    const hash = createHash('sha256').update(`${world.chain?.scope}\n${id}`).digest('hex')
    const { name } = networkWith(findCoinLabel(world, rightSideLabel)?.chain)
    const from = world.chain?.cursors[name]?.start ?? 0
    return { ref: `0x${hash}`, wallet, coin, amount: rightSide, from } satisfies Payment
  }

  function networkOfBuy({ rightSideLabel }: Transaction): Network {
    return networkWith(findCoinLabel(options.world(), rightSideLabel)?.chain)
  }

  /** The chain of a name, or the first one. */
  function networkOf(name: string | undefined): Network {
    return networkWith(name ?? networks[0]?.name)
  }

  function networkWith(label: string | undefined): Network {
    const found = networks.find(({ labels }) => labels.includes(label ?? ''))
    if (found) return found
    const names = networks.flatMap(({ labels }) => labels).join(', ')
    throw new DomainError('invalid', 'network', `network must be one of ${names}, not ${label}.`)
  }

  async function send({ network: name, ...request }: SendRequest) {
    const network = networkOf(name)
    await setBlockTime(network, options.world())
    return { ...(await network.send(request)), network: network.name }
  }

  function assertSame(world: World) {
    if (world === options.world()) return
    const message = 'The world was reset while its chain was read.'
    throw new DomainError('conflict', 'chain', message, { code: 'reset' })
  }
}

/** Where the time of blocks follows that of the world. */
async function setBlockTime(network: Network, { now, settings }: World): Promise<void> {
  if (settings['chain.time'] === 'follow') await network.setNextTime(Math.floor(now / 1000))
}
