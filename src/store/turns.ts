import { realTime } from '../real-time.ts'

const SLICE_MS = 5

/** Keeps long work from holding up calls: they get their turn whenever one is due. */
export function createTurns() {
  let sliceEnd = realTime.elapsed() + SLICE_MS
  return {
    isDue: () => realTime.elapsed() >= sliceEnd,
    async take() {
      await realTime.nextTurn()
      sliceEnd = realTime.elapsed() + SLICE_MS
    },
  }
}
