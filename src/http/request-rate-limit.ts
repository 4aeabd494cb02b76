import type { Integrator } from '../world/state.ts'
import type { World } from '../world/world.ts'
import { HttpError } from './status.ts'

const MINUTE_MS = 60_000

/** Calls of each integrator in the current minute of world time. */
const counts = new WeakMap<Integrator, { minute: number; calls: number }>()

/** Throws when an integrator has made more calls in this minute than the setting allows. */
export function assertRequestRate({ now, settings }: World, integrator: Integrator): void {
  const callsMax = settings['requests.perMinute']
  if (callsMax === 0) return
  const minute = Math.floor(now / MINUTE_MS)
  const before = counts.get(integrator)
  const calls = before?.minute === minute ? before.calls + 1 : 1
  counts.set(integrator, { minute, calls })
  if (calls <= callsMax) return
  const seconds = Math.ceil(((minute + 1) * MINUTE_MS - now) / 1000)
  throw new HttpError(429, 'requests', `At most ${callsMax} calls may be made in a minute.`, {
    rule: 'Limits: Request rate limits',
    hint: `The next minute of world time begins in ${seconds} s; the clock can be advanced.`,
    headers: { 'retry-after': String(seconds) },
  })
}
