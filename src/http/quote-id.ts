import * as z from 'zod'

/** The contract says numeric; some clients send the digits as a text. */
export const QuoteId = () =>
  z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      { error: 'must be the number that a quote was given' },
    )
    .meta({ wire: { type: 'integer' } })
