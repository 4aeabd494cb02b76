import * as z from 'zod'
import { LABELS } from '../world/coins.ts'
import { givenFields } from '../world/fields.ts'
import { LENGTHS } from '../world/settings/constants.ts'
import { Deliver, Happened } from './events.ts'
import { inField, notForAgents, record } from './schema.ts'
import { Proposed, Text } from './shapes.ts'
import { TransactionRecord, transactionCells } from './transactions.ts'
import { USER } from './users.ts'

const COIN_LABELS = LABELS.filter((label) => label !== 'CAD')

export const Order = () => ({
  coin: Proposed(z.string().max(100), COIN_LABELS)
    .optional()
    .describe('Stablecoin and chain; `USDC-ETH` by default.'),
  wallet: Text(LENGTHS.wallet.max)
    .optional()
    .describe('Wallet address; by default one per user and chain.'),
  ...givenFields((text) => notForAgents(text.nullable().optional())),
  integrator: notForAgents(
    z.string().optional().describe('Name of the integrator; the user’s first one by default.'),
  ),
  settle: z.boolean().optional().describe('Also complete the transaction.'),
  deliver: Deliver(),
})

export const TransactionCreated = () =>
  record({
    transaction: inField(TransactionRecord(), 'The transaction after the call.'),
    ...Happened().shape,
  })
export type TransactionCreated = z.output<ReturnType<typeof TransactionCreated>>

const CREATED = {
  params: USER,
  about:
    'Requests a quote and creates a transaction with it, with the checks and errors of the API. The user gets a message, and `transaction.update` is sent. With `settle` the funds are also received and the transaction completes.',
  success: 'The transaction after the call, with the events and deliveries that followed.',
  columns: ({ transaction }: TransactionCreated) => transactionCells(transaction),
  flags: {
    id: {
      help: 'print the id of the transaction, and nothing else',
      prints: ({ transaction }: TransactionCreated) => transaction.id,
    },
  },
  response: TransactionCreated,
  tool: true as const,
  adds: true,
  errors: {
    'not-found': 'There is no such user.',
    'not-verified': 'The user is not verified, or lacks what a setting requires.',
    'limit-active': 'A limit on the value or on the number of transactions has been reached.',
  },
}

export type Order = z.output<z.ZodObject<ReturnType<typeof Order>>>

export const orders = {
  buy: {
    id: 'simulateBuy',
    method: 'POST',
    path: '/simulate/users/:user/buy',
    ...CREATED,
    summary: 'Buy for a user: a quote and its transaction in one step',
    done: 'Simulated buy',
    words: ['buy', { field: 'user' }, { field: 'cad' }],
    example: 'buy ana@example.com 100 --settle',
    body: () => ({ cad: z.number().describe('What the user pays, in CAD.'), ...Order() }),
  },
  sell: {
    id: 'simulateSell',
    method: 'POST',
    path: '/simulate/users/:user/sell',
    ...CREATED,
    summary: 'Sell for a user, in one step',
    done: 'Simulated sell',
    words: ['sell', { field: 'user' }, { field: 'coins' }],
    example: 'sell ana@example.com 50 --coin USDC-SOL',
    body: () => ({ coins: z.number().describe('How many coins the user sells.'), ...Order() }),
  },
} as const
