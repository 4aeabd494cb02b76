import type { DomainError } from '../../world/domain-error.ts'
import { PROFILE_FIELD_NAMES, toV1Name } from '../../world/profile.ts'
import { findError } from '../../world/settings/errors.ts'
import type { Settings } from '../../world/settings/index.ts'
import type { Dialect } from '../dialect.ts'
import { operationIn } from '../operation.ts'
import { contractStatusOf, HttpError } from '../status.ts'
import { Plain, type PlainError, toPlainError } from '../unversioned.ts'
import { webhookDescriptions } from './events.ts'
import { assertBeforeSunset, sunsetHeaders } from './sunset.ts'

/** The legacy dialect: `{ message, status, … }` or the plain payload, until the sunset. */
const dialect: Dialect = {
  name: 'v1',
  journalled: true,
  checksUnknownFields: false,
  errorType: 'application/json',
  success: (data) => data,
  statusOf: toStatus,
  error: toError,
  headers: sunsetHeaders,
  assertAvailable: assertBeforeSunset,
  describe: {
    success: (data) => data,
    error: Plain,
    tag: 'Legacy v1',
    headers: ['deprecation', 'sunset'],
    webhooks: webhookDescriptions,
  },
}

export const operation = operationIn(dialect)

/** v1's names of what v2 renamed (contract, Versioning: 3). */
const V1_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PROFILE_FIELD_NAMES.map((name) => [name, toV1Name(name)])),
  shareToken: 'share_token',
  txId: 'tx_id',
}
const RENAMED = new RegExp(`\\b(${Object.keys(V1_NAMES).join('|')})\\b`, 'g')

/** Published for a token that is malformed or expired; the other causes carry it too. */
const IMPORT_ERROR = 'Sumsub error code: 10503, Sumsub error description: '
const NOT_IMPORTED = 'User could not be imported.'

function toError(error: DomainError): PlainError {
  const { message, status } = toPlainError(error)
  const { code } = error
  if (code === 'unknown-applicant') return { message, status: NOT_IMPORTED }
  if (code === 'invalid-share-token') {
    return { message: IMPORT_ERROR + message, status: NOT_IMPORTED }
  }
  // An error of HTTP names paths and headers, and a 410 names a path of v2.
  if (error instanceof HttpError) return { message, status }
  return { message: message.replace(RENAMED, (name) => V1_NAMES[name] ?? name), status }
}

function toStatus(code: string, settings: Settings): number | undefined {
  const isPlain = settings['errors.v1'] === '400' && findError(code)?.http === undefined
  return isPlain ? 400 : contractStatusOf(code, settings)
}
