import { createHash } from 'node:crypto'
import { createTokens } from '../engine/access-tokens.ts'
import { createCatcher } from '../engine/catcher.ts'
import { createFaults } from '../engine/faults.ts'
import { createFeed, type FeedKind } from '../engine/feed.ts'
import { createRequestJournal } from '../engine/request-journal.ts'
import { createSnapshots } from '../engine/snapshots.ts'
import { createTimekeeper } from '../engine/timekeeper.ts'
import { createTimeline } from '../engine/timeline.ts'
import type { ResetRequest, Services } from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import type { Queued } from '../webhooks/delivery.ts'
import { createOutbox } from '../webhooks/outbox.ts'
import { v1 } from '../webhooks/v1.ts'
import { v2 } from '../webhooks/v2.ts'
import type { State } from '../world/state.ts'
import { copyState, countRows, exportState } from '../world/state-export.ts'
import { World } from '../world/world.ts'
import { type MemoryGuard, ROW_BYTES } from './memory.ts'
import type { PrivateWorld } from './new-world.ts'
import type { StartState } from './start-state.ts'

/** Options that all worlds of a process have in common. */
export interface HostOptions extends Pick<Services, 'wallClock' | 'webhookRules'> {
  /** Rows that one world may have. */
  rowsMax: number
  memory: MemoryGuard
  /** Settles once everything that happened so far is on disk; none where nothing is kept there. */
  whenStored?: (() => Promise<void>) | undefined
}

export interface HostedWorldOptions
  extends HostOptions,
    Pick<HostedWorld, 'name' | 'private' | 'startState'> {
  /** Called with the first world of this sandbox, and with each that replaces it. */
  onWorld(world: World, followed: { sync(): void; life: number }): void
}

/** A world as it stands, sharing nothing with it, and what it still has to deliver. */
export interface WorldCopy {
  state: State
  queued: Queued[]
}

/** One world and its services. */
export interface HostedWorld extends Services {
  /** Says that its URL is its credential, and when it ends. */
  readonly private: PrivateWorld | undefined
  /** State that a reset goes back to. */
  readonly startState: StartState
  /** The present, or a snapshot. */
  copy(snapshot: string | undefined): WorldCopy
  close(): Promise<void>
}

export interface OpeningState extends WorldCopy {
  /** How far its clock is behind, because it went on while nobody ran it. */
  lagMs?: number
  /** Life of a world that was kept. Default 1. */
  life?: number | undefined
}

/** Opens a world as it begins; nothing here refers to that state once the world was reset. */
export function openSandbox(options: HostedWorldOptions, opening: OpeningState): HostedWorld {
  const { name, wallClock, webhookRules, startState, onWorld, whenStored } = options
  const { rowsMax, memory } = options
  const snapshots = createSnapshots()
  const feed = createFeed()
  let life = openLife(opening.state, opening.life ?? 1)
  let isClosed = false
  const timekeeper = createTimekeeper({
    world: () => life.world,
    outbox: () => life.outbox,
    timeline: () => life.timeline,
    wallClock,
    lagMs: opening.lagMs ?? 0,
    onMove: () => feed.add('clock'),
  })
  // Plain fields, which a reset replaces: each call reads many of them.
  const services = {
    name,
    timekeeper,
    webhookRules,
    wallClock,
    isPrivate: options.private !== undefined,
    private: options.private,
    startState,
    copy,
    feed,
    faults: createFaults(),
    ...life,
    assertRoom,
    reset,
    importState,
    snapshots: { list: snapshots.list, take, restore, drop: snapshots.drop },
    async close() {
      isClosed = true
      timekeeper.close()
      feed.add('closed')
      await life.outbox.close()
    },
  }
  onWorld(life.world, { sync: timekeeper.sync, life: life.life })
  timekeeper.sync()
  life.outbox.requeue(opening.queued)
  return services

  function assertRoom() {
    memory.assertRoom()
    if (life.world.rowCount >= rowsMax) throw worldFull(rowsMax)
  }

  /** Everything is as after the start, save what is asked for or kept. Snapshots stay. */
  function reset(request: ResetRequest) {
    const state = startState(request, life.world)
    if (request.fixture !== undefined) assertFits(state)
    replace(state)
    services.faults = createFaults()
  }

  function importState(state: State) {
    assertFits(state)
    replace(state)
  }

  /** Lets in whatever makes the world no larger than it is. */
  function assertFits(state: State) {
    const [rows, before] = [countRows(state), life.world.rowCount]
    if (rows <= before) return
    if (rows > rowsMax) throw worldFull(rowsMax)
    memory.assertRoom(ROW_BYTES * (rows - before))
  }

  function take(snapshotName: string) {
    timekeeper.sync()
    return snapshots.take(snapshotName, exportState(life.world), life.outbox.queued())
  }

  function copy(snapshotName: string | undefined): WorldCopy {
    if (snapshotName !== undefined) {
      const { state, queued } = snapshots.get(snapshotName)
      return { state: JSON.parse(state), queued: structuredClone(queued) }
    }
    timekeeper.sync()
    return {
      state: copyState(exportState(life.world)),
      queued: structuredClone(life.outbox.queued()),
    }
  }

  /** Goes back to a snapshot, its clock, its tasks and what it still had to deliver. */
  function restore(snapshotName: string) {
    const { state, queued } = snapshots.get(snapshotName)
    memory.assertRoom(STATE_FACTOR * state.length)
    replace(JSON.parse(state) as State)
    life.outbox.requeue(queued)
  }

  function replace(state: State) {
    void life.outbox.close()
    const before = life.world.rowCount
    life = openLife(state, life.life + 1)
    Object.assign(services, life)
    timekeeper.restart()
    // A call that was under way when its world ended may still reset it.
    if (!isClosed) onWorld(life.world, { sync: timekeeper.sync, life: life.life })
    feed.add('reset')
    if (life.world.rowCount < before) memory.lookAgain()
  }

  /** Services that begin anew with each state that a world is given. */
  function openLife(state: State, number: number) {
    const world = new World(state, digestOf)
    const requests = createRequestJournal(toFeed('request'))
    const outbox = createOutbox({
      world,
      generations: [v2, v1],
      wallClock,
      webhookRules,
      onDone: toFeed('delivery'),
      faultOf: (delivery) => services.faults.takeWebhook(delivery),
      whenStored,
    })
    const timeline = createTimeline({
      world,
      outbox,
      lastCall: () => requests.last,
      onDone: toFeed('action'),
    })
    const [onEvent, onMessage] = [toFeed('event'), toFeed('message')]
    world.listen(([list, row]) => {
      if (list === 'messages') onMessage(row)
      if (list !== 'events') return
      onEvent(row)
      outbox.enqueue(row)
    })
    const tokens = createTokens(name, () => world)
    const catcher = createCatcher()
    return { life: number, world, requests, outbox, timeline, tokens, catcher }

    /** Adds nothing of a world that was replaced, which may still be running its last calls. */
    function toFeed(kind: FeedKind) {
      return ({ cursor }: { cursor: number }) => {
        if (life.world === world) feed.add(kind, cursor)
      }
    }
  }
}

/** Bytes of memory for each character of a state. */
const STATE_FACTOR = 4

function worldFull(rowsMax: number): HttpError {
  const message = `This world has its ${rowsMax} rows; nothing is added.`
  return new HttpError(507, 'world', message, {
    code: 'world-full',
    hint: 'Reset it, use another world, or start with a larger --world-rows.',
  })
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
