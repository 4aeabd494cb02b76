import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Tokens } from '../engine/access-tokens.ts'
import type { CatchList } from '../engine/catcher.ts'
import type { FaultList } from '../engine/faults.ts'
import type { Feed } from '../engine/feed.ts'
import type { RequestJournal } from '../engine/request-journal.ts'
import type { Snapshot } from '../engine/snapshots.ts'
import type { Timekeeper } from '../engine/timekeeper.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Operation } from './operation.ts'
import type { Plays } from './plays.ts'

/** One world and what stands around it, as routes see them. A reset replaces the world inside. */
export interface Services {
  /** Name of the world; the empty path prefix leads to `default`. */
  readonly name: string
  readonly world: World
  readonly timekeeper: Timekeeper
  readonly outbox: Outbox
  readonly requests: RequestJournal
  readonly tokens: Tokens
  readonly catcher: CatchList
  /** Everything that happens in this world, also through a reset. */
  readonly feed: Feed
  readonly faults: FaultList
  /** The present in ms, which signatures and timeouts go by. */
  readonly wallClock: () => number
  readonly webhookHosts: readonly string[]
  reset(request: ResetRequest): void
  exportState(): State
  /** Replaces the world; refuses a document that is not a state. */
  importState(state: unknown): void
  readonly snapshots: {
    list(): readonly Snapshot[]
    take(name: string): Snapshot
    restore(name: string): void
    drop(name: string): void
  }
}

/** What differs from the state after the start. */
export interface ResetRequest {
  fixture?: string | object | undefined
  seed?: string | undefined
  clock?: string | undefined
  keep?: readonly ('webhooks' | 'clock')[] | undefined
}

/** What all worlds of one process share. */
export interface Control {
  enabled: boolean
  token: string | undefined
  /** Host names besides loopback that the control API answers to. */
  hosts: readonly string[]
  version: string
  worlds: {
    list(): { name: string; now: number; transactions: number }[]
    delete(name: string): Promise<void>
  }
  plays: Plays
  /** Everything that can be called, for the documents about it. */
  operations: readonly Operation[]
}

/** What `app.fetch` is given beside the request. */
export interface Bindings {
  services: Services
  /** `/w/<name>`, or empty for the world `default`. */
  prefix: string
  control: Control
  /** The connection of the call; none where `fetch` is called directly. */
  socket: Connection | undefined
}

export interface Connection {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

export interface Env {
  Bindings: Bindings
}
