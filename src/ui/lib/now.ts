import { shared } from './draw.ts'

/** The present of the world, which moves every second while its clock runs. */
export const now = shared(Date.now())

let [readNow, readAt, isRunning] = [0, 0, false]

/** Takes over a clock that was read. */
export function setClock(clock: { now: string; mode: string }): void {
  readNow = Date.parse(clock.now)
  readAt = performance.now()
  isRunning = clock.mode === 'running'
  now.value = readNow
}

setInterval(() => {
  if (isRunning) now.value = readNow + performance.now() - readAt
}, 1_000)
