import { getHeapStatistics } from 'node:v8'
import { REQUESTS_MAX } from '../engine/request-journal.ts'
import type { Services } from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import type { State } from '../world/state.ts'

/** How much of the memory that Node may use the worlds of a process may hold, by estimate. */
const HEAP_SHARE_MAX = 0.6

/** What a row takes in memory with its indexes, in bytes: measured, and rounded up. */
const BYTES = {
  users: 1_400,
  transactions: 1_500,
  quotes: 600,
  loginCodes: 400,
  kycLinks: 300,
  kybSubmissions: 4_000,
  events: 1_000,
  messages: 700,
  tasks: 300,
  deliveries: 2_500,
  requests: 2_500,
}
type Counts = Partial<Record<keyof typeof BYTES, number>>
/** An empty world with all that belongs to it. */
const WORLD_BYTES = 32_000

/** A bound on what all worlds of a process hold together. */
export interface WorldsRoom {
  /** Counts a world anew, after it may have grown or shrunk. */
  measure(services: Services): void
  forget(name: string): void
  /** 507 when so many bytes more are too many; 0 asks whether the bound is passed already. */
  findError(bytes: number): HttpError | undefined
  /** Throws it for a state that takes the place of a world's. */
  assertRoomFor(state: State, name: string): void
}

export function createRoom(
  bytesMax = Math.round(getHeapStatistics().heap_size_limit * HEAP_SHARE_MAX),
): WorldsRoom {
  const sizes = new Map<string, number>()
  let total = 0
  return {
    measure(services) {
      set(services.name, toBytes(countWorld(services)))
    },
    forget: (name) => set(name, 0),
    findError,
    assertRoomFor(state, name) {
      const more = bytesOf(state) - (sizes.get(name) ?? 0)
      const error = more > 0 ? findError(more) : undefined
      if (error) throw error
    },
  }

  function set(name: string, bytes: number) {
    total += bytes - (sizes.get(name) ?? 0)
    if (bytes === 0) sizes.delete(name)
    else sizes.set(name, bytes)
  }

  function findError(bytes: number) {
    if (total + bytes <= bytesMax) return undefined
    const message =
      `The worlds of this process hold about ${toMegabytes(total)} MB` +
      `${bytes > 0 ? `, and this needs ${toMegabytes(bytes)} MB more` : ''}; ` +
      `${toMegabytes(bytesMax)} MB are the most.`
    const hint =
      'DELETE /_sandbox/worlds/{name} or a reset makes room; so does more memory for Node.'
    return new HttpError(507, 'world', `${message} ${hint}`, { code: 'worlds-full' })
  }
}

/** What a world with this state takes. */
export function bytesOf(state: State): number {
  const { users, transactions, quotes, loginCodes, kycLinks, kybSubmissions } = state
  const counts = { users, transactions, quotes, loginCodes, kycLinks, kybSubmissions }
  const { events, messages, tasks } = state
  const rows = Object.entries({ ...counts, events, messages, tasks })
  return toBytes(Object.fromEntries(rows.map(([name, list]) => [name, list.length])))
}

function countWorld({ world, outbox, requests }: Services): Counts {
  return {
    users: world.users.length,
    transactions: world.transactions.length,
    quotes: world.quotes.size,
    loginCodes: world.loginCodes.size,
    kycLinks: world.kycLinks.size,
    kybSubmissions: world.kybSubmissions.length,
    events: Math.min(world.events.last, world.events.max),
    messages: Math.min(world.messages.last, world.messages.max),
    tasks: world.tasks.size,
    deliveries: Math.min(outbox.journal.last, outbox.journal.max),
    requests: Math.min(requests.last, REQUESTS_MAX),
  }
}

function toBytes(counts: Counts): number {
  let bytes = WORLD_BYTES
  for (const name in counts)
    bytes += BYTES[name as keyof Counts] * (counts[name as keyof Counts] ?? 0)
  return bytes
}

const toMegabytes = (bytes: number) => Math.ceil(bytes / 1e6)
