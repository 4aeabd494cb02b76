import type { Context } from 'hono'
import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { formatDuration } from '../../world/duration.ts'
import type { Call } from '../operation.ts'
import type { Env, Lease } from '../services.ts'
import { titled } from '../titled.ts'
import { type ControlCaller, requireMainControl } from './auth.ts'
import { operation } from './dialect.ts'
import { ListOf, toList } from './page.ts'
import { baseUrlOf, Duration, NAME, WallTime } from './shapes.ts'

const path = '/_sandbox/leases'
const TTL_MIN_MS = 1_000
const TTL_MAX_MS = 30 * 24 * 3_600_000

const Ttl = () =>
  Duration().refine((ms) => ms >= TTL_MIN_MS && ms <= TTL_MAX_MS, {
    error: `must be from ${formatDuration(TTL_MIN_MS)} to ${formatDuration(TTL_MAX_MS)}`,
  })

const CreateLease = () =>
  z.strictObject({
    world: z.string().regex(NAME, { error: 'must be a name as in /w/worker-1' }).optional(),
    ttl: Ttl(),
    owner: z.string().min(1).max(64).optional(),
  })

const leaseFields = () => ({
  id: z.string(),
  world: z.string(),
  baseUrl: z.url(),
  leaseUrl: z.url(),
  owner: z.string().nullable(),
  ttl: z.string(),
  createdAt: WallTime(),
  expiresAt: WallTime(),
})
const LeaseRecord = () => titled('LeaseRecord', leaseFields())
export const LeaseCredentials = () =>
  titled('LeaseCredentials', {
    ...leaseFields(),
    apiKey: z.string(),
    controlToken: z.string(),
    controlUrl: z.url(),
  })
export type LeaseCredentials = z.output<ReturnType<typeof LeaseCredentials>>

export const leases = [
  operation('POST', path, {
    id: 'createLease',
    summary: 'Lend a world of its own to somebody, with credentials that reach it alone',
    auth: requireMainControl,
    body: CreateLease,
    answer: LeaseCredentials,
    errors: { conflict: 'The world exists, or the sandbox has no control token.' },
    handle({ c, input: { body } }) {
      const world = body.world ?? (c.env.prefix === '' ? undefined : c.env.prefix.slice(3))
      if (world === 'default') {
        throw new DomainError('conflict', 'world', 'The world default is everybody’s.')
      }
      const { owner = null, ttl: ttlMs } = body
      const lease = c.env.control.leases.create({ world, owner, ttlMs })
      const { apiKey, controlToken } = lease
      const record = presentLease(c, lease)
      return { ...record, apiKey, controlToken, controlUrl: `${record.baseUrl}/_sandbox` }
    },
  }),
  operation('GET', path, {
    id: 'listLeases',
    summary: 'List the leases of this process',
    auth: requireMainControl,
    answer: () => ListOf(LeaseRecord()),
    handle: ({ c }) => toList(c.env.control.leases.list().map((lease) => presentLease(c, lease))),
  }),
  operation('PATCH', `${path}/:id`, {
    id: 'renewLease',
    summary: 'Renew a lease, or change how long it lives',
    body: () => z.strictObject({ ttl: Ttl().optional() }),
    answer: LeaseRecord,
    errors: { 'not-found': 'There is no such lease.' },
    handle({ c, who, param, input }) {
      const lease = getLease(c, who, param)
      c.env.control.leases.renew(lease, input.body.ttl)
      return presentLease(c, lease)
    },
  }),
  operation('DELETE', `${path}/:id`, {
    id: 'endLease',
    summary: 'End a lease, and its world',
    answer: () => z.strictObject({ deleted: z.string() }),
    errors: { 'not-found': 'There is no such lease.' },
    async handle({ c, who, param }) {
      const lease = getLease(c, who, param)
      await c.env.control.leases.end(lease)
      return { deleted: lease.id }
    },
  }),
]

/** The holder of a lease finds no other. */
function getLease(c: Context<Env>, { lease }: ControlCaller, param: Call['param']): Lease {
  const id = param('id')
  if (lease === undefined) return c.env.control.leases.get(id)
  if (lease.id === id) return lease
  throw new DomainError('not-found', 'id', `There is no lease ${id} in this process.`)
}

function presentLease(c: Context<Env>, lease: Lease) {
  const { id, world, owner, ttlMs, createdAt, expiresAt } = lease
  const baseUrl = baseUrlOf(c, `/w/${world}`)
  return {
    id,
    world,
    baseUrl,
    leaseUrl: `${baseUrl}${path}/${id}`,
    owner,
    ttl: formatDuration(ttlMs),
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}
