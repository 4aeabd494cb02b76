import { settingsOn } from '../concerns.ts'
import type { JsonSchema, WebhookDescription } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'
import { describeAssumption } from './assumptions.ts'
import { exampleOf } from './examples.ts'
import { OPERATION_NOTES } from './operations/index.ts'
import type { DocumentContext } from './responses.ts'

/** What the versions of the contract post to an integrator, as this world posts it. */
export function toWebhooks(
  operations: readonly OperationDescription[],
  context: DocumentContext,
): JsonSchema {
  const dialects = [...new Set(operations.map(({ dialect }) => dialect))]
  const webhooks = dialects.flatMap(({ describe }) => Object.entries(describe.webhooks ?? {}))
  return Object.fromEntries(
    webhooks.map(([name, webhook]) => [name, { post: toWebhook(webhook, context) }]),
  )
}

function toWebhook(webhook: WebhookDescription, { settings, components }: DocumentContext) {
  const { id, summary, ref, deprecated, body } = webhook
  const { about, success } = OPERATION_NOTES[id] ?? { about: '', success: '' }
  const example = exampleOf(id)?.request?.body
  const content = { schema: components.toSchema(body(settings), 'output', id) }
  return {
    operationId: id,
    tags: ['Webhooks'],
    summary,
    description: `${about.replaceAll('\n', ' ')}\n\nIn the contract: ${ref}.`,
    ...(deprecated && { deprecated }),
    parameters: signatureHeaders(
      settings['names.headerPrefix'],
      !deprecated || settings['webhooks.withoutSecret'] === 'suppressed',
    ),
    requestBody: {
      required: true,
      content: { 'application/json': { ...content, ...(example !== undefined && { example }) } },
    },
    'x-assumptions': settingsOn(webhook).map((assumption) =>
      describeAssumption(settings, assumption),
    ),
    // The signature stands for credentials.
    security: [],
    responses: { '2XX': { description: success } },
  }
}

const SIGNATURE = 'v1=f97e4e01863318e000a8c9ab2113b2454589af59bf5305c192b78694aa5c422e'

function signatureHeaders(prefix: string, isSigned: boolean) {
  return [
    {
      name: `${prefix}-Timestamp`,
      in: 'header',
      required: true,
      description: 'Unix time in seconds when sent; reject one more than 300 seconds away.',
      schema: { type: 'string', pattern: '^\\d+$' },
      example: '1782907200',
    },
    {
      name: `${prefix}-Signature`,
      in: 'header',
      required: isSigned,
      description:
        '`v1=` and the lowercase hex HMAC-SHA256 of `<timestamp>.<raw request body>`, keyed with the ' +
        `signing secret.${isSigned ? '' : ' Missing as long as there is no secret.'}`,
      schema: { type: 'string', pattern: '^v1=[0-9a-f]{64}$' },
      example: SIGNATURE,
    },
  ]
}
