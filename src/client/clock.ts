import type { Advanced, ClockState } from '../http/control/wire.ts'
import type { Duration } from '../world/duration.ts'
import type { ControlClient } from './control.ts'
import type { DeliverOptions } from './simulate.ts'

/** Where to advance to: by a length, to an instant, or to what is scheduled next. */
export type Target = { by: Duration } | { to: string | Date } | { toNext: true }

/** World time. It only moves forward. */
export interface Clock {
  now(): Promise<Date>
  /** The present, the mode, and what is scheduled. */
  read(): Promise<ClockState>
  /**
   * Moves world time forward, doing what is scheduled on the way, each at its own instant; resolves
   * once its webhooks have been delivered. A bare length is `{ by }`.
   */
  advance(target: Duration | Target, options?: DeliverOptions): Promise<Advanced>
  /** Stops world time, now or at an instant ahead. */
  freeze(at?: string | Date): Promise<ClockState>
  /** Lets world time follow the wall clock from where it is. */
  resume(): Promise<ClockState>
}

export function createClock({ call }: ControlClient): Clock {
  const read = () => call<ClockState>('GET', '/clock')
  return {
    read,
    now: async () => new Date((await read()).now),
    advance: (target, options) =>
      call('POST', '/clock/advance', {
        body: { ...(typeof target === 'object' ? target : { by: target }), ...options },
      }),
    freeze: (at) => call('POST', '/clock/freeze', { body: { at } }),
    resume: () => call('POST', '/clock/resume'),
  }
}
