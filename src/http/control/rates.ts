import * as z from 'zod'
import { setRates } from '../../world/quotes.ts'
import { operation } from './dialect.ts'

const Rate = () => z.strictObject({ cad: z.number() })
/** CAD per coin. */
export const CoinRates = () => z.strictObject({ USDC: Rate(), CADC: Rate() })
export type CoinRates = z.output<ReturnType<typeof CoinRates>>

export const rates = [
  operation('GET', '/_sandbox/rates', {
    id: 'getRates',
    summary: 'Read what a coin costs, in CAD',
    answer: CoinRates,
    handle: ({ world }) => world.rates,
  }),
  operation('PUT', '/_sandbox/rates', {
    id: 'putRates',
    summary: 'Set what a coin costs; one that is not sent stays, and so does what a quote locked',
    body: () => z.strictObject({ USDC: Rate().optional(), CADC: Rate().optional() }),
    answer: CoinRates,
    handle: ({ world, input }) => setRates(world, input.body),
  }),
]
