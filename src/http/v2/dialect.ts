import { type Dialect, operationsOf } from '../operation.ts'

/** The v2 envelope (contract, Resources: Response envelope). */
export const v2: Dialect = {
  name: 'v2',
  journalled: true,
  refusalType: 'application/json',
  success: (data) => ({ success: true, data }),
  refusal: ({ problems }) => ({
    success: false,
    errors: problems.map(({ field, message }) => ({ field, message })),
  }),
}

export const operation = operationsOf(v2)
