import * as z from 'zod'
import { shownStatus } from '../../world/events.ts'
import { receiveFunds, simulateBankRefused } from '../../world/simulate.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import { requireNothing } from './auth.ts'
import { operation } from './dialect.ts'
import { Deliver, presentEffects, TransactionMoved, waits } from './effects.ts'

const Answer = () => z.strictObject({ decision: z.enum(['approve', 'refuse']), deliver: Deliver() })

/** What the bank's page does. Everyone who has the link may use it. */
export const bank = [
  operation({
    id: 'answerMoneyRequest',
    method: 'POST',
    path: '/_sandbox/bank/:id',
    summary: 'Let the user approve a money request, or the bank refuse it',
    auth: requireNothing,
    body: Answer,
    answer: TransactionMoved,
    errors: {
      'not-found': 'There is no such transaction.',
      conflict: 'The transaction is not a buy that waits for its money.',
    },
    async handle({ services, param, input: { body } }) {
      const { world, timekeeper } = services
      const transaction = getAnyTransaction(world, param('id'))
      const from = shownStatus(world, transaction.status)
      const act = body.decision === 'approve' ? receiveFunds : simulateBankRefused
      const change = () => act(world, transaction)
      const { result: _, ...effects } = await timekeeper.observe(change, waits(body))
      const to = shownStatus(world, transaction.status)
      return { transactionId: transaction.id, from, to, ...presentEffects(effects, services) }
    },
  }),
]
