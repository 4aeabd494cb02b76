import { runInNewContext } from 'node:vm'
import { HttpError } from '../http/status.ts'
import { realTime } from '../real-time.ts'

/** Rough memory of one row, including its indexes. */
export const ROW_BYTES = 2_000
/** Share of the heap that may be in use before additions are refused. */
const IN_USE_MAX = 0.85
/**
 * Part of the heap that is not available to rows: three semi-spaces for new objects, and half as
 * much for running calls.
 */
const CALLS_BYTES = 72 * 1024 * 1024
const LOOK_EVERY_MS = 250
/**
 * Garbage collection may take a fifth of the time, except right after a world was reset or deleted.
 */
const REST_PER_COLLECTION = 4

/** The one guard of the process: nothing is added while its heap is nearly full. */
export class MemoryGuard {
  #max = 0
  #used = 0
  #lookAt = 0
  #collectAt = 0

  /** Throws 507 `memory-full` if the process is full, or would be with this many bytes more. */
  assertRoom(bytes = 0): void {
    const now = realTime.elapsed()
    if (now >= this.#lookAt) this.#look(now)
    // Garbage counts as in use until it is collected.
    if (!this.#hasRoom(bytes) && now >= this.#collectAt) this.#collect(now)
    if (!this.#hasRoom(bytes)) throw memoryFull(this.#used, bytes, this.#max)
    // Until the next measurement, additions count with their estimated size.
    this.#used += bytes
  }

  /** Measures again at the next call, because a world has shrunk or ended. */
  lookAgain(): void {
    this.#lookAt = 0
    this.#collectAt = 0
  }

  #hasRoom(bytes: number): boolean {
    return this.#used + bytes <= this.#max
  }

  #look(now: number): void {
    const { heap_size_limit: limit, used_heap_size: inUse } = v8().getHeapStatistics()
    this.#max = IN_USE_MAX * (limit - CALLS_BYTES)
    this.#used = inUse
    this.#lookAt = now + LOOK_EVERY_MS
  }

  #collect(startedAt: number): void {
    collectGarbage()
    const now = realTime.elapsed()
    this.#collectAt = now + REST_PER_COLLECTION * (now - startedAt)
    this.#look(now)
  }
}

/** Loaded on the first addition, to keep starts fast. */
const v8 = () => process.getBuiltinModule('node:v8')

/**
 * Exposes Node's garbage collector by a flag, which also works at run time. The second flag stops
 * V8 from aborting the process after several ineffective collections near the heap limit: the guard
 * rejects additions instead.
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
