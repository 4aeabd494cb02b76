import type { Delivery, Outcome } from '../webhooks/delivery.ts'
import { keepsEvent } from '../webhooks/mutation.ts'
import { findCoinLabel } from '../world/coins.ts'
import { isUnsuccessful, LIMITS_WINDOW_MS, maximumCad } from '../world/limits.ts'
import { fromMicros } from '../world/money.ts'
import { grossCad } from '../world/price.ts'
import { type SettingId, type Settings, settingOf } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import type { Transaction, User, WorldEvent } from '../world/state.ts'
import { isFinal, PENDING, PROCESSING } from '../world/transaction-status.ts'
import type { World } from '../world/world.ts'
import type { CallRecord } from './call-record.ts'
import { findBreak } from './faults.ts'

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

interface Refusal {
  /** World time. */
  at: number
  settings: Settings
}

/** Operations that were called while the watched settings had these values. */
interface CalledUnder {
  values: Readonly<Record<string, SettingValue>>
  called: Set<string>
}

export interface SituationsOptions {
  /** Lists the situations that can occur under some settings. */
  list(settings: Settings): readonly string[]
  /** Settings of which it is kept what was called under which values. */
  watched: readonly SettingId[]
}

/**
 * Situations of the contract that were met, by id. They survive a reset, a restore and the end of
 * the world, because each is also added to those of the process. Of settings, which may change for
 * ever, only the ids that were possible under them are kept.
 */
export class Situations {
  readonly met = new Set<string>()
  /** Situations that could occur under the settings of some call. */
  readonly possible = new Set<string>()
  calls = 0
  /** By the JSON of the values. */
  readonly under = new Map<string, CalledUnder>()
  /** Calls of the control API that ended in an error, each with its code: `buy/limit-active`. */
  readonly failedControlCalls = new Set<string>()
  /** Called when any world of the process met something new, or called an operation for the first time. */
  onGrowth: (() => void) | undefined
  readonly #options: SituationsOptions
  readonly #all: Situations | undefined
  #lastSettings: Settings | undefined
  /** Entries for the settings of the last call, in this world and in the process. */
  #last: readonly CalledUnder[] = []
  /** The last list of the process; most worlds have the same settings. */
  #listed: { settings: string; ids: readonly string[] } = { settings: '', ids: [] }
  /** When the last order ended, in real time. */
  #orderEndedAt = 0
  /** When users met the limit of cancelled and expired orders, and what it was. */
  readonly #refusals = new Map<string, Refusal>()
  /** Orders that were open during a rotation of the secret, each with the new one. */
  readonly #rotatedOrders = new Map<string, string>()
  /** First attempts at webhooks whose receiver has responded to one that was not changed on purpose. */
  readonly #arrived = new WeakSet<Delivery>()

  constructor(options: SituationsOptions, all?: Situations) {
    this.#options = options
    this.#all = all
  }

  /** Opens the situations of one world, which also count for the process. */
  ofWorld(): Situations {
    return new Situations(this.#options, this)
  }

  meet(id: string): void {
    if (this.met.has(id)) return
    this.met.add(id)
    this.#all?.meet(id)
    this.onGrowth?.()
  }

  addFailedControlCall(id: string): void {
    this.failedControlCalls.add(id)
    this.#all?.addFailedControlCall(id)
    this.onGrowth?.()
  }

  /** Forgets what a reset or a restore cuts off: ids come again after it. */
  forgetBegun(): void {
    this.#refusals.clear()
    this.#rotatedOrders.clear()
  }

  addCall(record: CallRecord, world: World): void {
    const { operation, problem, notes } = record
    if (operation === null) return
    this.#countCall(operation, world.settings)
    const broken = notes.length > 0 ? findBreak(notes) : undefined
    if (broken === 'lost') this.meet('response-lost')
    if (broken === undefined) this.#meetResponse(operation, record)
    if (operation === 'createTransaction' && broken !== 'reset') this.#addOrder(record, world)
    if (operation === 'rotateSigningSecret' && problem === null) this.#noteRotation(world, record)
  }

  /** Counts what a response says, if the whole of it was sent. */
  #meetResponse(operation: string, { problem, status }: CallRecord): void {
    const code = problem?.code
    if (code === 'fault') this.#meetFault(status)
    else this.meet(code === undefined ? operation : `${operation}/${code}`)
    if (code === 'too-many-requests') this.meet('response-429')
    if (code === 'wrong-code' && problem?.message.includes('has expired')) {
      this.meet('late-login-code')
    }
  }

  /** Counts a webhook once it has an outcome, unless it is false or another event on purpose. */
  addDelivery(delivery: Delivery): void {
    const { event, hook, outcome, url, dialect, mutation } = delivery
    if (!keepsEvent(mutation)) return
    const first = delivery.first ?? delivery
    const isAgain = this.#arrived.has(first)
    if (delivery.response !== null) this.#arrived.add(first)
    const webhook = dialect === 'v1' ? hook : event.type
    const became = url === null ? 'unset' : HANDLED[outcome]
    if (became !== undefined) this.meet(`webhook/${webhook}/${became}`)
    if (outcome !== 'delivered') return
    if (isAgain) this.meet(`webhook/${webhook}/again`)
    const newest = this.#rotatedOrders.get(event.ref)
    if (newest !== undefined && newest === delivery.secret) this.meet('rotated-secret')
  }

  /** Counts an event; an order is met only where a call of the contract placed it. */
  addEvent(event: WorldEvent, world: World, { isCalled }: { isCalled: boolean }): void {
    const { type, ref, created } = event
    if (type === 'user.update') this.#meetCheck(world.usersById.get(ref))
    if (type !== 'transaction.update') return
    const transaction = world.transactionsById.get(ref)
    if (transaction && created && isCalled) this.#addPlaced(transaction, world)
    if (transaction && !created) this.#meetMove(transaction)
  }

  #countCall(operation: string, settings: Settings): void {
    const each = this.#all ? [this, this.#all] : [this]
    for (const situations of each) situations.calls++
    if (settings !== this.#lastSettings) {
      this.#lastSettings = settings
      const ids = (this.#all ?? this).#listUnder(settings)
      for (const { possible } of each) for (const id of ids) possible.add(id)
      this.#last = each.map((situations) => situations.#under(settings))
    }
    const isNew = this.#last.some(({ called }) => !called.has(operation))
    for (const { called } of this.#last) called.add(operation)
    if (isNew) this.#all?.onGrowth?.()
  }

  #listUnder(settings: Settings): readonly string[] {
    const text = JSON.stringify(settings)
    if (text !== this.#listed.settings) {
      this.#listed = { settings: text, ids: this.#options.list(settings) }
    }
    return this.#listed.ids
  }

  #under(settings: Settings): CalledUnder {
    const { watched } = this.#options
    const values = Object.fromEntries(
      watched.map((id) => [id, settingOf(id).format(settings[id])] as const),
    )
    const key = JSON.stringify(values)
    const entry = this.under.get(key) ?? { values, called: new Set() }
    this.under.set(key, entry)
    return entry
  }

  #meetFault(status: number): void {
    if (status === 429) this.meet('response-429')
    if (status >= 500) this.meet('response-503')
  }

  #addOrder({ startedAt, durationMs, problem, userId, at }: CallRecord, world: World): void {
    if (problem === null) {
      if (startedAt < this.#orderEndedAt) this.meet('two-orders-at-once')
      this.#orderEndedAt = startedAt + (durationMs ?? 0)
    }
    if (userId === null) return
    const refusal = this.#refusals.get(userId)
    if (problem?.code === 'limit-cancelled') {
      this.#refusals.set(userId, { at, settings: world.settings })
    } else if (problem === null && refusal && isLeftBehind(world, userId, refusal)) {
      this.meet('limit-left-behind')
    }
  }

  #noteRotation(world: World, { integrator }: CallRecord): void {
    if (this.met.has('rotated-secret')) return
    const secret = world.integratorsByName.get(integrator ?? '')?.signingSecret ?? ''
    for (const row of world.transactions) {
      const isOpen = row.integrator === integrator && !isFinal(row.status)
      if (isOpen) this.#rotatedOrders.set(row.id, secret)
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
    this.meet(`network-${findCoinLabel(label)?.chain}`)
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

/** Returns true if the limit is the same, and an order that counted then is too old by now. */
function isLeftBehind(world: World, userId: string, { at, settings }: Refusal): boolean {
  const isSame = world.settings['limits.cancelled'] === settings['limits.cancelled']
  const hasPassed = (order: Transaction) => {
    const { closedAt } = order
    const isOld =
      closedAt !== null &&
      closedAt > at - LIMITS_WINDOW_MS &&
      closedAt <= world.now - LIMITS_WINDOW_MS
    return isOld && isUnsuccessful(order)
  }
  return isSame && world.transactionsOf(userId).some(hasPassed)
}
