import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { readBankLink } from '../../world/links.ts'
import { receiveFunds, simulateBankRefused } from '../../world/simulate.ts'
import { identifyLinkHolder } from './auth.ts'
import { operation } from './dialect.ts'
import { Deliver, moveIn, type TransactionChange, TransactionMoved, waits } from './effects.ts'

const Answer = () => z.strictObject({ decision: z.enum(['approve', 'refuse']), deliver: Deliver() })

/** Decisions of the bank's page. Everyone who has the link may use it. */
export const bank = [
  operation('POST', '/_sandbox/bank/:id', {
    id: 'answerMoneyRequest',
    summary: 'Let the user approve a money request, or the bank refuse it',
    about:
      'Lets the user approve the e-transfer of a pending buy, or the bank refuse it, as the page behind a money request does. Approval moves the transaction to processing, which `transaction.update` reports. No control token is needed: the link is enough.',
    success: 'The status, with the events and deliveries that followed.',
    auth: identifyLinkHolder,
    body: Answer,
    answer: TransactionMoved,
    errors: {
      'not-found': 'There is no such transaction.',
      conflict: 'The transaction is not a buy that waits for its money.',
    },
    handle({ services, who, param, input: { body } }) {
      const { id, isWhole } = readBankLink(services.world, param('id'))
      if (!isWhole && who === undefined) {
        throw new DomainError('not-found', 'There is no such money request.', { field: 'id' })
      }
      const change: TransactionChange = (world, transaction) =>
        body.decision === 'approve'
          ? receiveFunds(world, transaction)
          : simulateBankRefused(world, transaction)
      return moveIn(services, id, { ...waits(body), change })
    },
  }),
]
