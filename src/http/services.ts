import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Tokens } from '../engine/access-tokens.ts'
import type { CatchList } from '../engine/catcher.ts'
import type { FaultList } from '../engine/faults.ts'
import type { Feed } from '../engine/feed.ts'
import type { RequestJournal } from '../engine/request-journal.ts'
import type { Snapshot } from '../engine/snapshots.ts'
import type { Timekeeper } from '../engine/timekeeper.ts'
import type { Timeline } from '../engine/timeline.ts'
import type { CoinHolder } from '../levers/coin-holder.ts'
import type { Plays } from '../levers/plays.ts'
import type { StorageStatus } from '../store/store.ts'
import type { WebhookRules } from '../webhooks/destination.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Mcp } from './mcp.ts'
import type { OperationDescription } from './operation-description.ts'

/** Parts that a handler may use: one world and what is around it. A reset replaces the world inside. */
export interface Services {
  /** Name of the world; the empty path prefix leads to `default`. */
  readonly name: string
  /** Grows with each reset, restore and import. */
  readonly life: number
  readonly world: World
  readonly timekeeper: Timekeeper
  readonly outbox: Outbox
  readonly requests: RequestJournal
  readonly timeline: Timeline
  readonly tokens: Tokens
  readonly catcher: CatchList
  /** Everything that happens in this world, also through a reset. */
  readonly feed: Feed
  readonly faults: FaultList
  /** Real time in ms, for signatures and timeouts. */
  readonly wallClock: () => number
  /** Whether its URL alone lets its holder use it. */
  readonly isPrivate: boolean
  readonly webhookRules: WebhookRules
  /** Holder of the coins of this world outside of the sandbox. */
  readonly coins: CoinHolder | undefined
  /** Throws 507 where the world or the process is full. */
  assertRoom(): void
  reset(request: ResetRequest): void
  importState(state: State): void
  readonly snapshots: {
    list(): readonly Snapshot[]
    take(name: string): Snapshot
    restore(name: string): void
    drop(name: string): void
  }
}

/** A private world that is to be made: from a start of its own, or as a fork. */
export interface CreateWorldRequest {
  /** How long it may be idle. */
  ttlMs: number
  start?: Pick<ResetRequest, 'fixture' | 'seed' | 'clock'>
  from?: { world: string; snapshot?: string | undefined } | undefined
  /** The private world that a fork belongs to; none for the holder of the control token. */
  owner?: string | undefined
}

export interface WorldSummary {
  name: string
  now: number
  transactions: number
  /** When a private world ends unless it is called before; wall time. */
  endsAt: number | null
}

export interface ResetRequest {
  fixture?: string | object | undefined
  seed?: string | undefined
  clock?: string | undefined
  keep?: readonly ('webhooks' | 'clock')[] | undefined
}

/** Parts that all worlds of one process share. */
export interface ProcessServices {
  /** Origins of pages that may frame the demo wallet. */
  frames: readonly string[]
  enabled: boolean
  token: string | undefined
  /** Host names besides loopback that it responds to, where the name matters. */
  hosts: readonly string[]
  /** The one host that it listens on; undefined for every one, and for `localhost`. */
  ownHost?: string | undefined
  version: string
  /** How the data file is; null without one. */
  storage(): StorageStatus | null
  worlds: {
    list(): WorldSummary[]
    create(request: CreateWorldRequest): { name: string; endsAt: number }
    delete(name: string): Promise<void>
  }
  plays: Plays
  mcp: Mcp
  /** Throws 507 `memory-full` where the process has no memory for more, or for so many bytes. */
  assertMemory(bytes?: number): void
  /** Everything that can be called, for the documents about it. */
  operations: readonly OperationDescription[]
}

/** Context that `app.fetch` is given beside the request. */
export interface Bindings {
  services: Services
  /** `/w/<name>`, or empty for the world `default`. */
  prefix: string
  /** Address at which callers find the process, if a proxy is between; else that of the call itself. */
  site?: Site | undefined
  /** Characters of the path that lead to the world. */
  skipped?: number
  control: ProcessServices
  /** The connection of the call; none where `fetch` is called directly. */
  socket: HttpExchange | undefined
}

/** The address by which others reach the process. */
export interface Site {
  origin: string
  /** Before every other path, such as `/ramp`; often empty. */
  path: string
}

export interface HttpExchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

export interface Env {
  Bindings: Bindings
}
