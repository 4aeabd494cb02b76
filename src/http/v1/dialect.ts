import type { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import type { Settings } from '../../world/settings/index.ts'
import { isShutDown, sunsetAt, V1_DEPRECATED_AT } from '../../world/sunset.ts'
import type { World } from '../../world/world.ts'
import { type Dialect, type Operation, operationsOf } from '../operation.ts'
import { contractStatusOf, HttpError } from '../status.ts'
import { Plain, type PlainError, toPlainError } from '../unversioned.ts'
import { toV1Sentence } from './names.ts'

/** The legacy dialect: `{ message, status, … }` or the plain payload, until the sunset. */
const v1: Dialect = {
  name: 'v1',
  journalled: true,
  errorType: 'application/json',
  success: (data) => data,
  describe: {
    success: (data) => data,
    refusal: Plain,
    assumptions: ['errors.v1', 'errors.validation', 'requests.perMinute'],
    errors: { 410: 'v1 was shut down (under the setting `v1.sunset`).' },
  },
  statusOf: toV1Status,
  refusal: toV1Refusal,
  headers: announceSunset,
  refuse: refuseAfterSunset,
}

export const operation = operationsOf(v1)

function toV1Refusal(refusal: DomainError): PlainError {
  const { message, status } = toPlainError(refusal)
  const { code = '' } = refusal.detail
  if (code.startsWith('share-token-')) {
    const isOurs = code === 'share-token-no-user'
    return { message: isOurs ? message : IMPORT_ERROR + message, status: NOT_IMPORTED }
  }
  // What HTTP refuses already speaks of paths and headers, and a 410 of v2's.
  return { message: refusal instanceof HttpError ? message : toV1Sentence(message), status }
}

function toV1Status(refusal: DomainError, settings: Settings): number {
  const isPlain = settings['errors.v1'] === '400' && !(refusal instanceof HttpError)
  return isPlain ? 400 : contractStatusOf(refusal, settings)
}

/** Published for a token that is malformed or expired; the other causes carry it too. */
const IMPORT_ERROR = 'Sumsub error code: 10503, Sumsub error description: '
const NOT_IMPORTED = 'User could not be imported.'

/** RFC 9745 (a date as `@` and Unix seconds) and RFC 8594 (an HTTP date). */
function announceSunset(world: World): Record<string, string> {
  return {
    deprecation: `@${V1_DEPRECATED_AT / 1000}`,
    sunset: new Date(sunsetAt(world)).toUTCString(),
  }
}

function refuseAfterSunset(world: World, operation: Operation): void {
  if (!isShutDown(world)) return
  const at = formatInstant(sunsetAt(world))
  throw new HttpError(
    410,
    'path',
    `v1 was shut down at ${at}. Use ${operation.successor} instead.`,
    {
      rule: 'Versioning: 4',
      hint: 'The setting v1.sunset=extended keeps v1 answering.',
    },
  )
}
