import { isDeepStrictEqual } from 'node:util'
import { realTime } from '../real-time.ts'
import { compareStates } from './expect.ts'

/** Time for which a state must stay as it is, by default: a receiver may work after it responded. */
export const SETTLE_MS = 500
const LOOK_EVERY_MS = 20
const HOLD_FACTOR = 2.5

export interface Settled {
  state: unknown
  /** Time after which it changed for the last time. */
  busyMs: number
  /** The place that still changed when time was up. */
  restless: string | undefined
}

/** Waits until a receiver is quiet, and says what it made of things by then. */
export class Settling {
  readonly settleMs: number
  readonly #read: () => Promise<unknown>
  readonly #busyMs: number

  constructor(read: () => Promise<unknown>, { settleMs = SETTLE_MS, busyMs = 0 }) {
    this.#read = read
    this.settleMs = settleMs
    this.#busyMs = busyMs
  }

  /** Time for which a state must last before it counts; none where work is done with the response. */
  get holdMs(): number {
    return this.#busyMs > 0 ? Math.max(this.#busyMs, LOOK_EVERY_MS) * HOLD_FACTOR : 0
  }

  /** Waits until the state has not changed for a while; a state that is as it should be needs less. */
  async settle(
    shouldBe: { expected: unknown } | undefined,
    holdMs = this.holdMs,
  ): Promise<Settled> {
    return await this.#wait((state) =>
      shouldBe !== undefined && isDeepStrictEqual(state, shouldBe.expected)
        ? holdMs
        : Math.max(this.settleMs, this.holdMs),
    )
  }

  /** The state as soon as it is quiet. */
  async read(atLeastMs = 0): Promise<unknown> {
    return (await this.#wait(() => Math.max(atLeastMs, this.holdMs))).state
  }

  async #wait(quietMs: (state: unknown) => number): Promise<Settled> {
    const startedAt = performance.now()
    let changedAt = startedAt
    let state = await this.#read()
    for (;;) {
      if (performance.now() - changedAt >= quietMs(state)) {
        return { state, busyMs: changedAt - startedAt, restless: undefined }
      }
      await realTime.pause(LOOK_EVERY_MS)
      const next = await this.#read()
      if (isDeepStrictEqual(next, state)) continue
      const [difference] = compareStates(next, state)
      state = next
      changedAt = performance.now()
      const busyMs = changedAt - startedAt
      if (busyMs > this.settleMs + this.#busyMs * HOLD_FACTOR) {
        return { state, busyMs, restless: difference?.path || 'state' }
      }
    }
  }
}
