import { useLayoutEffect, useState } from 'preact/hooks'
import type { Wire } from '../../control-api/wire.ts'
import { ApiError, control } from './api.ts'
import { shared } from './draw.ts'
import { controlPath, withQuery, world } from './page.ts'

const GATHER_MS = 120
const EVERY_MS = 500
const RETRY_MS = 2_000
/** Every kind of the stream; `lost` says that some of what was missed is no longer kept. */
const KINDS = ['event', 'message', 'delivery', 'request', 'action', 'clock', 'reset', 'lost']

/** True if the sandbox has stopped responding. */
export const isGone = shared(false)
/** True if updates are paused. */
export const isPaused = shared(false)
/** Number of changes since the pause began. */
export const missed = shared(0)
/** Number of reads that a page needs before it can be shown. */
export const pending = shared(0)

const readers = new Set<() => Promise<void>>()
/** Counts of the changes that the stream has reported, in all and before the last read began. */
let [changes, changesRead] = [0, 0]
/** Timer of the next read, and when the last one ended. */
let waiting: number | undefined
let readAt = 0

/** Reads again everything that is on screen. */
export const refresh = async (): Promise<void> => {
  changesRead = changes
  await Promise.all([...readers].map((read) => read()))
}

export function togglePause(): void {
  isPaused.value = !isPaused.value
  missed.value = 0
  if (!isPaused.value) void refresh()
}

/** Follows the stream of the world and reads again what is on screen when something happens. */
export function follow(): void {
  let source = listen(world.position)
  // A hidden page closes its stream, because browsers allow six connections to a host.
  document.addEventListener('visibilitychange', () => {
    source.close()
    if (!document.hidden) source = listen()
  })

  function listen(after?: string): EventSource {
    const stream = new EventSource(controlPath(withQuery('/events/stream', { after })))
    let isAgain = after === undefined
    for (const kind of KINDS) stream.addEventListener(kind, changed)
    stream.onopen = () => {
      // Only a stream that begins after a position says what happened before it was open.
      if (isAgain) changed()
      isAgain = true
      isGone.value = false
    }
    stream.onerror = () => {
      if (stream.readyState !== EventSource.CLOSED) {
        isGone.value = true
        return
      }
      // The stream was refused, as by a world that has ended: the reads show why.
      void refresh()
      setTimeout(reopen, RETRY_MS)
    }
    return stream
  }

  function reopen() {
    if (source.readyState === EventSource.CLOSED && !document.hidden) source = listen()
  }
}

function changed() {
  if (isPaused.value) {
    missed.value++
    return
  }
  changes++
  schedule()
}

function schedule() {
  if (waiting !== undefined) return
  waiting = window.setTimeout(readAgain, Math.max(GATHER_MS, readAt + EVERY_MS - Date.now()))
}

async function readAgain() {
  // The pause may have begun while this waited.
  if (isPaused.value) {
    waiting = undefined
    return changed()
  }
  // A button reads what it changed by itself, mostly after the stream has told of it.
  if (changesRead < changes) {
    await refresh()
    readAt = Date.now()
  }
  waiting = undefined
  if (changesRead < changes) schedule()
}

interface Read<Row> {
  data: Row | undefined
  error: ApiError | undefined
}

/** Pages that were read before show at once what they had. */
const kept = new Map<string, unknown>()
const KEPT_MAX = 40

function keep(path: string, data: unknown): void {
  kept.delete(path)
  kept.set(path, data)
  const [oldest] = kept.keys()
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
}

/**
 * Reads an operation of the control API, now and after every change of the world. While another
 * path is read, what was read before stays; without a path nothing is read.
 */
export function useRead<Operation extends keyof Wire>(
  path: string | undefined,
): Read<Wire[Operation]['response']> {
  type Row = Wire[Operation]['response']
  const [read, setRead] = useState<Read<Row>>(() => findKept<Row>(path))
  // Before the page is painted, so that it is never idle before its reads have begun.
  useLayoutEffect(() => {
    if (path === undefined) return undefined
    if (kept.has(path)) setRead(findKept<Row>(path))
    let [asked, shown, isPending] = [0, 0, true]
    pending.value++
    const end = () => {
      if (isPending) pending.value--
      isPending = false
    }
    const show = (number: number, found: Read<Row>) => {
      // A response that a later one has overtaken says what was.
      if (number < shown) return
      shown = number
      setRead(found)
    }
    const load = async () => {
      const number = ++asked
      try {
        const data = await control<Row>('GET', controlPath(path))
        keep(path, data)
        isGone.value = false
        show(number, { data, error: undefined })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.status === 401) location.reload()
        if (error.status === 0) {
          isGone.value = true
          setTimeout(() => readers.has(load) && void load(), RETRY_MS)
        } else {
          isGone.value = false
          show(number, { data: undefined, error })
        }
      }
      end()
    }
    readers.add(load)
    void load()
    return () => {
      shown = Number.POSITIVE_INFINITY
      readers.delete(load)
      end()
    }
  }, [path])
  return read
}

const findKept = <Row>(path = ''): Read<Row> => ({
  data: kept.get(path) as Row | undefined,
  error: undefined,
})
