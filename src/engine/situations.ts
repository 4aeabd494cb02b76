import type { Delivery, Outcome } from '../webhooks/delivery.ts'
import { keepsEvent } from '../webhooks/mutation.ts'
import { findCoinLabel } from '../world/coins.ts'
import { isUnsuccessful, LIMITS_WINDOW_MS, maximumCad } from '../world/limits.ts'
import { fromMicros } from '../world/money.ts'
import { grossCad } from '../world/price.ts'
import { type SettingId, type Settings, settingsOn } from '../world/settings/index.ts'
import { V1_HOOKS, type WebhookId } from '../world/settings/operations.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import {
  LEGACY_HOOKS,
  type LegacyHook,
  type Transaction,
  type User,
  type WorldEvent,
} from '../world/state.ts'
import { isFinal, PENDING, PROCESSING } from '../world/transaction-status.ts'
import { EVENT_IDS } from '../world/words.ts'
import type { World } from '../world/world.ts'
import type { CallRecord } from './call-record.ts'

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

/** Ids of legacy webhooks, by which settings name what they concern. */
const V1_IDS = Object.fromEntries(LEGACY_HOOKS.map((hook, at) => [hook, V1_HOOKS[at]])) as Readonly<
  Record<LegacyHook, WebhookId>
>

interface Refusal {
  /** World time. */
  at: number
  settings: Settings
}

/**
 * What calls and webhooks have met: situations of the contract, and settings. Both are small sets,
 * which survive a reset, a restore and the end of the world, because the process has their union.
 */
export class Situations {
  readonly met = new Set<string>()
  readonly settings = new Set<SettingId>()
  calls = 0
  /** Number of times that the change of the run took effect. */
  changes = 0
  /** Called when any world of the process met something new. */
  onGrowth: (() => void) | undefined
  readonly #all: Situations | undefined
  /** Settings that the run changes, as the world uses them. */
  readonly #changed: Readonly<Record<string, SettingValue>>
  /** Settings of the last call or webhook, with the operations and webhooks that were met under them. */
  #last: { settings: Settings | undefined; ids: Set<string> } = {
    settings: undefined,
    ids: new Set(),
  }
  /** When the last order ended, in real time. */
  #orderEndedAt = 0
  /** When users met the limit of cancelled and expired orders, and what it was. */
  readonly #refusals = new Map<string, Refusal>()
  /** Orders that were open during a rotation of the secret, each with the new one. */
  readonly #rotatedOrders = new Map<string, string>()
  /** First attempts at webhooks whose receiver has responded to one that was not changed on purpose. */
  readonly #arrived = new WeakSet<Delivery>()

  constructor(changed: Readonly<Record<string, SettingValue>> = {}, all?: Situations) {
    this.#changed = changed
    this.#all = all
  }

  /** Opens the situations of one world, which also count for the process. */
  ofWorld(): Situations {
    return new Situations(this.#changed, this)
  }

  /** True until the first call of the process has ended. */
  get isFirstCall(): boolean {
    return (this.#all ?? this).calls === 0
  }

  meet(id: string): void {
    if (this.met.has(id)) return
    this.met.add(id)
    this.#all?.meet(id)
    this.onGrowth?.()
  }

  /** Counts that something the run changes has taken effect. */
  addChange(): void {
    this.changes++
    this.#all?.addChange()
    if (this.changes === 1) this.onGrowth?.()
  }

  /** Forgets what a reset or a restore cuts off: ids come again after it. */
  forgetBegun(): void {
    this.#refusals.clear()
    this.#rotatedOrders.clear()
  }

  addCall(record: CallRecord, world: World): void {
    const { operation, problem, broken } = record
    if (operation === null) return
    for (const each of this.#all ? [this, this.#all] : [this]) each.calls++
    this.#touch(operation, world.settings)
    if (broken === 'lost') this.meet('response-lost')
    if (broken === null) this.#meetResponse(operation, record)
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
  addDelivery(delivery: Delivery, { settings }: World): void {
    const { event, hook, outcome, url, dialect, mutation } = delivery
    if (!keepsEvent(mutation)) return
    if (url !== null) this.#touch(hook ? V1_IDS[hook] : EVENT_IDS[event.type], settings)
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

  /** Counts an event; an order counts only if an API call placed it. */
  addEvent(event: WorldEvent, world: World, { isCalled }: { isCalled: boolean }): void {
    const { ref, created } = event
    switch (event.type) {
      case 'user.update':
        this.#meetCheck(world.usersById.get(ref))
        break
      case 'transaction.update': {
        const transaction = world.transactionsById.get(ref)
        if (transaction && created && isCalled) this.#addPlaced(transaction, world)
        if (transaction && !created) this.#meetMove(transaction)
        break
      }
      default:
        event satisfies never
    }
  }

  /** Notes the settings that concern an operation or a webhook. */
  #touch(id: string, settings: Settings): void {
    if (settings !== this.#last.settings) this.#last = { settings, ids: new Set() }
    if (this.#last.ids.has(id)) return
    this.#last.ids.add(id)
    for (const setting of settingsOn(id)) {
      this.addSetting(setting)
      if (settings[setting] === this.#changed[setting]) this.addChange()
    }
  }

  addSetting(setting: SettingId): void {
    if (this.settings.has(setting)) return
    this.settings.add(setting)
    this.#all?.addSetting(setting)
    this.onGrowth?.()
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
