import * as z from 'zod'

/** An amount in a query. `1e3`, `0x10`, `NaN` and blanks are none. */
export const decimalText = () =>
  z
    .string()
    .regex(/^\d{1,16}(\.\d{1,18})?$/, {
      error: 'must be a plain decimal number such as 100 or 99.5',
    })
    .meta({ wire: { type: 'number', minimum: 0 } })
