import { createHmac, timingSafeEqual } from 'node:crypto'
import { nanoid } from 'nanoid'
import type { Lease, LeaseList, LeaseRequest } from '../http/services.ts'
import { realTime } from '../real-time.ts'
import type { KeptLease } from '../store/replay.ts'
import type { Store } from '../store/store.ts'
import { DomainError } from '../world/domain-error.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { WORLDS_MAX } from './errors.ts'

/** Leases that ended early and are remembered, so that their credentials stay without effect. */
const ENDED_MAX = 10_000
const SWEEP_EVERY_MS = 1_000
/** What a renewal adds at least to be written down: or every read would wait for the disk. */
const KEEP_MIN_MS = 1_000
const ID_LENGTH = 12

export interface LeasesOptions {
  /** The main control token, which all processes behind one proxy share. */
  token: string | undefined
  wallClock: () => number
  hasWorld(name: string): boolean
  endWorld(name: string): Promise<void>
  /** Keeps leases on disk. */
  store: Pick<Store, 'leases' | 'keepLease' | 'dropLease'> | undefined
}

/** The leases of a process. */
export interface HostLeases extends LeaseList {
  find(world: string): HostedLease | undefined
  /** The lease that one of these credentials is of. */
  claim(world: string, credentials: readonly (string | undefined)[]): HostedLease | undefined
  /** Ends the lease of a world if its time is over. */
  sweep(world: string): void
  close(): void
}

export interface HostedLease extends Lease {
  /** Random to everyone else, so that nobody can guess the links of its world. */
  readonly seed: string
  /** How long it was to live when it was made. */
  readonly firstTtlMs: number
}

/**
 * Credentials say by themselves what they are for and are signed with the main control token. So
 * another process with that token, to which a proxy may send the world, knows them too.
 */
export function createLeases(options: LeasesOptions): HostLeases {
  const { token, wallClock, hasWorld, endWorld, store } = options
  const byWorld = new Map<string, HostedLease>()
  const ended = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  for (const lease of [...(store?.leases.values() ?? [])]) goOn(lease)

  return {
    create,
    list: () => [...byWorld.values()],
    get,
    renew,
    end,
    find: (world) => byWorld.get(world),
    claim,
    sweep,
    close: () => realTime.clearInterval(timer),
  }

  /** A lease from the data file has what was left of its time. */
  function goOn(kept: KeptLease) {
    const { id, world, owner, createdAt, firstTtlMs, ttlMs, endedUntil } = kept
    if (endedUntil !== null) ended.set(id, endedUntil)
    else if (token) {
      const lease = add(world, toPayload([id, owner, firstTtlMs, createdAt]), token)
      // A file that was written before this was in it.
      const { expiresAt = wallClock() + ttlMs } = kept
      Object.assign(lease, { ttlMs, expiresAt })
    }
  }

  function create({ world, owner, ttlMs }: LeaseRequest): Lease {
    const id = nanoid(ID_LENGTH)
    const name = world ?? `lease-${id}`
    if (token === undefined) {
      const message = 'Leases need a control token: without one everyone reaches every world.'
      throw new DomainError('conflict', 'lease', message, { code: 'no-control-token' })
    }
    if (hasWorld(name) || byWorld.has(name)) {
      const message = `There is a world ${name} already; a lease needs one of its own.`
      throw new DomainError('conflict', 'world', message, { code: 'world-exists' })
    }
    if (byWorld.size >= WORLDS_MAX) {
      const message = `At most ${WORLDS_MAX} leases may exist at once; end one first.`
      throw new DomainError('conflict', 'lease', message, { code: 'too-many-leases' })
    }
    const lease = add(name, toPayload([`lse_${id}`, owner, ttlMs, wallClock()]), token)
    keep(lease)
    return lease
  }

  function add(world: string, payload: string, secret: string): HostedLease {
    const [id, owner, ttlMs, createdAt] = toClaims(payload)
    const sign = (kind: string) => signText([kind, world, payload].join(' '), secret)
    const lease: HostedLease = {
      id,
      world,
      owner,
      createdAt,
      firstTtlMs: ttlMs,
      ttlMs,
      expiresAt: createdAt + ttlMs,
      apiKey: `lease_${payload}.${sign('key')}`,
      controlToken: `lease_${payload}.${sign('control')}`,
      seed: sign('seed'),
    }
    byWorld.set(world, lease)
    timer ??= realTime.setInterval(sweepAll, SWEEP_EVERY_MS).unref()
    return lease
  }

  /** Its credentials stay out of the file: they follow from the main control token. */
  function keep(lease: HostedLease, endedUntil: number | null = null) {
    const { id, world, owner, createdAt, firstTtlMs, ttlMs, expiresAt } = lease
    store?.keepLease({ id, world, owner, createdAt, firstTtlMs, ttlMs, expiresAt, endedUntil })
  }

  function claim(
    world: string,
    credentials: readonly (string | undefined)[],
  ): HostedLease | undefined {
    if (token === undefined || byWorld.has(world)) return byWorld.get(world)
    const payload = credentials.map((sent) => readPayload(world, sent, token)).find(Boolean)
    if (payload === undefined) return undefined
    const [id, , ttlMs, createdAt] = toClaims(payload)
    const isOver = ended.has(id) || wallClock() >= createdAt + ttlMs
    if (isOver || hasWorld(world)) return undefined
    const lease = add(world, payload, token)
    keep(lease)
    return lease
  }

  function get(id: string): HostedLease {
    const lease = [...byWorld.values()].find((each) => each.id === id)
    if (lease) return lease
    throw new DomainError('not-found', 'id', `There is no lease ${id} in this process.`)
  }

  function renew(lease: Lease, ttlMs = lease.ttlMs) {
    lease.expiresAt = wallClock() + ttlMs
    lease.ttlMs = ttlMs
    const hosted = byWorld.get(lease.world)
    // One that ended while a call of it was under way stays ended.
    if (hosted?.id !== lease.id) return
    const { expiresAt = 0, ttlMs: keptMs } = store?.leases.get(lease.id) ?? {}
    if (keptMs !== ttlMs || lease.expiresAt - expiresAt >= KEEP_MIN_MS) keep(hosted)
  }

  async function end({ world }: Lease) {
    const lease = byWorld.get(world)
    if (lease === undefined) return
    byWorld.delete(world)
    const until = lease.createdAt + lease.firstTtlMs
    ended.set(lease.id, until)
    keep(lease, until)
    forgetEnded()
    if (hasWorld(world)) await endWorld(world)
  }

  /** Credentials whose first length is over are without effect in any case. */
  function forgetEnded() {
    for (const [id, until] of ended) {
      if (until > wallClock() && ended.size <= ENDED_MAX) continue
      ended.delete(id)
      store?.dropLease(id)
    }
  }

  function sweep(world: string) {
    const lease = byWorld.get(world)
    if (lease && lease.expiresAt <= wallClock()) void end(lease)
  }

  function sweepAll() {
    for (const world of [...byWorld.keys()]) sweep(world)
    forgetEnded()
  }
}

/** How a leased world starts: nobody gets in without its key, and nothing leaves unasked. */
export function toLeasedStart({ seed }: HostedLease, settings: Record<string, SettingValue>) {
  const strict = { ...settings, 'v1.priceQuote.key': 'required' }
  return { seed, settings: strict, webhooks: undefined }
}

type Claims = [id: string, owner: string | null, ttlMs: number, createdAt: number]

const toPayload = (claims: Claims) => Buffer.from(JSON.stringify(claims)).toString('base64url')
const toClaims = (payload: string): Claims =>
  JSON.parse(Buffer.from(payload, 'base64url').toString())

/** What a credential says, if it was signed here for this world. */
function readPayload(world: string, credential: string | undefined, secret: string) {
  const [, payload, signature = ''] =
    /^lease_([\w-]+)\.([\w-]+)(?:\.\d+)?$/.exec(credential ?? '') ?? []
  if (payload === undefined) return undefined
  const isSigned = ['key', 'control'].some((kind) =>
    isSame(signature, signText([kind, world, payload].join(' '), secret)),
  )
  return isSigned ? payload : undefined
}

const signText = (text: string, secret: string) =>
  createHmac('sha256', secret).update(`ramp-sandbox lease ${text}`).digest('base64url')

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
