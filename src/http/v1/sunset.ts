import { formatInstant } from '../../world/duration.ts'
import { isShutDown, sunsetAt, V1_DEPRECATED_AT } from '../../world/sunset.ts'
import type { World } from '../../world/world.ts'
import type { AvailabilityCheck } from '../dialect.ts'
import { HttpError } from '../status.ts'

/** Headers of every answer of v1: RFC 9745 (`@` and Unix seconds) and RFC 8594 (an HTTP date). */
export function sunsetHeaders(world: World): Record<string, string> {
  return {
    deprecation: `@${V1_DEPRECATED_AT / 1000}`,
    sunset: new Date(sunsetAt(world)).toUTCString(),
  }
}

/** Once v1 is shut down, each of its operations answers 410 and names its successor. */
export function assertBeforeSunset(
  call: AvailabilityCheck,
  { successor }: { successor?: string },
): void {
  const { world } = call
  if (world.now < sunsetAt(world)) return
  if (!isShutDown(world)) {
    call.assume('v1.sunset')
    return
  }
  const at = formatInstant(sunsetAt(world))
  throw new HttpError(410, 'path', `v1 was shut down at ${at}. Use ${successor} instead.`, {
    code: 'v1-shut-down',
    hint: 'The setting v1.sunset=extended keeps v1 answering.',
  })
}
