import { runInNewContext } from 'node:vm'
import { HttpError } from '../http/status.ts'
import { realTime } from '../real-time.ts'

/** Memory of a row, roughly, with its indexes. */
export const ROW_BYTES = 2_000
/** The part of the heap that may be in use before nothing more is added. */
const IN_USE_MAX = 0.85
/** The part of the limit that holds no rows: three semi-spaces for what is new, and half as much for calls. */
const CALLS_BYTES = 72 * 1024 * 1024
const LOOK_EVERY_MS = 250
/** A collection takes a fifth of the time, except directly after a world was reset or deleted. */
const REST_PER_COLLECTION = 4

/** The one guard of the process: nothing is added while its heap is nearly full. */
export interface MemoryGuard {
  /** Throws 507 `memory-full` where there is no room, or none for so many bytes more. */
  assertRoom(bytes?: number): void
  /** Looks anew with the next call, as a world has become smaller or ended. */
  lookAgain(): void
}

export function createMemoryGuard(): MemoryGuard {
  let max = 0
  let used = 0
  let lookAt = 0
  let collectAt = 0
  return {
    assertRoom(bytes = 0) {
      const now = realTime.elapsed()
      if (now >= lookAt) look(now)
      // What nobody refers to any more counts as in use until it is collected.
      if (used + bytes > max && now >= collectAt) collect(now)
      if (used + bytes > max) throw memoryFull(used, bytes, max)
      // Until the next look, what was let in counts as announced.
      used += bytes
    },
    lookAgain() {
      lookAt = 0
      collectAt = 0
    },
  }

  function look(now: number) {
    const { heap_size_limit: limit, used_heap_size: inUse } = v8().getHeapStatistics()
    max = IN_USE_MAX * (limit - CALLS_BYTES)
    used = inUse
    lookAt = now + LOOK_EVERY_MS
  }

  function collect(startedAt: number) {
    collectGarbage()
    const now = realTime.elapsed()
    collectAt = now + REST_PER_COLLECTION * (now - startedAt)
    look(now)
  }
}

/** Loaded with the first call that adds something, not by a start. */
const v8 = () => process.getBuiltinModule('node:v8')

/**
 * Node exposes its collector by a flag, which may be set late. The other flag keeps V8 from ending
 * the process when a few collections in a row free little near its limit: the guard refuses instead.
 */
function collectGarbage() {
  const { setFlagsFromString } = v8()
  setFlagsFromString('--expose-gc')
  setFlagsFromString('--no-detect-ineffective-gcs-near-heap-limit')
  runInNewContext('gc')()
}

const toMegabytes = (bytes: number) => Math.ceil(bytes / 1e6)

function memoryFull(used: number, bytes: number, max: number): HttpError {
  const more = bytes > 0 ? `, this call needs ${toMegabytes(bytes)} MB more` : ''
  const message =
    `The process uses ${toMegabytes(used)} MB of memory${more}; ` +
    `beyond ${toMegabytes(max)} MB nothing is added.`
  return new HttpError(507, 'memory', message, {
    code: 'memory-full',
    hint:
      'Delete or reset worlds, or give Node more memory: ' +
      'NODE_OPTIONS=--max-old-space-size=8192.',
  })
}
