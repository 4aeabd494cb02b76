import type { Context } from 'hono'
import { DomainError } from '../../world/domain-error.ts'
import { describeUnknownIntegrator } from '../../world/orders.ts'
import type { Integrator } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import { originOf } from '../contract.ts'
import type { Env } from '../operation.ts'
import type { Services } from '../services.ts'

/** The base URL of this world, or of another prefix, at the address the caller reached it by. */
export function baseUrlOf(c: Context<Env>, prefix = c.env.prefix): string {
  return `${originOf(c)}${prefix}`
}

/**
 * Origin at which this process reaches itself: it may listen on one host only, or only on `::1`.
 * Undefined where it does not listen.
 */
export function ownOriginOf({ env }: Context<Env>, { webhookRules }: Services): string | undefined {
  const { ownPort, ownCertificate } = webhookRules
  const port = ownPort?.()
  if (port === undefined) return undefined
  const isV6 = env.socket?.incoming.socket.localAddress === '::1'
  const host = env.control.ownHost ?? (isV6 ? '::1' : '127.0.0.1')
  const scheme = ownCertificate === undefined ? 'http' : 'https'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Context of a request: a world, at the address by which it was reached. */
export interface RequestContext {
  services: Services
  baseUrl: string
}

export const requestContext = (c: Context<Env>): RequestContext => ({
  services: c.env.services,
  baseUrl: baseUrlOf(c),
})

/** The integrator of this name; the first one where none is named. */
export function getIntegrator(world: World, name = world.integrators[0]?.name ?? ''): Integrator {
  const found = world.integratorsByName.get(name)
  if (found) return found
  const message = describeUnknownIntegrator(name, [...world.integratorsByName.keys()])
  throw new DomainError('not-found', message, { field: 'integrator' })
}
