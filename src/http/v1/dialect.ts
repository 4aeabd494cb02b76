import * as z from 'zod'
import { named } from '../../control-api/schema.ts'
import type { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { TransactionUpdate } from '../../world/event-types.ts'
import { Email } from '../../world/fields.ts'
import { PROFILE_FIELD_NAMES, toV1Name } from '../../world/profile.ts'
import { CONTRACT_OPERATIONS, type WebhookId } from '../../world/settings/operations.ts'
import { LEGACY_HOOK_TYPES, type LegacyHook } from '../../world/state.ts'
import { isShutDown, sunsetAt, V1_DEPRECATED_AT } from '../../world/sunset.ts'
import type { World } from '../../world/world.ts'
import type { AvailabilityCheck, Dialect, WebhookDescription } from '../dialect.ts'
import { noteSunset } from '../notes.ts'
import { operationIn } from '../operation.ts'
import { contractStatusOf, HttpError } from '../status.ts'
import { type PlainError, PlainFailure, toPlainError } from '../unversioned.ts'

/** The bodies of legacy webhooks, which have no envelope. */
const UserVerified = () =>
  named('V1UserVerified', {
    email: Email(),
    status: z.literal('verified').describe('The status that the user has now.'),
  })

function V1TransactionUpdate() {
  const { shape } = TransactionUpdate()
  return named('V1TransactionUpdate', {
    txId: shape.transactionId,
    status: shape.status,
    email: shape.email,
    wallet: shape.wallet,
    paymentId: shape.paymentId,
    leftSideLabel: shape.leftSideLabel,
    leftSideValue: shape.leftSideValue,
    rightSideLabel: shape.rightSideLabel,
    rightSideValue: shape.rightSideValue,
    etransferSecurityAnswer: shape.etransferSecurityAnswer,
    externalSessionId: shape.externalSessionId,
  })
}

const PAYLOADS = { 'user.update': UserVerified, 'transaction.update': V1TransactionUpdate }

const IDS: Readonly<Record<LegacyHook, WebhookId>> = {
  verifiedEmail: 'onV1UserVerified',
  transactionInitiated: 'onV1TransactionInitiated',
  transactionComplete: 'onV1TransactionComplete',
  transactionStatusUpdate: 'onV1TransactionStatusUpdate',
}

/** A legacy webhook, by the name that its switch begins with. */
function legacyWebhook(hook: LegacyHook, summary: string, says: string): WebhookDescription {
  return {
    id: IDS[hook],
    ref: 'Events: Legacy v1 webhooks',
    deprecated: true,
    summary,
    about: `${says} It is sent while \`${hook}Enabled\` is on.`,
    body: PAYLOADS[LEGACY_HOOK_TYPES[hook]],
  }
}

const webhooks: Readonly<Record<string, WebhookDescription>> = {
  'v1.verifiedEmail': legacyWebhook(
    'verifiedEmail',
    'A user is verified (v1: User Verified)',
    'Reports that a user is verified.',
  ),
  'v1.transactionInitiated': legacyWebhook(
    'transactionInitiated',
    'A transaction was created (v1: Transaction Initiated)',
    'Reports that a transaction was created.',
  ),
  'v1.transactionComplete': legacyWebhook(
    'transactionComplete',
    'A transaction is complete (v1: Transaction Complete)',
    'Reports that a transaction is complete.',
  ),
  'v1.transactionStatusUpdate': legacyWebhook(
    'transactionStatusUpdate',
    'The status of a transaction changed (v1: Transaction Status Update)',
    'Reports every change of a transaction’s status.',
  ),
}

/** The legacy dialect: `{ message, status, … }` or the plain payload, until the sunset. */
const dialect: Dialect = {
  name: 'v1',
  isContract: true,
  checksUnknownFields: false,
  errorType: 'application/json',
  success: (data) => data,
  statusOf: contractStatusOf,
  error: toError,
  headers: sunsetHeaders,
  assertAvailable: assertBeforeSunset,
  describe: {
    success: (data = {}) => data,
    error: PlainFailure,
    headers: ['deprecation', 'sunset'],
    webhooks,
  },
}

export const operation = operationIn(dialect, CONTRACT_OPERATIONS)

/** v1's names of what v2 renamed (contract, Versioning: 3). */
const V1_NAMES: Readonly<Record<string, string>> = {
  shareToken: 'share_token',
  txId: 'tx_id',
  ...Object.fromEntries(PROFILE_FIELD_NAMES.map((name) => [name, toV1Name(name)])),
}
const RENAMED = new RegExp(`\\b(${Object.keys(V1_NAMES).join('|')})\\b`, 'g')

/** The contract shows it for malformed and expired tokens; the sandbox uses it for all causes. */
const IMPORT_ERROR = 'Sumsub error code: 10503, Sumsub error description: '
const NOT_IMPORTED = 'User could not be imported.'

function toError(error: DomainError): PlainError {
  const { message, status } = toPlainError(error)
  const { code } = error
  if (code === 'unknown-applicant') return { message, status: NOT_IMPORTED }
  if (code === 'invalid-share-token') {
    return { message: IMPORT_ERROR + message, status: NOT_IMPORTED }
  }
  // Errors of HTTP name paths and headers, and 410 names a path of v2; those stay as they are.
  if (error instanceof HttpError) return { message, status }
  return { message: message.replace(RENAMED, (name) => V1_NAMES[name] ?? name), status }
}

/** Headers of every response of v1: RFC 9745 (`@` and Unix seconds) and RFC 8594 (an HTTP date). */
function sunsetHeaders(world: World): Record<string, string> {
  return {
    deprecation: `@${V1_DEPRECATED_AT / 1000}`,
    sunset: new Date(sunsetAt(world)).toUTCString(),
  }
}

/** Once v1 is shut down, each of its operations responds with 410 and names its successor. */
function assertBeforeSunset(call: AvailabilityCheck, { successor }: { successor?: string }): void {
  const { world } = call
  if (world.now < sunsetAt(world)) return
  if (!isShutDown(world)) {
    noteSunset(call)
    return
  }
  const at = formatInstant(sunsetAt(world))
  throw new HttpError(410, 'path', `v1 was shut down at ${at}. Use ${successor} instead.`, {
    code: 'v1-shut-down',
    hint: 'The setting v1.sunset=extended keeps v1 available.',
  })
}
