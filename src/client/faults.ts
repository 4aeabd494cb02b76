import type { LegacyHook } from '../world/legacy-webhooks.ts'
import type { Duration } from './clock.ts'
import type { ControlClient } from './control.ts'
import type { EventType } from './types.ts'

/** How often; counted over the calls or deliveries that match. */
interface Counts {
  /** How many to meet. Default: 1. */
  times?: number | undefined
  /** How many to let pass first. Default: 0. */
  skip?: number | undefined
}

/** What goes wrong with contract calls. What `match` does not name fits anything. */
export interface ApiFault extends Counts {
  on: 'api'
  match?: {
    /** As the OpenAPI document names it, such as `createTransaction`. */
    operation?: string
    method?: string
    /** Below the base URL; `*` stands for any text. */
    path?: string
    integrator?: string
  }
  then: {
    /** Wall time, at most 60 seconds. */
    delay?: Duration
    /** HTTP status to answer instead of doing anything, from 400 to 599. */
    status?: number
    error?: { field: string; message: string }
    headers?: Record<string, string>
    /** `reset` before it is done, `truncate` half-way through the answer, `lost` instead of it. */
    connection?: 'reset' | 'truncate' | 'lost'
  }
}

/** What goes wrong with deliveries. What `match` does not name fits anything. */
export interface WebhookFault extends Counts {
  on: 'webhook'
  match?: {
    type?: EventType
    status?: string
    ref?: string
    generation?: 'v2' | 'v1'
    /** One of the legacy webhooks. */
    hook?: LegacyHook
    integrator?: string
  }
  then: {
    /** It never leaves; nothing else can be ordered beside it. */
    drop?: true
    /** Wall time, at most 60 seconds; what follows to the same destination waits as well. */
    delay?: Duration
    duplicate?: true
    /**
     * It leaves after the next one for the same destination. Calls do not wait for it meanwhile;
     * `webhooks.drain()` lets it go, and so does a minute of wall time.
     */
    reorder?: true
    signature?: 'bad'
    timestamp?: 'stale'
    /** The field that carries the event's id. */
    envelopeId?: 'id' | 'eventId' | 'both'
    /** It arrives before the API call that caused it is answered. */
    beforeResponse?: true
  }
}

export type Fault = ApiFault | WebhookFault

export type OrderedFault = Fault & {
  id: string
  /** What matched it, the skipped ones included. */
  seen: number
  /** What it met. */
  hits: number
}

/** Misbehaviour to test against; the first that matches wins, and a reset forgets all. */
export interface Faults {
  list(): Promise<OrderedFault[]>
  add(fault: Fault): Promise<OrderedFault>
  delete(id: string): Promise<void>
  clear(): Promise<void>
}

export function createFaults({ call }: ControlClient): Faults {
  return {
    list: async () => (await call<{ items: OrderedFault[] }>('GET', '/faults')).items,
    add: (fault) => call('POST', '/faults', { body: fault }),
    delete: (id) => call('DELETE', `/faults/${encodeURIComponent(id)}`),
    clear: () => call('DELETE', '/faults'),
  }
}
