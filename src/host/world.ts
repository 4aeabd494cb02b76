import { createHash } from 'node:crypto'
import { AccessTokens } from '../engine/access-tokens.ts'
import { Catcher } from '../engine/catcher.ts'
import { FaultList } from '../engine/faults.ts'
import { Journal } from '../engine/journal.ts'
import type { RunChange } from '../engine/run-change.ts'
import type { Situations } from '../engine/situations.ts'
import { type Snapshot, Snapshots } from '../engine/snapshots.ts'
import { Timekeeper } from '../engine/timekeeper.ts'
import type { Forgotten, Reset, ResetRequest, Services } from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import type { Queued } from '../webhooks/delivery.ts'
import type { WebhookRules } from '../webhooks/destination.ts'
import { type Disk, Outbox } from '../webhooks/outbox.ts'
import { v1 } from '../webhooks/v1.ts'
import { v2 } from '../webhooks/v2.ts'
import type { State } from '../world/state.ts'
import { copyState, exportState } from '../world/state-export.ts'
import { World } from '../world/world.ts'
import { endedWorld } from './access.ts'
import type { WorldStart } from './world-start.ts'

export interface HostedWorldOptions
  extends Pick<HostedWorld, 'name' | 'isPrivate' | 'start' | 'wallClock' | 'webhookRules'> {
  situations: Situations
  /** Undefined where the world is kept in memory only. */
  disk?: Disk | undefined
  /** Called with the first world of this sandbox, and with each that replaces it. */
  onWorld(source: { world: World; sync(): void }): void
}

/** A copy of a world, with its unsent webhooks. */
export interface WorldCopy {
  state: State
  queued: Queued[]
}

export interface OpeningState extends WorldCopy {
  /** How far the clock is behind, because a running world goes on while the process is down. */
  lagMs?: number
}

export class HostedWorld implements Services {
  readonly name: string
  readonly isPrivate: boolean
  /** Makes the state that a reset goes back to. */
  readonly start: WorldStart
  readonly webhookRules: WebhookRules
  readonly wallClock: () => number
  readonly timekeeper: Timekeeper
  readonly journal: Journal
  readonly situations: Situations
  readonly change: RunChange
  readonly snapshots = new Snapshots()
  faults = new FaultList()
  // A reset replaces these. They are plain fields because every call reads many of them.
  world: World
  outbox: Outbox
  tokens: AccessTokens
  catcher: Catcher
  forgotten: Forgotten | undefined
  /** Wall time of the last contract call; null before the first. */
  calledAt: number | null = null
  /** Wall time at which the last call or stream of a private world ended. */
  usedAt: number
  readonly #options: HostedWorldOptions
  /** Seed that it had first; with `--data`, only a reset takes that of the start. */
  #usualSeed: string
  #openCalls = 0
  #isClosed = false

  /** Keeps no reference to the opening state, so that a reset can free it. */
  constructor(options: HostedWorldOptions, opening: OpeningState) {
    this.name = options.name
    this.isPrivate = options.isPrivate
    this.start = options.start
    this.webhookRules = options.webhookRules
    this.wallClock = options.wallClock
    this.usedAt = options.wallClock()
    this.#options = options
    this.situations = options.situations.ofWorld()
    this.change = options.start.change
    this.world = this.#createWorld(opening.state)
    this.#usualSeed = this.world.seed
    this.journal = new Journal(this.world, {
      onCall: (record) => {
        this.calledAt = this.wallClock()
        this.situations.addCall(record, this.world)
      },
      onUnfollow: () => this.#use(),
    })
    const begun = this.#begin(this.world)
    this.outbox = begun.outbox
    this.tokens = begun.tokens
    this.catcher = begun.catcher
    this.timekeeper = new Timekeeper({
      services: this,
      wallClock: options.wallClock,
      lagMs: opening.lagMs ?? 0,
      onMove: () => this.journal.announce('clock'),
    })
    this.#announce()
    this.timekeeper.sync()
    this.outbox.requeue(opening.queued)
  }

  /** True while a call or a stream of a private world is open. */
  get isInUse(): boolean {
    return this.#openCalls > 0 || this.journal.followers > 0
  }

  /** Runs a call of a private world, which cannot end meanwhile. */
  async run(call: () => Response | Promise<Response>): Promise<Response> {
    this.#openCalls++
    try {
      return await call()
    } finally {
      this.#openCalls--
      this.#use()
    }
  }

  #use(): void {
    this.usedAt = this.wallClock()
  }

  assertAlive(): void {
    if (this.#isClosed) throw endedWorld(this.name)
  }

  assertRoom(): void {
    if (this.world.rowCount >= WORLD_ROWS_MAX) throw WORLD_FULL
  }

  /**
   * Resets to the state after the start, apart from what the request changes or keeps. Snapshots
   * are kept.
   */
  reset(request: ResetRequest): Reset {
    const state = this.start.createState(request, this.world)
    const idsRepeat = [this.world.seed, this.#usualSeed].includes(state.seed)
    if (state.seed === this.start.seed) this.#usualSeed = state.seed
    const forgotten = this.#replaceAndForget(state)
    this.faults = new FaultList()
    return { forgotten, idsRepeat }
  }

  importState(state: State): void {
    this.#replaceAndForget(state)
  }

  takeSnapshot(name: string): Snapshot {
    this.timekeeper.sync()
    const queued = this.outbox.queued()
    return this.snapshots.take({ name, state: exportState(this.world), queued })
  }

  /** Goes back to a snapshot, including its clock, tasks and unsent webhooks. */
  restoreSnapshot(name: string): void {
    const { state, queued } = this.snapshots.get(name)
    const because = `The snapshot ${name} was restored before this webhook was delivered.`
    this.#replace(JSON.parse(state) as State, because, (world) => this.journal.goOn(world))
    this.outbox.requeue(queued)
  }

  /** Copies the present world or a snapshot. What is new in the copy derives from its seed. */
  copy({
    snapshot,
    seed,
  }: {
    snapshot?: string | undefined
    seed?: string | undefined
  }): WorldCopy {
    const { state, queued } = this.#read(snapshot)
    return { state: seed === undefined ? state : { ...state, seed }, queued }
  }

  #read(snapshot: string | undefined): WorldCopy {
    if (snapshot !== undefined) {
      const { state, queued } = this.snapshots.get(snapshot)
      return { state: JSON.parse(state), queued: structuredClone(queued) }
    }
    this.timekeeper.sync()
    return {
      state: copyState(exportState(this.world)),
      queued: structuredClone(this.outbox.queued()),
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.timekeeper.close()
    this.journal.signal('closed')
    await this.outbox.close()
  }

  #replaceAndForget(state: State): Forgotten {
    const { calls, actions, deliveries } = this.journal
    const toForgotten = ({ count, total }: typeof actions | typeof calls | typeof deliveries) => ({
      count,
      total,
    })
    const forgotten: Forgotten = {
      at: this.wallClock(),
      calls: toForgotten(calls),
      actions: toForgotten(actions),
      deliveries: toForgotten(deliveries),
    }
    this.#replace(state, 'The world was reset before this webhook was delivered.', (world) =>
      this.journal.begin(world),
    )
    this.forgotten = forgotten
    return forgotten
  }

  /** Replaces the world. Positions of the journal never go back. */
  #replace(state: State, because: string, follow: (world: World) => void): void {
    void this.outbox.close(because)
    this.situations.forgetBegun()
    const position = Math.max(state.position, this.world.position)
    this.world = this.#createWorld({ ...state, position })
    follow(this.world)
    Object.assign(this, this.#begin(this.world))
    this.timekeeper.restart()
    this.#announce()
    this.journal.announce('reset')
  }

  #announce(): void {
    const { onWorld } = this.#options
    onWorld({ world: this.world, sync: () => this.timekeeper.sync() })
  }

  #createWorld(state: State): World {
    const world = new World(state, { digest: digestOf, signingSeed: this.start.signingSeed })
    const { signingSecret: given } = this.change
    // A fixture may have secrets of its own.
    const hasGiven = world.integrators.some(({ signingSecret }) => signingSecret === given)
    if (given !== undefined && hasGiven) this.situations.addChange()
    return world
  }

  /** Creates the services that belong to one state of the world. */
  #begin(world: World) {
    const outbox = this.#openOutbox(world)
    this.#followRows(world, outbox)
    return { outbox, tokens: new AccessTokens(this.name, world), catcher: new Catcher() }
  }

  #openOutbox(world: World): Outbox {
    const { wallClock, webhookRules, disk } = this.#options
    return new Outbox({
      world,
      dialects: [v2, v1],
      wallClock,
      webhookRules,
      disk,
      deliveries: this.journal.deliveries,
      onDone: (delivery) => {
        this.situations.addDelivery(delivery, world)
        this.journal.endDelivery(delivery)
      },
      faultOf: (delivery) => this.faults.takeWebhook(delivery),
      change: this.change,
      onChanged: () => this.situations.addChange(),
    })
  }

  /** Passes new rows on to followers and the outbox; late ones of a replaced world to nobody. */
  #followRows(world: World, outbox: Outbox): void {
    world.listen(([list, row]) => {
      if (list !== 'events' && list !== 'messages') return
      if (this.world === world)
        this.journal.announce(list === 'events' ? 'event' : 'message', row.pos)
      if (list !== 'events') return
      this.situations.addEvent(row, world, { isCalled: row.cause?.kind === 'call' })
      outbox.enqueue(row)
    })
  }
}

/** Users, transactions, quotes and KYB submissions that one world may have together. */
const WORLD_ROWS_MAX = 200_000

const WORLD_FULL = new HttpError(
  507,
  'world',
  `This world already holds ${WORLD_ROWS_MAX} users, transactions, quotes and KYB submissions, ` +
    'the most it can; a reset empties it.',
  { code: 'world-full' },
)

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
