import type { Child } from 'hono/jsx'
import type { FaultList } from '../engine/faults.ts'
import type { Snapshot } from '../engine/snapshots.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import type { DomainError } from '../world/domain-error.ts'
import type { Journal } from '../world/journal.ts'
import type { World } from '../world/world.ts'

/** One contract call, as far as pages show it. */
export interface RequestRow {
  readonly id: string
  readonly cursor: number
  readonly at: number
  readonly method: string
  readonly url: string
  readonly operation: string | null
  readonly integrator: string | null
  readonly userId: string | null
  readonly body: unknown
  readonly status: number
  readonly refusal: Pick<DomainError, 'kind' | 'message' | 'problems' | 'detail'> | null
  readonly answer: string | null
  readonly notes: readonly string[]
}

/** One world as pages see it. They only read it: what they change goes through the control API. */
export interface Sight {
  readonly name: string
  readonly world: World
  readonly outbox: Pick<Outbox, 'journal' | 'pending'>
  readonly requests: Pick<Journal<RequestRow>, 'at' | 'after' | 'last' | 'max'>
  readonly faults: Pick<FaultList, 'list'>
  readonly snapshots: { list(): readonly Snapshot[] }
}

export interface WorldRow {
  name: string
  now: number
  transactions: number
}

/** Somebody who asks for a page. */
export interface Visit {
  request: Request
  /** Below the world's base URL. */
  path: string
  /** `/w/<name>`, or empty for the world `default`. */
  prefix: string
  sight: Sight
  enabled: boolean
  version: string
  worlds(): readonly WorldRow[]
  /** Calls the control API as this visitor; the path is below the world's base URL. */
  call(path: string): Promise<Response>
}

/** What a page needs to be drawn. */
export interface View {
  readonly visit: Visit
  readonly sight: Sight
  readonly world: World
  readonly query: URLSearchParams
  /** A path below the world's base URL, such as `/_sandbox/kyc/…`, as links say it. */
  link(path: string): string
  /** A page of the inspector, such as `users/…`. */
  page(path: string, query?: Record<string, string | undefined>): string
  /** The whole base URL, as an integrator's program says it. */
  readonly baseUrl: string
}

export interface Page {
  title: string
  /** Which part of the navigation is lit. */
  part: string
  body: Child
}

/** Draws a page; undefined where there is nothing of that name. */
export type Draw = (
  view: View,
  id: string | undefined,
) => Page | undefined | Promise<Page | undefined>
