import * as z from 'zod'
import type { SettingId } from '../../world/settings/index.ts'
import { MOVING } from '../assumptions.ts'
import type { JsonSchema } from '../operation.ts'

import { TransactionPayload, UserPayload } from '../payloads.ts'
import { describeAssumption } from './assumptions.ts'
import { exampleOf } from './examples.ts'
import type { Described } from './responses.ts'

const SECURITY_ANSWER = 'etransferSecurityAnswer'

interface Webhook {
  id: string
  summary: string
  assumptions: readonly SettingId[]
  payload(): z.ZodType
  isLegacy: boolean
}

const LegacyUser = () => UserPayload().omit({ userId: true }).meta({ title: 'V1UserVerified' })

function LegacyTransaction() {
  const { transactionId, ...shape } = TransactionPayload().shape
  return z.strictObject({ txId: transactionId, ...shape }).meta({ title: 'V1TransactionUpdate' })
}

const NAMING: readonly SettingId[] = ['names.headerPrefix', 'webhooks.timeout']
const TELLING: readonly SettingId[] = [
  'names.securityAnswerField',
  'transactions.securityAnswer',
  ...MOVING,
]
const LEGACY: readonly SettingId[] = [...NAMING, ...TELLING, 'v1.hooksAfterSunset']

const WEBHOOKS: Readonly<Record<string, Webhook>> = {
  'user.update': {
    id: 'onUserUpdate',
    assumptions: [...NAMING, 'names.envelopeId'],
    summary: 'The status of a user changed',
    payload: UserPayload,
    isLegacy: false,
  },
  'transaction.update': {
    id: 'onTransactionUpdate',
    assumptions: [...NAMING, 'names.envelopeId', ...TELLING],
    summary: 'The status of a transaction changed, its creation included',
    payload: TransactionPayload,
    isLegacy: false,
  },
  'v1.verifiedEmail': {
    id: 'onV1UserVerified',
    assumptions: [...NAMING, 'v1.hooksAfterSunset'],
    summary: 'A user is verified (v1: User Verified)',
    payload: LegacyUser,
    isLegacy: true,
  },
  'v1.transactionInitiated': {
    id: 'onV1TransactionInitiated',
    assumptions: LEGACY,
    summary: 'A transaction was created (v1: Transaction Initiated)',
    payload: LegacyTransaction,
    isLegacy: true,
  },
  'v1.transactionComplete': {
    id: 'onV1TransactionComplete',
    assumptions: LEGACY,
    summary: 'A transaction is complete (v1: Transaction Complete)',
    payload: LegacyTransaction,
    isLegacy: true,
  },
  'v1.transactionStatusUpdate': {
    id: 'onV1TransactionStatusUpdate',
    assumptions: [...LEGACY, 'v1.statusUpdateOnCreate'],
    summary: 'The status of a transaction changed (v1: Transaction Status Update)',
    payload: LegacyTransaction,
    isLegacy: true,
  },
}

/** What is posted to an integrator, under the names that this world gives to what is left open. */
export function describeWebhooks(described: Described): JsonSchema {
  return Object.fromEntries(
    Object.entries(WEBHOOKS).map(([name, webhook]) => [
      name,
      { post: describeWebhook(name, webhook, described) },
    ]),
  )
}

function describeWebhook(name: string, webhook: Webhook, { settings, components }: Described) {
  const { id, summary, payload, isLegacy, assumptions } = webhook
  const renamed = rename(payload(), settings['names.securityAnswerField'])
  const schema = isLegacy ? renamed : envelope(name, renamed, settings['names.envelopeId'])
  const example = exampleOf(id)?.request?.body
  const content = { schema: components.toSchema(schema, 'output') }
  return {
    operationId: id,
    tags: ['Webhooks'],
    summary,
    description: `Sent once, and not retried. In the contract: Events${isLegacy ? ': Legacy v1 webhooks' : ''}.`,
    ...(isLegacy && { deprecated: true }),
    parameters: signatureHeaders(settings['names.headerPrefix']),
    requestBody: {
      required: true,
      content: { 'application/json': { ...content, ...(example !== undefined && { example }) } },
    },
    'x-assumptions': assumptions.map((assumption) => describeAssumption(settings, assumption)),
    responses: { '2XX': { description: 'Acknowledged; anything else counts as rejected.' } },
  }
}

function rename(schema: z.ZodType, name: string): z.ZodType {
  if (name === SECURITY_ANSWER || !(schema instanceof z.ZodObject)) return schema
  const fields = Object.entries(schema.shape as z.ZodRawShape).map(([field, part]) => [
    field === SECURITY_ANSWER ? name : field,
    part,
  ])
  return z.strictObject(Object.fromEntries(fields)).meta({ title: String(schema.meta()?.title) })
}

function envelope(type: string, payload: z.ZodType, idName: 'id' | 'eventId' | 'both') {
  const id = z.string().meta({ description: 'Unique; deduplicate on it.' })
  return z.strictObject({
    ...(idName !== 'eventId' && { id }),
    ...(idName !== 'id' && { eventId: id }),
    apiVersion: z.literal('v2'),
    occurredAt: z.iso.datetime(),
    type: z.literal(type),
    payload,
  })
}

function signatureHeaders(prefix: string) {
  return [
    {
      name: `${prefix}-Timestamp`,
      in: 'header',
      required: true,
      description: 'Unix time in seconds when sent; reject one more than 300 seconds away.',
      schema: { type: 'string', pattern: '^\\d+$' },
    },
    {
      name: `${prefix}-Signature`,
      in: 'header',
      required: false,
      description:
        '`v1=` and the lowercase hex HMAC-SHA256 of `<timestamp>.<raw request body>`, keyed with the ' +
        'signing secret. Only legacy webhooks can come without one: before there is a secret.',
      schema: { type: 'string', pattern: '^v1=[0-9a-f]{64}$' },
    },
  ]
}
