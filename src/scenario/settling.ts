import { isDeepStrictEqual } from 'node:util'
import { realTime } from '../real-time.ts'
import { compareStates } from './expect.ts'

/** Default time for which a wrong state must last, because a receiver may work after its response. */
export const SETTLE_MS = 500
const LOOK_EVERY_MS = 20
/** Multiple of the usual working time that a right state must last. */
export const HOLD_FACTOR = 2.5

export interface Settled {
  state: unknown
  /** Place that still changed when time was up. */
  restless: string | undefined
}

/** Waits until a receiver is quiet, and returns its state. */
export class Settling {
  readonly #readState: () => Promise<unknown>
  readonly #settleMs: number
  #busyMs: number
  #shortestReadMs = Number.POSITIVE_INFINITY
  /** Work that takes less time than a read of the state cannot be seen. */
  #longestReadMs = 0
  /** Time in which this process or the receiver was held up, so that nothing could change. */
  #stalledMs = 0
  /** The moment when work on all webhooks so far should be done, one after another. */
  #doneAt = 0

  constructor(readState: () => Promise<unknown>, { settleMs = SETTLE_MS, busyMs = 0 }) {
    this.#readState = readState
    this.#settleMs = settleMs
    this.#busyMs = busyMs
  }

  /** Time for which the receiver works on one webhook after its response; 0 where it stores first. */
  get busyMs(): number {
    return this.#busyMs
  }

  get #holdMs(): number {
    const unseenMs = this.#longestReadMs > LOOK_EVERY_MS ? this.#longestReadMs : 0
    return Math.max(this.#busyMs, unseenMs) * HOLD_FACTOR
  }

  get #now(): number {
    return realTime.elapsed() - this.#stalledMs
  }

  /** Measures how long the receiver goes on working after a response. */
  async measure(): Promise<void> {
    const respondedAt = this.#now
    const { changedAt } = await this.#wait(() => this.#settleMs)
    if (changedAt === undefined) return
    this.#busyMs = Math.max(this.#busyMs, LOOK_EVERY_MS, changedAt - respondedAt)
  }

  /** Notes a webhook on which the receiver may work after its response. */
  expectWork(): void {
    this.#doneAt = Math.max(this.#doneAt, this.#now) + this.#busyMs
  }

  /** Waits until the state has not changed for a while, which is shorter for the expected state. */
  async settle(
    shouldBe: { expected: unknown } | undefined,
    holdMs = this.#holdMs,
  ): Promise<Settled> {
    return await this.#wait((state) =>
      shouldBe !== undefined && isDeepStrictEqual(state, shouldBe.expected)
        ? holdMs
        : Math.max(this.#settleMs, holdMs),
    )
  }

  /** Reads the state as soon as it is quiet. */
  async read(atLeastMs = 0): Promise<unknown> {
    return (await this.#wait(() => Math.max(atLeastMs, this.#holdMs))).state
  }

  async #wait(quietMs: (state: unknown) => number) {
    const startedAt = this.#now
    let state = await this.#look()
    let changedAt: number | undefined
    for (;;) {
      const now = this.#now
      const isQuiet = now - (changedAt ?? startedAt) >= quietMs(state)
      if (isQuiet && now >= this.#doneAt + this.#busyMs * (HOLD_FACTOR - 1)) {
        return { state, changedAt, restless: undefined }
      }
      await this.#pause()
      const next = await this.#look()
      if (isDeepStrictEqual(next, state)) continue
      const [difference] = compareStates(next, state)
      state = next
      changedAt = this.#now
      if (changedAt > Math.max(startedAt, this.#doneAt) + this.#settleMs + this.#holdMs) {
        return { state, changedAt, restless: difference?.path || 'state' }
      }
    }
  }

  async #pause(): Promise<void> {
    const pausedAt = realTime.elapsed()
    await realTime.pause(LOOK_EVERY_MS)
    const pausedMs = realTime.elapsed() - pausedAt
    this.#stalledMs += Math.max(0, pausedMs - 2 * LOOK_EVERY_MS)
  }

  /** Reads the state; a busy machine may make that slow. */
  async #look(): Promise<unknown> {
    const startedAt = realTime.elapsed()
    const state = await this.#readState()
    const readMs = realTime.elapsed() - startedAt
    this.#shortestReadMs = Math.min(this.#shortestReadMs, readMs)
    const usualMs = Math.min(readMs, 2 * this.#shortestReadMs)
    this.#longestReadMs = Math.max(this.#longestReadMs, usualMs)
    this.#stalledMs += readMs - usualMs
    return state
  }
}
