import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { REQUESTS_MAX } from '../engine/request-journal.ts'
import { ACTIONS_MAX } from '../engine/timeline.ts'
import { STATE_MAX } from '../http/control/state.ts'
import type { Claim, Services } from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/world.ts'
import { countLongRows, followLongRows, type LongRows } from './long-rows.ts'

/** Of its heap limit Node keeps three semi-spaces for what is new; rows are not there for long. */
const NEW_SPACE_BYTES = 3 * 16 * 1024 * 1024
const oldSpaceBytes = () => getHeapStatistics().heap_size_limit - NEW_SPACE_BYTES

/** How much of the memory that Node may use the worlds of a process may hold, by estimate. */
const HEAP_SHARE_MAX = 0.6
/** How much of it may be in use after a collection, whatever uses it: beyond it the process would soon end. */
const LIVE_SHARE_MAX = 0.85
/** So much any call may need, however full the memory is. */
const CLAIM_SMALL_BYTES = 1024 * 1024
/** What stays free in any case: calls under way need some. */
const FREE_MIN_BYTES = 16 * 1024 * 1024

/** What a row takes in memory with its indexes, in bytes: measured, and rounded up. */
const BYTES = {
  users: 1_400,
  transactions: 1_900,
  quotes: 600,
  loginCodes: 400,
  kycLinks: 300,
  kybSubmissions: 4_000,
  events: 1_000,
  messages: 700,
  tasks: 300,
  deliveries: 2_500,
  requests: 2_500,
  actions: 1_500,
  runs: 120,
}
/** An empty world with all that belongs to it. */
const WORLD_BYTES = 36_000

/** A bound on what all worlds of a process hold together. */
export interface WorldsRoom {
  /** From here on this is the world of that name. */
  follow(name: string, world: World): void
  /** Counts a world anew, after it may have grown or shrunk. */
  measure(services: Services): void
  forget(name: string): void
  /** 507 when so many bytes more are too many; 0 asks whether the bound is passed already. */
  findError(bytes: number): HttpError | undefined
  /** Measures the world before a call, and 507 for one that would add to it while there is no room. */
  findCallError(request: Request, path: string, services: Services): HttpError | undefined
  /** Throws it for a state that takes the place of a world's. */
  assertRoomFor(state: State, name: string): void
  /** Room beside the worlds, for what is under way. */
  claimMemory(): Claim
  close(): void
}

/** Calls of the contract add to a world, also these reads; the others never do. */
const READ_ADDS = /^\/(v2\/(quotes|users\/[^/]+\/kyc-url)|priceQuote)(\?|$)/
/** What the control API makes rows by; anything else only changes them, or makes room. */
const CONTROL_ADDS = /^\/_sandbox\/(simulate|snapshots|kyc|bank)(\/(?!.*\/restore)|\?|$)/
const IMPORT = /^\/_sandbox\/state(\?|$)/

function addsRows({ method }: Request, path: string): boolean {
  if (method === 'DELETE') return false
  if (path.startsWith('/_sandbox')) return method !== 'GET' && CONTROL_ADDS.test(path)
  return method !== 'GET' || READ_ADDS.test(path)
}

export function createRoom(bytesMax = Math.round(oldSpaceBytes() * HEAP_SHARE_MAX)): WorldsRoom {
  const sizes = new Map<string, number>()
  const longRows = new Map<string, LongRows>()
  let total = 0
  /** Bytes that calls need which are under way. */
  let claimed = 0
  const claimedMax = bytesMax * (LIVE_SHARE_MAX / HEAP_SHARE_MAX)
  const heap = watchHeap(() => total + claimed)
  return {
    follow: (name, world) => void longRows.set(name, followLongRows(world)),
    measure,
    forget(name) {
      set(name, 0)
      longRows.delete(name)
    },
    findError,
    findCallError(request, path, services) {
      const adds = addsRows(request, path)
      // The row of another read in the journal of requests is counted with the next such call.
      if (adds || request.method !== 'GET') measure(services)
      if (adds) return findError(0)
      if (request.method !== 'PUT' || !IMPORT.test(path)) return undefined
      // Before it is read: its rows take at least as much as their text.
      const length = Number(request.headers.get('content-length') ?? 0)
      return length <= STATE_MAX ? findGrowthError(length, services.name) : undefined
    },
    assertRoomFor(state, name) {
      const error = findGrowthError(bytesOf(state), name)
      if (error) throw error
    },
    claimMemory,
    close: heap.close,
  }

  function claimMemory(): Claim {
    let own = 0
    return {
      add(bytes) {
        own += bytes
        claimed += bytes
        if (own <= CLAIM_SMALL_BYTES) return
        const isFull = total + claimed > claimedMax
        if (!isFull && heap.live() <= heap.max) return
        const needed = own
        release()
        throw tooFull(needed, isFull ? claimedMax : undefined)
      },
      release,
    }

    function release() {
      claimed -= own
      own = 0
    }
  }

  function measure(services: Services) {
    const { name } = services
    set(name, bytesOfWorld(services) + (longRows.get(name)?.bytes ?? 0))
  }

  function set(name: string, bytes: number) {
    total += bytes - (sizes.get(name) ?? 0)
    if (bytes === 0) sizes.delete(name)
    else sizes.set(name, bytes)
  }

  /** For what would take the place of a world. */
  function findGrowthError(bytes: number, name: string) {
    const more = bytes - (sizes.get(name) ?? 0)
    return more > 0 ? findError(more) : undefined
  }

  function findError(bytes: number) {
    if (total + bytes > bytesMax) return tooFull(bytes, bytesMax)
    return heap.live() + bytes > heap.max ? tooFull(bytes) : undefined
  }

  /** With the bound of what worlds hold, if that is met. */
  function tooFull(bytes: number, max?: number) {
    const held = max
      ? `The worlds of this process hold about ${toMegabytes(total)} MB`
      : `This process uses ${toMegabytes(heap.live())} MB of memory`
    const underWay = claimed > 0 ? `, calls under way need ${toMegabytes(claimed)} MB` : ''
    const message =
      `${held}${underWay}${bytes > 0 ? `, and this needs ${toMegabytes(bytes)} MB more` : ''}; ` +
      `${toMegabytes(max ?? heap.max)} MB are the most.`
    const hint =
      'DELETE /_sandbox/worlds/{name} or a reset makes room; so does more memory for Node: ' +
      'NODE_OPTIONS=--max-old-space-size=8192.'
    return new HttpError(507, 'world', `${message} ${hint}`, { code: 'worlds-full' })
  }
}

/** Does what needs memory for a moment. */
export function withClaim<Result>(
  room: WorldsRoom | undefined,
  bytes: number,
  act: () => Result,
): Result {
  const claim = room?.claimMemory()
  try {
    claim?.add(bytes)
    return act()
  } finally {
    claim?.release()
  }
}

/** What was in use after the last full collection, and what worlds have grown or shrunk by since. */
function watchHeap(total: () => number) {
  const all = oldSpaceBytes()
  const max = Math.min(all * LIVE_SHARE_MAX, all - FREE_MIN_BYTES)
  let measured = 0
  let totalThen = 0
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isFullCollection)) return
    measured = getHeapStatistics().used_heap_size
    totalThen = total()
  })
  observer.observe({ entryTypes: ['gc'] })
  return { max, live: () => measured + total() - totalThen, close: () => observer.disconnect() }
}

const isFullCollection = (entry: object) =>
  (entry as { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR

/** What a world with this state takes. */
export function bytesOf(state: State): number {
  let bytes = WORLD_BYTES + countLongRows(state)
  for (const [name, each] of Object.entries(BYTES)) {
    const rows: unknown = state[name as keyof State]
    if (Array.isArray(rows)) bytes += rows.length * each
  }
  return bytes
}

/** As a sum, not from a table: this is done for each call that may add something. */
function bytesOfWorld({ world, outbox, requests, timeline }: Services): number {
  return (
    WORLD_BYTES +
    world.users.length * BYTES.users +
    world.transactions.length * BYTES.transactions +
    world.quotes.size * BYTES.quotes +
    world.loginCodes.size * BYTES.loginCodes +
    world.kycLinks.size * BYTES.kycLinks +
    world.kybSubmissions.length * BYTES.kybSubmissions +
    Math.min(world.events.last, world.events.max) * BYTES.events +
    Math.min(world.messages.last, world.messages.max) * BYTES.messages +
    world.tasks.size * BYTES.tasks +
    Math.min(outbox.journal.last, outbox.journal.max) * BYTES.deliveries +
    Math.min(requests.last, REQUESTS_MAX) * BYTES.requests +
    Math.min(timeline.actions.last, ACTIONS_MAX) * BYTES.actions +
    timeline.runsOfActions * BYTES.runs
  )
}

const toMegabytes = (bytes: number) => Math.ceil(bytes / 1e6)
