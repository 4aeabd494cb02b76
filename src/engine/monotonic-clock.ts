import { realTime } from '../real-time.ts'
/**
 * A wall clock that goes on when the machine's is set back: a world that followed it would stand
 * still until it has caught up.
 */
export function createMonotonicClock(wallClock: () => number): () => number {
  let last = wallClock()
  let lastAt = realTime.elapsed()
  let setBackMs = 0
  return () => {
    const wall = wallClock()
    const at = realTime.elapsed()
    if (wall < last) setBackMs += last - wall + Math.floor(at - lastAt)
    last = wall
    lastAt = at
    return wall + setBackMs
  }
}
