import * as z from 'zod'
import { setRates } from '../../world/quotes.ts'
import { lever } from './dialect.ts'

const Rate = () => z.strictObject({ cad: z.number() })
/** CAD per coin. */
export const CoinRates = () => z.strictObject({ USDC: Rate(), CADC: Rate() })
export type CoinRates = z.output<ReturnType<typeof CoinRates>>

export const rates = [
  lever('rates.get', {
    id: 'getRates',
    summary: 'Read what a coin costs, in CAD',
    about: 'Reads what each coin costs now. New quotes use these rates.',
    success: 'The rates, in CAD per coin.',
    answer: CoinRates,
    handle: ({ world }) => world.rates,
  }),
  lever('rates.set', {
    id: 'putRates',
    summary: 'Set what a coin costs; one that is not sent stays, and so does what a quote locked',
    about:
      'Sets what a coin costs, for quotes and limits from now on. A coin that is not sent keeps its rate, and a quote keeps the rate that it locked.',
    success: 'The rates as they are now.',
    body: () => z.strictObject({ USDC: Rate().optional(), CADC: Rate().optional() }),
    answer: CoinRates,
    handle: ({ world, input }) => setRates(world, input.body),
  }),
]
