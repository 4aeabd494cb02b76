import type { Delivery, Outcome } from '../webhooks/delivery.ts'
import { findCoinLabel } from '../world/coins.ts'
import { maximumCad } from '../world/limits.ts'
import { fromMicros } from '../world/money.ts'
import { grossCad } from '../world/price.ts'
import type { Settings } from '../world/settings/index.ts'
import type { Transaction, User, WorldEvent } from '../world/state.ts'
import { isFinal, PENDING, PROCESSING } from '../world/transaction-status.ts'
import type { World } from '../world/world.ts'
import { isLostResponse } from './faults.ts'
import type { CallRecord } from './request-journal.ts'

/** Results of webhooks, by the outcome of the delivery. */
const HANDLED: Partial<Record<Outcome, string>> = {
  delivered: 'delivered',
  rejected: 'refused',
  refused: 'refused',
  tls: 'refused',
  blocked: 'refused',
  timeout: 'timeout',
}

/** Statuses of a transaction in the id of a situation. */
const STATUS_NAMES: Readonly<Record<string, string>> = {
  [PENDING]: 'created',
  [PROCESSING]: 'processing',
}

interface CalledSettings {
  settings: Settings
  called: Set<string>
}

/**
 * Situations of the contract that were met, by id. They survive a reset, a restore and the end of
 * the world, because each is also added to those of the process.
 */
export class Situations {
  readonly met = new Set<string>()
  calls = 0
  /** Settings under which calls were made, by their JSON. */
  readonly settings = new Map<string, CalledSettings>()
  /** Lever calls that ended in an error, each with its code: `buy/limit-active`. */
  readonly failedLevers = new Set<string>()
  readonly #all: Situations | undefined
  #lastSettings: Settings | undefined
  /** Entries for the settings of the last call, in this world and in the process. */
  #last: readonly CalledSettings[] = []
  /** When the last order ended, in real time. */
  #orderEndedAt = 0
  /** Users who have met the limit of cancelled and expired orders. */
  readonly #refusedUsers = new Set<string>()
  /** Orders that were open during a rotation of the secret. */
  readonly #rotatedOrders = new Set<string>()

  constructor(all?: Situations) {
    this.#all = all
  }

  meet(id: string): void {
    if (this.met.has(id)) return
    this.met.add(id)
    this.#all?.meet(id)
  }

  addFailedLever(id: string): void {
    this.failedLevers.add(id)
    this.#all?.addFailedLever(id)
  }

  addCall(record: CallRecord, world: World): void {
    const { operation, problem, notes } = record
    if (operation === null) return
    this.#countCall(operation, world.settings)
    const code = problem?.code
    if (code === 'fault') this.#meetFault(record.status)
    else this.meet(code === undefined ? operation : `${operation}/${code}`)
    if (code === 'too-many-requests') this.meet('response-429')
    if (code === 'wrong-code' && problem?.message.includes('has expired')) {
      this.meet('late-login-code')
    }
    if (notes.some(isLostResponse)) this.meet('response-lost')
    if (operation === 'createTransaction') this.#addOrder(record)
    if (operation === 'rotateSigningSecret' && code === undefined) this.#noteRotation(world, record)
  }

  /** Counts a webhook once it has an outcome. Webhooks damaged on purpose do not count. */
  addDelivery({ event, hook, outcome, url, first, dialect, damage }: Delivery): void {
    if (damage !== null) return
    const webhook = dialect === 'v1' ? hook : event.type
    const became = url === null ? 'unset' : HANDLED[outcome]
    if (became !== undefined) this.meet(`webhook/${webhook}/${became}`)
    if (outcome !== 'delivered') return
    if (first !== null) this.meet(`webhook/${webhook}/again`)
    if (this.#rotatedOrders.has(event.ref)) this.meet('rotated-secret')
  }

  /** Counts an event; an order is met only where a call of the contract placed it. */
  addEvent(event: WorldEvent, world: World, { isCalled }: { isCalled: boolean }): void {
    const { type, ref, created } = event
    if (type === 'user.update') {
      this.#meetCheck(world.usersById.get(ref))
      return
    }
    const transaction = world.transactionsById.get(ref)
    if (transaction && created && isCalled) this.#addPlaced(transaction, world)
    if (transaction && !created) this.#meetMove(transaction)
  }

  #countCall(operation: string, settings: Settings): void {
    this.calls++
    if (this.#all) this.#all.calls++
    if (settings !== this.#lastSettings) {
      this.#lastSettings = settings
      const text = JSON.stringify(settings)
      const all = this.#all ? [this.#all] : []
      this.#last = [this, ...all].map((each) => each.#under(text, settings))
    }
    for (const { called } of this.#last) called.add(operation)
  }

  #under(text: string, settings: Settings): CalledSettings {
    const entry = this.settings.get(text) ?? { settings, called: new Set() }
    this.settings.set(text, entry)
    return entry
  }

  #meetFault(status: number): void {
    if (status === 429) this.meet('response-429')
    if (status >= 500) this.meet('response-503')
  }

  #addOrder({ startedAt, durationMs, problem, userId }: CallRecord): void {
    if (startedAt < this.#orderEndedAt) this.meet('two-orders-at-once')
    this.#orderEndedAt = startedAt + (durationMs ?? 0)
    if (userId === null) return
    if (problem?.code === 'limit-cancelled') this.#refusedUsers.add(userId)
    else if (problem === null && this.#refusedUsers.has(userId)) this.meet('limit-left-behind')
  }

  #noteRotation(world: World, { integrator }: CallRecord): void {
    if (this.met.has('rotated-secret')) return
    for (const row of world.transactions) {
      if (row.integrator === integrator && !isFinal(row.status)) this.#rotatedOrders.add(row.id)
    }
  }

  #meetCheck(user: User | undefined): void {
    if (user === undefined) return
    this.meet(`kyc-${user.status}`)
    if (user.status !== 'verified' && user.history.some(({ status }) => status === 'verified')) {
      this.meet('kyc-lost')
    }
  }

  #meetMove({ side, status }: Transaction): void {
    this.meet(`${STATUS_NAMES[status] ?? status}-${side}`)
  }

  #addPlaced(transaction: Transaction, world: World): void {
    const { side } = transaction
    this.#meetMove(transaction)
    const label = side === 'buy' ? transaction.rightSideLabel : transaction.leftSideLabel
    this.meet(`network-${findCoinLabel(world, label)?.chain}`)
    this.#addAmount(transaction, world)
  }

  /**
   * An amount of coins seldom equals a limit to the cent, so the nearest amount within it counts.
   */
  #addAmount(transaction: Transaction, world: World): void {
    const { side, leftSide, rate, userId } = transaction
    const cad = fromMicros(side === 'buy' ? leftSide : grossCad(leftSide, { side, rate }))
    const nearest = side === 'buy' ? 0.01 : fromMicros(rate) / 50
    const maximum = maximumCad(world, world.usersById.get(userId))
    if (cad - world.settings['limits.minimum'] < nearest) this.meet(`smallest-${side}`)
    if (maximum - cad < nearest) this.meet(`largest-${side}`)
  }
}
