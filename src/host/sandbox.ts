import type { DevChain } from '../chain/dev-chain.ts'
import { createTokens, type Tokens } from '../engine/access-tokens.ts'
import { CAUGHT_LENGTH_MAX, createCatcher } from '../engine/catcher.ts'
import { createFaults } from '../engine/faults.ts'
import { createFeed, type FeedKind } from '../engine/feed.ts'
import {
  type CallRecord,
  createRequestJournal,
  REQUESTS_LENGTH_MAX,
  type RequestJournal,
} from '../engine/request-journal.ts'
import {
  createSnapshots,
  type Room,
  SNAPSHOTS_BYTES_MAX,
  type Snapshot,
} from '../engine/snapshots.ts'
import { createTimekeeper } from '../engine/timekeeper.ts'
import { createTimeline, type Timeline } from '../engine/timeline.ts'
import type { ResetRequest, Services } from '../http/services.ts'
import type { SavedWorld } from '../store/replay.ts'
import { ANSWERS_LENGTH_MAX, type Budget, createBudget } from '../webhooks/budget.ts'
import type { Queued } from '../webhooks/delivery.ts'
import { createOutbox, type Outbox } from '../webhooks/outbox.ts'
import { v1 } from '../webhooks/v1.ts'
import { v2 } from '../webhooks/v2.ts'
import { setWebhooks } from '../world/integrators.ts'
import type { State } from '../world/state.ts'
import { copyState, exportState } from '../world/state-export.ts'
import { World } from '../world/world.ts'
import { enterChain } from './chain.ts'
import type { PrivateWorld } from './private-worlds.ts'
import { bytesOf, type WorldsRoom, withClaim } from './room.ts'
import { createStarter, type StarterOptions } from './start-state.ts'

export interface HostedWorldOptions extends StarterOptions {
  name: string
  /** What was kept of this world on disk. */
  kept: SavedWorld | undefined
  /** Hears of every world that becomes this sandbox's own: the first, and what replaces it. */
  onWorld(world: World, sync: () => void): void
  /** Says that its URL is its credential, and when it ends. */
  private?: PrivateWorld | undefined
  /** Where it begins, as a fork of another world. */
  fork?: WorldCopy | undefined
  /** What all worlds may hold together. */
  room?: WorldsRoom | undefined
  /** What its journals may keep, shared with other worlds. */
  budgets?: Budgets | undefined
  /** The development chain behind it. */
  chain?: DevChain | undefined
  /** Makes a call of its control API, as a client of it. */
  callControl?: ((request: Request) => Response | Promise<Response>) | undefined
  /** Settles once everything that happened so far is on disk; none where nothing is kept there. */
  whenStored?: (() => Promise<void>) | undefined
}

/** What is kept of long requests and answers, and in snapshots, for all worlds of a process. */
export interface Budgets {
  answers: Budget
  caught: Budget
  requests: Budget
  snapshots: Room
}

export const createBudgets = (): Budgets => ({
  answers: createBudget(ANSWERS_LENGTH_MAX),
  caught: createBudget(CAUGHT_LENGTH_MAX),
  requests: createBudget(REQUESTS_LENGTH_MAX),
  snapshots: { bytes: SNAPSHOTS_BYTES_MAX },
})

/** A world as it stands, sharing nothing with it, and what it still has to deliver. */
export interface WorldCopy {
  state: State
  queued: Queued[]
}

/** One world and its services. */
export interface HostedWorld extends Services {
  readonly private: PrivateWorld | undefined
  /** What a reset goes back to. */
  readonly starting: StarterOptions
  /** The present, or a snapshot. */
  copy(snapshot: string | undefined): WorldCopy
  close(): Promise<void>
}

export function openSandbox(options: HostedWorldOptions): HostedWorld {
  // A closure over `kept` or `fork` would keep all its rows, also once the world was reset.
  const { kept, fork, ...others } = options
  const { name, wallClock, webhookRules, onWorld, whenStored } = others
  const { budgets = createBudgets() } = others
  const startState = createStarter(others)
  const snapshots = createSnapshots(budgets.snapshots)
  let world = enter(fork?.state ?? kept?.state ?? startState({}))
  let tokens: Tokens = createTokens(name, () => world)
  const feed = createFeed()
  let faults = createFaults()
  let catcher = createCatcher(budgets.caught)
  let requests = openRequests()
  let outbox = openOutbox()
  let timeline = openTimeline()
  const timekeeper = createTimekeeper({
    world: () => world,
    outbox: () => outbox,
    timeline: () => timeline,
    wallClock,
    lagMs: kept ? toLag(kept, wallClock()) : 0,
    onMove: () => feed.add('clock'),
  })
  let coins = openCoins()
  onWorld(world, timekeeper.sync)
  timekeeper.sync()
  const [owner] = world.integrators
  if (kept && owner && others.webhooks) setWebhooks(world, owner, others.webhooks)
  if (fork) outbox.requeue(fork.queued)
  return {
    name,
    timekeeper,
    webhookRules,
    wallClock,
    isPrivate: others.private !== undefined,
    private: others.private,
    starting: others,
    copy,
    feed,
    get coins() {
      return coins
    },
    get faults() {
      return faults
    },
    get catcher() {
      return catcher
    },
    get outbox() {
      return outbox
    },
    get world() {
      return world
    },
    get tokens() {
      return tokens
    },
    get requests() {
      return requests
    },
    get timeline() {
      return timeline
    },
    reset,
    importState: replace,
    snapshots: { list: snapshots.list, take, restore, drop: snapshots.drop },
    async close() {
      timekeeper.close()
      coins?.close()
      snapshots.clear()
      feed.add('closed')
      await outbox.close()
    },
  }

  /** Everything is as after the start, save what is asked for or kept. Snapshots stay. */
  function reset(request: ResetRequest) {
    replace(startState(request, world))
    faults = createFaults()
  }

  function take(snapshotName: string): Snapshot {
    timekeeper.sync()
    const state = exportState(world)
    return withClaim(options.room, bytesOf(state), () =>
      snapshots.take(snapshotName, state, outbox.queued()),
    )
  }

  function copy(snapshotName: string | undefined): WorldCopy {
    if (snapshotName !== undefined) {
      const { state, queued } = snapshots.get(snapshotName)
      return { state: JSON.parse(state.toString()), queued: structuredClone(queued) }
    }
    timekeeper.sync()
    return { state: copyState(exportState(world)), queued: structuredClone(outbox.queued()) }
  }

  /** Goes back to a snapshot, its clock, its tasks and what it still had to deliver. */
  function restore(snapshotName: string) {
    const { state, queued } = snapshots.get(snapshotName)
    // Its text and its rows, beside those of the world whose place it takes.
    withClaim(options.room, 3 * state.length, () => replace(JSON.parse(state.toString()) as State))
    outbox.requeue(queued)
  }

  function replace(state: State) {
    options.room?.assertRoomFor(state, name)
    world = enter(state)
    tokens = createTokens(name, () => world)
    catcher = createCatcher(budgets.caught)
    requests = openRequests()
    void outbox.close()
    outbox = openOutbox()
    timeline = openTimeline()
    timekeeper.restart()
    coins?.close()
    coins = openCoins()
    onWorld(world, timekeeper.sync)
    feed.add('reset')
  }

  function enter(state: State): World {
    const entered = new World(state)
    enterChain(entered, name, options.chain)
    return entered
  }

  /** A client of this world alone: what replaces it has another. */
  function openCoins() {
    const followed = world
    const { chain, callControl } = options
    const { seed } = world.custody ?? {}
    if (chain === undefined || callControl === undefined || seed === undefined) return undefined
    return chain.follow({
      ...{ name, seed, url: 'http://127.0.0.1' },
      fetch(url, init) {
        if (followed !== world) throw new Error('the world was replaced')
        return callControl(new Request(url, init))
      },
    })
  }

  /** Only of the current world: one that was replaced may still be answering its last calls. */
  function addToFeed(followed: World, kind: FeedKind, cursor: number) {
    if (followed === world) feed.add(kind, cursor)
  }

  function openRequests(): RequestJournal {
    const followed = world
    const onDone = ({ cursor }: CallRecord) => addToFeed(followed, 'request', cursor)
    return createRequestJournal(onDone, budgets.requests)
  }

  function openTimeline(): Timeline {
    const followed = world
    const calls = requests
    return createTimeline({
      world,
      outbox,
      lastCall: () => calls.last,
      onDone: ({ cursor }) => addToFeed(followed, 'action', cursor),
    })
  }

  /** An outbox of the world that stands now. */
  function openOutbox(): Outbox {
    const followed = world
    const opened = createOutbox({
      world: followed,
      generations: [v2, v1],
      wallClock,
      webhookRules,
      onDone: ({ cursor }) => addToFeed(followed, 'delivery', cursor),
      faultOf: (delivery) => faults.takeWebhook(delivery),
      whenStored,
      budget: budgets.answers,
    })
    followed.listen({
      onEvent(event) {
        addToFeed(followed, 'event', event.cursor)
        opened.enqueue(event)
      },
      onMessage: ({ cursor }) => addToFeed(followed, 'message', cursor),
    })
    return opened
  }
}

/** A running world went on while nobody looked; a frozen one did not. */
function toLag({ state, wallAt }: SavedWorld, wallNow: number): number {
  return state.mode === 'running' ? Math.max(0, wallNow - wallAt) : 0
}
