import { createHash } from 'node:crypto'
import { AccessTokens } from '../engine/access-tokens.ts'
import { Catcher } from '../engine/catcher.ts'
import { FaultList } from '../engine/faults.ts'
import { Feed } from '../engine/feed.ts'
import { RequestJournal } from '../engine/request-journal.ts'
import type { Situations } from '../engine/situations.ts'
import { type Snapshot, Snapshots } from '../engine/snapshots.ts'
import { Timekeeper } from '../engine/timekeeper.ts'
import { type Run, Timeline } from '../engine/timeline.ts'
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
import type { WorldStart } from './world-start.ts'

export interface HostedWorldOptions
  extends Pick<HostedWorld, 'name' | 'isPrivate' | 'start' | 'wallClock' | 'webhookRules'> {
  /** Those of the process. */
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

/** Journals that a restore keeps and a reset clears, and the runs behind the restored state. */
interface Kept extends Pick<Services, 'requests' | 'timeline' | 'outbox'> {
  runs: readonly Run[]
}

export class HostedWorld implements Services {
  readonly name: string
  readonly isPrivate: boolean
  /** Makes the state that a reset goes back to. */
  readonly start: WorldStart
  readonly webhookRules: WebhookRules
  readonly wallClock: () => number
  readonly timekeeper: Timekeeper
  readonly feed = new Feed({ onUnfollow: () => this.#use() })
  readonly situations: Situations
  readonly snapshots = new Snapshots()
  faults = new FaultList()
  // A reset replaces these. They are plain fields because every call reads many of them.
  world: World
  requests: RequestJournal
  outbox: Outbox
  timeline: Timeline
  tokens: AccessTokens
  catcher: Catcher
  forgotten: Forgotten | undefined
  /** Wall time of the last contract call; null before the first. */
  calledAt: number | null = null
  /** Wall time at which the last call or stream of a private world ended. */
  usedAt: number
  readonly #options: HostedWorldOptions
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
    const begun = this.#begin(opening.state)
    this.world = begun.world
    this.requests = begun.requests
    this.outbox = begun.outbox
    this.timeline = begun.timeline
    this.tokens = begun.tokens
    this.catcher = begun.catcher
    this.timekeeper = new Timekeeper({
      services: this,
      wallClock: options.wallClock,
      lagMs: opening.lagMs ?? 0,
      onMove: () => this.feed.add('clock'),
    })
    this.#announce()
    this.timekeeper.sync()
    this.outbox.requeue(opening.queued)
  }

  /** True while a call or a stream of a private world is open. */
  get isInUse(): boolean {
    return this.#openCalls > 0 || this.feed.followers > 0
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

  assertRoom(): void {
    if (this.world.rowCount >= WORLD_ROWS_MAX) throw WORLD_FULL
  }

  /**
   * Resets to the state after the start, apart from what the request changes or keeps. Snapshots
   * are kept.
   */
  reset(request: ResetRequest): Reset {
    const state = this.start.createState(request, this.world)
    const idsRepeat = [this.world.seed, this.start.seed].includes(state.seed)
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
    const runs = this.timeline.runs()
    return this.snapshots.take({ name, state: exportState(this.world), queued, runs })
  }

  /** Goes back to a snapshot, including its clock, tasks and unsent webhooks. */
  restoreSnapshot(name: string): void {
    const { state, queued, runs } = this.snapshots.get(name)
    const { requests, timeline, outbox } = this
    const because = `The snapshot ${name} was restored first.`
    this.#replace(JSON.parse(state) as State, because, { requests, timeline, outbox, runs })
    this.#noteRestore(name)
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
    this.feed.add('closed')
    await this.outbox.close()
  }

  #replaceAndForget(state: State): Forgotten {
    const { requests, timeline, outbox } = this
    const forgotten: Forgotten = {
      at: this.wallClock(),
      requests: { count: requests.count, last: requests.last },
      actions: { count: timeline.actions.count, last: timeline.actions.last },
      deliveries: { count: outbox.journal.count, last: outbox.journal.last },
    }
    this.snapshots.forgetRuns()
    this.#replace(state, 'The world was reset first.')
    this.forgotten = forgotten
    return forgotten
  }

  #openRequests(): RequestJournal {
    const requests = new RequestJournal((record) => {
      this.calledAt = this.wallClock()
      this.situations.addCall(record, this.world)
      // Calls that were running during a reset are left out of the feed.
      if (this.requests === requests) this.feed.add('request', record.cursor)
    })
    return requests
  }

  #replace(state: State, because: string, kept?: Kept): void {
    void this.outbox.close(because)
    this.situations.forgetBegun()
    Object.assign(this, this.#begin(state, kept))
    this.timekeeper.restart()
    // A running call may still reset a world that has ended.
    if (!this.#isClosed) this.#announce()
    this.feed.add('reset')
  }

  #noteRestore(name: string): void {
    const action = this.timeline.open({
      kind: 'change',
      operation: 'restoreSnapshot',
      subject: name,
    })
    this.timeline.close(action, { status: 200 })
  }

  #announce(): void {
    const { onWorld } = this.#options
    onWorld({ world: this.world, sync: () => this.timekeeper.sync() })
  }

  /** Creates the services that belong to one state of the world. */
  #begin(state: State, kept?: Kept) {
    const { requests = this.#openRequests() } = kept ?? {}
    const world = new World(state, { digest: digestOf, signingSeed: this.start.signingSeed })
    const outbox = this.#openOutbox(world, kept?.outbox.journal)
    const timeline: Timeline = new Timeline({
      world,
      requests,
      deliveries: outbox.journal,
      kept,
      onDone: ({ cursor }) => {
        if (this.timeline.actions === timeline.actions) this.feed.add('action', cursor)
      },
    })
    const tokens = new AccessTokens(this.name, world)
    const catcher = new Catcher()
    this.#followRows(world, { outbox, timeline })
    return { world, requests, outbox, timeline, tokens, catcher }
  }

  #openOutbox(world: World, journal: Outbox['journal'] | undefined): Outbox {
    const { wallClock, webhookRules, disk } = this.#options
    const outbox: Outbox = new Outbox({
      world,
      dialects: [v2, v1],
      wallClock,
      webhookRules,
      disk,
      journal,
      onDone: (delivery) => {
        this.situations.addDelivery(delivery)
        if (this.outbox.journal === outbox.journal) this.feed.add('delivery', delivery.cursor)
      },
      faultOf: (delivery) => this.faults.takeWebhook(delivery),
    })
    return outbox
  }

  /**
   * Passes new rows on to the feed and the outbox. Late calls of a replaced world add nothing to
   * the feed.
   */
  #followRows(world: World, { outbox, timeline }: Pick<Services, 'outbox' | 'timeline'>): void {
    world.listen(([list, row]) => {
      if (list !== 'events' && list !== 'messages') return
      if (this.world === world) this.feed.add(list === 'events' ? 'event' : 'message', row.cursor)
      if (list !== 'events') return
      this.situations.addEvent(row, world, { isCalled: timeline.current?.kind === 'call' })
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
