import * as z from 'zod'
import { receiveFunds, simulateBankRefused } from '../../world/simulate.ts'
import { requireNothing } from './auth.ts'
import { operation } from './dialect.ts'
import { Deliver, moveIn, type TransactionChange, TransactionMoved, waits } from './effects.ts'

const Answer = () => z.strictObject({ decision: z.enum(['approve', 'refuse']), deliver: Deliver() })

/** What the bank's page does. Everyone who has the link may use it. */
export const bank = [
  operation('POST', '/_sandbox/bank/:id', {
    id: 'answerMoneyRequest',
    summary: 'Let the user approve a money request, or the bank refuse it',
    auth: requireNothing,
    body: Answer,
    answer: TransactionMoved,
    errors: {
      'not-found': 'There is no such transaction.',
      conflict: 'The transaction is not a buy that waits for its money.',
    },
    handle({ services, param, input: { body } }) {
      const change: TransactionChange = (world, transaction) =>
        body.decision === 'approve'
          ? receiveFunds(world, transaction)
          : simulateBankRefused(world, transaction)
      return moveIn(services, param('id'), { ...waits(body), change })
    },
  }),
]
