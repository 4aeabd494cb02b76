import { formatInstant, parseInstant } from './duration.ts'
import type { World } from './world.ts'

/** From 24 July 2026 v1 gets no updates (contract, Versioning: 4). */
export const V1_DEPRECATED_AT = Date.UTC(2026, 6, 24)
/** v1 is shut down on 21 August 2026; by the strictest reading at the first instant of that day. */
const CONTRACT_SUNSET_AT = Date.UTC(2026, 7, 21)

/** Announced end of v1. An extension does not change the announced date. */
export function sunsetAt({ settings }: World): number {
  return parseInstant(settings['v1.sunset']) ?? CONTRACT_SUNSET_AT
}

/** Returns true if v1 has been shut down in this world, now or at another instant. */
export function isShutDown(world: World, at = world.now): boolean {
  return !isExtended(world) && at >= sunsetAt(world)
}

const isExtended = ({ settings }: World) => settings['v1.sunset'] === 'extended'

export interface Sunset {
  deprecatedAt: string
  sunsetAt: string
  side: 'before' | 'after'
  /** True while v1 responds. With an extension that includes the time after the sunset. */
  responds: boolean
  sentence: string
}

/** Describes for people whether v1 is before or after its sunset. */
export function describeSunset(world: World): Sunset {
  const at = formatInstant(sunsetAt(world))
  const side = world.now < sunsetAt(world) ? 'before' : 'after'
  return {
    deprecatedAt: formatInstant(V1_DEPRECATED_AT),
    sunsetAt: at,
    side,
    responds: !isShutDown(world),
    sentence: isExtended(world) ? EXTENDED[side](at) : STRICT[side](at),
  }
}

/** True where v1 responds after its end, and nobody chose that. */
export const isUnnoticed = (world: World): boolean =>
  isExtended(world) && world.now >= sunsetAt(world) && !('v1.sunset' in world.changedSettings)

const STRICT = {
  before: (at: string) => `v1 responds until ${at}, world time.`,
  after: (at: string) =>
    `v1 was shut down at ${at}, world time. Start with an earlier --clock to use it, or set v1.sunset=extended.`,
}

const EXTENDED = {
  before: (at: string) =>
    `v1 responds. The contract ends it at ${at}, but this sandbox keeps it running (v1.sunset is extended).`,
  after: (at: string) =>
    `v1 still responds, although the contract’s shutdown date (${at.slice(0, 10)}) has passed. To test its shutdown, set v1.sunset=contract.`,
}
