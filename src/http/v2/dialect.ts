import * as z from 'zod'
import type { Dialect, JsonSchema } from '../dialect.ts'
import { operationIn } from '../operation.ts'
import { contractStatusOf } from '../status.ts'
import { titled } from '../titled.ts'
import { webhookDescriptions } from './events.ts'

/** The v2 envelope (contract, Resources: Response envelope). */
export const v2: Dialect = {
  name: 'v2',
  journalled: true,
  checksUnknownFields: true,
  errorType: 'application/json',
  success: (data) => ({ success: true, data }),
  describe: {
    success: describeSuccess,
    error: Failure,
    webhooks: webhookDescriptions,
  },
  statusOf: contractStatusOf,
  error({ problems }): z.input<ReturnType<typeof Failure>> {
    const errors = problems.map(({ field, message }) => ({ field, message }))
    return { success: false, errors }
  },
}

export const operation = operationIn(v2)

function describeSuccess(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      success: {
        type: 'boolean',
        const: true,
        description: 'True for every success.',
        examples: [true],
      },
      data: { ...data, description: 'What was asked for.' },
    },
    required: ['success', 'data'],
    additionalProperties: false,
  }
}

function Failure() {
  return titled('Failure', {
    success: z.literal(false),
    errors: z.array(z.strictObject({ field: z.string(), message: z.string() })),
  })
}
