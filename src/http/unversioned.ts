import * as z from 'zod'
import { named } from '../control-api/schema.ts'
import type { DomainError } from '../world/domain-error.ts'
import { CONTRACT_OPERATIONS } from '../world/settings/operations.ts'
import type { Dialect } from './dialect.ts'
import { operationIn } from './operation.ts'
import { contractStatusOf } from './status.ts'

/** Responses outside v2's envelope (contract, Resources: Response envelope; Errors: 7). */
export const unversioned: Dialect = {
  name: 'unversioned',
  isContract: true,
  checksUnknownFields: true,
  errorType: 'application/json',
  success: (data) => data,
  statusOf: contractStatusOf,
  error: (error) => toPlainError(error),
  describe: {
    success: (data = {}) => data,
    error: PlainFailure,
  },
}

export const operation = operationIn(unversioned, CONTRACT_OPERATIONS)

/** Success outside v2's envelope: a message, a status, and what was asked for. */
export const succeeded = <Message extends string, Shape extends z.ZodRawShape>(
  message: Message,
  shape?: Shape,
) =>
  z.strictObject({
    message: z.literal(message).describe('What was done.'),
    status: SuccessStatus(),
    ...shape,
  })

export const SuccessStatus = () =>
  z.literal('success').describe('Always `success`; errors have a different status.')

export function PlainFailure() {
  return named('PlainFailure', {
    message: z.string().describe('Everything that is wrong, as text.'),
    status: z.string().describe('`error`, or what could not be done.'),
  })
}
export type PlainError = z.input<ReturnType<typeof PlainFailure>>

/** Joins all problems into one message, because this shape has no list. */
export function toPlainError({ problems }: DomainError): PlainError {
  return { message: problems.map(({ message }) => message).join(' '), status: 'error' }
}
