import { realTime } from '../real-time.ts'

const SLICE_MS = 5

/** Keeps long work from holding up calls: they get their turn whenever one is due. */
export class Turns {
  #sliceEnd = realTime.elapsed() + SLICE_MS

  isDue(): boolean {
    return realTime.elapsed() >= this.#sliceEnd
  }

  async take(): Promise<void> {
    await realTime.nextTurn()
    this.#sliceEnd = realTime.elapsed() + SLICE_MS
  }
}
