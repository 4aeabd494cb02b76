import { setCookie } from 'hono/cookie'
import * as z from 'zod'
import { shownStatus } from '../../world/events.ts'
import { getKycLink, simulateKyc } from '../../world/kyc.ts'
import { receiveFunds, simulateBankRefused } from '../../world/simulate.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import { fields } from '../problems.ts'
import { requireControl, requireNothing, TOKEN_COOKIE } from './auth.ts'
import { operation } from './dialect.ts'
import { Deliver, KycAnswer, MoveAnswer, showHappened, waits } from './shapes.ts'

const Decide = () =>
  fields({
    status: z.enum(['verified', 'rejected', 'upload', 'in-review']),
    reasons: z.array(z.string().max(500)).max(20).optional(),
    deliver: Deliver(),
  })
const Answer = () => fields({ decision: z.enum(['approve', 'refuse']), deliver: Deliver() })

/** What the hosted pages do. Whoever holds a link may act through it, as the user would. */
export const hosted = [
  operation({
    id: 'decideKyc',
    method: 'POST',
    path: '/_sandbox/kyc/:token',
    summary: 'Let a reviewer decide on the identity check behind a KYC link',
    auth: requireNothing,
    body: Decide,
    answer: KycAnswer,
    errors: { 'not-found': 'There is no such KYC link, or it has expired.' },
    async handle({ services, param, input: { body } }) {
      const { world, timekeeper } = services
      const { user } = getKycLink(world, param('token'))
      const { status, reasons = [] } = body
      const [userId, from] = [user.id, user.status]
      const change = () => simulateKyc(world, user, { status, reasons })
      const { result: _, ...happened } = await timekeeper.observe(change, waits(body))
      return { userId, from, to: user.status, ...showHappened(happened) }
    },
  }),
  operation({
    id: 'answerMoneyRequest',
    method: 'POST',
    path: '/_sandbox/bank/:id',
    summary: 'Let the user approve a money request, or the bank refuse it',
    auth: requireNothing,
    body: Answer,
    answer: MoveAnswer,
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
      const { result: _, ...happened } = await timekeeper.observe(change, waits(body))
      const to = shownStatus(world, transaction.status)
      return { transactionId: transaction.id, from, to, ...showHappened(happened) }
    },
  }),
  operation({
    id: 'signIn',
    method: 'POST',
    path: '/_sandbox/sign-in',
    summary: 'Keep the control token in a cookie, for the dashboard',
    auth: requireControl,
    status: 204,
    handle({ c, header }) {
      const [, token] = /^Bearer +(\S+)$/i.exec(header('authorization') ?? '') ?? []
      if (token === undefined) return new Response(null, { status: 204 })
      setCookie(c, TOKEN_COOKIE, token, { path: '/', httpOnly: true, sameSite: 'Strict' })
      return c.body(null, 204)
    },
  }),
]
