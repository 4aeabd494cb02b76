import type { Refusal } from '../world/errors.ts'
import { type Dialect, operationsOf } from './operation.ts'

/** What stands outside v2's envelope (contract, Resources: Response envelope; Errors: 7). */
export const unversioned: Dialect = {
  name: 'unversioned',
  journalled: true,
  refusalType: 'application/json',
  success: (data) => data,
  refusal: (refusal) => toPlainRefusal(refusal),
}

export const operation = operationsOf(unversioned)

export interface PlainRefusal {
  message: string
  status: string
}

/** Everything that is wrong, in one message: this shape has no list. */
export function toPlainRefusal({ problems }: Refusal): PlainRefusal {
  return { message: problems.map(({ message }) => message).join(' '), status: 'error' }
}
