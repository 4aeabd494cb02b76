import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Plays } from '../control-api/plays.ts'
import type { WorldOptions } from '../control-api/world-options.ts'
import type { AccessTokens } from '../engine/access-tokens.ts'
import type { Catcher } from '../engine/catcher.ts'
import type { FaultList } from '../engine/faults.ts'
import type { Journal } from '../engine/journal.ts'
import type { RunChange } from '../engine/run-change.ts'
import type { Situations } from '../engine/situations.ts'
import type { Snapshot, Snapshots } from '../engine/snapshots.ts'
import type { Timekeeper } from '../engine/timekeeper.ts'
import type { StorageStatus } from '../store/store.ts'
import type { WebhookRules } from '../webhooks/destination.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Mcp } from './mcp.ts'
import type { OperationDescription } from './operation-description.ts'

/** Services that a handler may use, with their world, which a reset replaces. */
export interface Services {
  /** Name of the world; the empty path prefix leads to `default`. */
  readonly name: string
  readonly world: World
  readonly timekeeper: Timekeeper
  readonly outbox: Outbox
  readonly journal: Journal
  readonly tokens: AccessTokens
  readonly catcher: Catcher
  readonly faults: FaultList
  /** Situations that calls and webhooks of this world have met, across resets. */
  readonly situations: Situations
  /** Change of the provider in a run of `exec`. */
  readonly change: RunChange
  /** Real time in ms, for signatures and timeouts. */
  readonly wallClock: () => number
  /** True if the URL alone gives access. */
  readonly isPrivate: boolean
  readonly webhookRules: WebhookRules
  /** Throws 404 once the world has ended: a call may have been held meanwhile. */
  assertAlive(): void
  /** Throws 507 where the world is full. */
  assertRoom(): void
  reset(request: ResetRequest): Reset
  importState(state: State): void
  readonly snapshots: Snapshots
  takeSnapshot(name: string): Snapshot
  restoreSnapshot(name: string): void
  /** Rows that the last reset or import forgot; undefined before the first. */
  readonly forgotten: Forgotten | undefined
}

export interface Reset {
  forgotten: Forgotten
  /** True if the world has had this seed before. */
  idsRepeat: boolean
}

export interface Forgotten {
  readonly at: number
  readonly calls: ForgottenRows
  readonly actions: ForgottenRows
  readonly deliveries: ForgottenRows
}
interface ForgottenRows {
  readonly count: number
  readonly total: number
}

/** Options of a new private world: its own start, or a fork. */
export interface CreateWorldRequest {
  start?: Omit<ResetRequest, 'keep'>
  from?: { world: string; snapshot?: string | undefined } | undefined
}

export interface CreatedWorld {
  name: string
  seed: string
}

export interface WorldSummary {
  name: string
  now: number
  mode: State['mode']
  fixture: string
  transactions: number
  /** Wall time of the last contract call; null before the first. */
  calledAt: number | null
}

/** How a world starts again; its fixture is not checked yet. */
export interface ResetRequest extends Pick<WorldOptions, 'seed' | 'clock'> {
  fixture?: string | object | undefined
  keep?: readonly ('webhooks' | 'clock')[] | undefined
}

/** Parts that all worlds of one process share. */
export interface ProcessServices {
  enabled: boolean
  token: string | undefined
  /** Host names besides loopback that it responds to, where the name matters. */
  hosts: readonly string[]
  /** The host that it listens on; undefined for all hosts and `localhost`. */
  ownHost?: string | undefined
  version: string
  /** State of the folder of `--data`; null if worlds are kept in memory only. */
  storage(): StorageStatus | null
  worlds: {
    list(): WorldSummary[]
    create(request: CreateWorldRequest): CreatedWorld
    delete(name: string): Promise<void>
  }
  plays: Plays
  mcp: Mcp
  /** Situations that any world of the process has met. */
  situations: Situations
  operations: readonly OperationDescription[]
}

export interface Bindings {
  services: Services
  /** `/w/<name>`, or empty for the world `default`. */
  prefix: string
  /** Public address of the process behind a proxy; by default the address of the call. */
  site?: Site | undefined
  /** Length of the path prefix that names the world. */
  skipped?: number
  control: ProcessServices
  /** The connection of the call; undefined if `fetch` is called directly. */
  socket: HttpExchange | undefined
}

/** The address by which others reach the process. */
export interface Site {
  origin: string
  /** Prefix of every path, such as `/ramp`; usually empty. */
  path: string
}

export interface HttpExchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
}
