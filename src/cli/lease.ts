import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { connectSandbox } from '../client/connect.ts'
import { SandboxError } from '../client/error.ts'
import type { LeaseCredentials } from '../http/control/wire.ts'
import { DomainError } from '../world/domain-error.ts'
import { invalid } from './option-values.ts'
import { listGiven, type ServingValues } from './serving.ts'

/** How long its world outlives a command that was killed. */
const TTL = '10m'
const RENEW_EVERY_MS = 60_000

/** What describes the world itself, so that it can be asked of a sandbox that runs. */
const WORLD_OPTIONS = ['fixture', 'seed', 'clock'] as const
const OTHER_OPTIONS = ['lease', 'verbose', 'control-token', 'control-token-file']

interface LeaseOptions {
  values: ServingValues
  controlToken: string | undefined
}

export async function takeLease(url: string, options: LeaseOptions) {
  assertPossible(options.values)
  return await take(url, options).catch((error: unknown) => {
    if (!(error instanceof SandboxError)) throw error
    throw new DomainError('conflict', '--lease', error.message)
  })
}

async function take(url: string, { values, controlToken }: LeaseOptions) {
  const root = url.replace(/\/(w\/[^/]*\/?)?$/, '')
  // Below the path of its world, because a proxy may choose the process by that.
  const world = `exec-${randomBytes(6).toString('hex')}`
  const main = connectSandbox(`${root}/w/${world}`, { controlToken })
  const body = { ttl: TTL, owner: hostname().slice(0, 64) || 'exec' }
  const lease = await main.control<LeaseCredentials>('POST', '/leases', { body })
  const { control, reset } = connectSandbox(lease)
  const { fixture, seed, clock } = values
  if (fixture ?? seed ?? clock) await reset({ fixture, seed, clock })
  const renew = () => void control('PATCH', `/leases/${lease.id}`).catch(() => undefined)
  const timer = setInterval(renew, RENEW_EVERY_MS).unref()
  return {
    lease,
    async end() {
      clearInterval(timer)
      // Without an answer it ends by itself.
      await control('DELETE', `/leases/${lease.id}`).catch(() => undefined)
    },
  }
}

function assertPossible(values: ServingValues) {
  const possible: readonly string[] = [...WORLD_OPTIONS, ...OTHER_OPTIONS]
  const wrong = listGiven(values).find((name) => !possible.includes(name))
  if (wrong === undefined) return
  const message = `exec --lease uses a sandbox that runs, so it takes no --${wrong}.`
  throw invalid(`--${wrong}`, message)
}
