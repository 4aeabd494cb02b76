import * as z from 'zod'
import { type Dialect, type JsonSchema, operationsOf } from '../operation.ts'
import { contractStatusOf } from '../status.ts'

/** The v2 envelope (contract, Resources: Response envelope). */
export const v2: Dialect = {
  name: 'v2',
  journalled: true,
  errorType: 'application/json',
  success: (data) => ({ success: true, data }),
  describe: {
    success: describeSuccess,
    refusal: Failure,
    assumptions: ['errors.validation', 'requests.perMinute'],
  },
  statusOf: contractStatusOf,
  refusal({ problems }): z.input<ReturnType<typeof Failure>> {
    const errors = problems.map(({ field, message }) => ({ field, message }))
    return { success: false, errors }
  },
}

export const operation = operationsOf(v2)

function describeSuccess(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { success: { type: 'boolean', const: true }, data },
    required: ['success', 'data'],
    additionalProperties: false,
  }
}

function Failure() {
  return z
    .strictObject({
      success: z.literal(false),
      errors: z.array(z.strictObject({ field: z.string(), message: z.string() })),
    })
    .meta({ title: 'Failure' })
}
