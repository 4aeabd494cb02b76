import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import { simulateKyc } from '../../world/kyc.ts'
import { isEmail } from '../../world/profile.ts'
import { makeShareToken, SHARE_TOKEN_KINDS } from '../../world/share-token.ts'
import {
  expireTransaction,
  receiveFunds,
  setAccess,
  setAccount,
  settleTransaction,
  simulateBankRefused,
  simulateStatus,
} from '../../world/simulate.ts'
import { type Transaction, USER_STATUSES } from '../../world/state.ts'
import { scheduleKyc } from '../../world/tasks.ts'
import { moveTransaction } from '../../world/transaction-status.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import { type Access, getAnyUser } from '../../world/users.ts'
import type { World } from '../../world/world.ts'
import { fields } from '../problems.ts'
import type { Services } from '../services.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'
import {
  Deliver,
  Duration,
  KycAnswer,
  MoveAnswer,
  NOTHING_HAPPENED,
  showHappened,
  waits,
} from './shapes.ts'

const Kyc = () =>
  fields({
    status: z.enum(USER_STATUSES),
    reasons: z.array(z.string().max(500)).max(20).optional(),
    after: Duration().optional(),
    deliver: Deliver(),
  })
const SetAccess = () => fields({ accessibleBy: z.array(z.enum(['jwt', 'apiKey'])).max(2) })
const Account = () =>
  fields({
    autodeposit: z.boolean().optional(),
    maximumCad: z.number().min(0).max(1e9).nullable().optional(),
    loginCode: z
      .string()
      .regex(/^\d{4}$/, { error: 'must be 4 digits' })
      .nullable()
      .optional(),
  })
const ShareToken = () => fields({ email: z.string(), kind: z.enum(SHARE_TOKEN_KINDS).optional() })
const Move = () => fields({ deliver: Deliver() })
const Settled = () =>
  fields({
    paymentId: z.string().min(1).max(200).optional(),
    through: z.boolean().optional(),
    deliver: Deliver(),
  })
const Status = () =>
  fields({ status: z.string().min(1).max(100), force: z.literal(true), deliver: Deliver() })

const AccessAnswer = () =>
  z.strictObject({ userId: z.uuid(), accessibleBy: z.array(z.enum(['jwt', 'apiKey'])) })
const AccountAnswer = () =>
  z.strictObject({
    userId: z.uuid(),
    autodeposit: z.boolean(),
    maximumCad: z.number().nullable(),
    loginCode: z.string().nullable(),
  })

const userPath = '/_sandbox/simulate/users/:user'

export const simulateUsers = [
  operation({
    id: 'simulateKyc',
    method: 'POST',
    path: `${userPath}/kyc`,
    summary: 'Let a reviewer decide, now or after a while of world time',
    auth: requireControl,
    body: Kyc,
    answer: KycAnswer,
    errors: { 'not-found': 'There is no such user.' },
    async handle({ services, param, input: { body } }) {
      const { world } = services
      const user = getAnyUser(world, param('user'))
      const { status, reasons = [], after = 0 } = body
      const [userId, from] = [user.id, user.status]
      if (after > 0) {
        const at = world.now + after
        scheduleKyc(world, user, { at, status, reasons })
        const due = formatInstant(at)
        return { userId, from, to: status, due, ...showHappened(NOTHING_HAPPENED) }
      }
      const change = () => simulateKyc(world, user, { status, reasons })
      const { result: _, ...happened } = await services.timekeeper.observe(change, waits(body))
      return { userId, from, to: status, ...showHappened(happened) }
    },
  }),
  operation({
    id: 'simulateAccess',
    method: 'POST',
    path: `${userPath}/access`,
    summary: 'Let a user grant, or take back, key-only access',
    auth: requireControl,
    body: SetAccess,
    answer: AccessAnswer,
    errors: { 'not-found': 'There is no such user.' },
    handle({ world, param, input }) {
      const user = getAnyUser(world, param('user'))
      setAccess(world, user, input.body.accessibleBy)
      const accessibleBy: Access[] = user.keyAccess ? ['jwt', 'apiKey'] : ['jwt']
      return { userId: user.id, accessibleBy }
    },
  }),
  operation({
    id: 'simulateAccount',
    method: 'POST',
    path: `${userPath}/account`,
    summary: 'Set what differs per account',
    auth: requireControl,
    body: Account,
    answer: AccountAnswer,
    errors: { 'not-found': 'There is no such user.' },
    handle({ world, param, input }) {
      const user = getAnyUser(world, param('user'))
      setAccount(world, user, input.body)
      const { id: userId, autodeposit, maximumCad, loginCode } = user
      return { userId, autodeposit, maximumCad, loginCode }
    },
  }),
  operation({
    id: 'simulateShareToken',
    method: 'POST',
    path: '/_sandbox/simulate/share-tokens',
    summary: 'Make a share token of the shared-KYC provider',
    auth: requireControl,
    body: ShareToken,
    answer: () => z.strictObject({ shareToken: z.string() }),
    handle({ input: { body } }) {
      if (!isEmail(body.email)) {
        throw new DomainError('invalid', 'email', 'email must be an e-mail address.')
      }
      return { shareToken: makeShareToken(body.email, body.kind ?? 'valid') }
    },
  }),
]

type Change = (world: World, transaction: Transaction) => void

/** Moves the transaction in the path and answers what followed. */
async function moveIn(
  services: Services,
  id: string,
  { wait, change }: { wait: boolean; change: Change },
) {
  const { world, timekeeper } = services
  const transaction = getAnyTransaction(world, id)
  const from = shownStatus(world, transaction.status)
  // The status now: a receiver of the webhook may move the transaction on before the answer.
  const move = () => {
    change(world, transaction)
    return shownStatus(world, transaction.status)
  }
  const { result: to, ...happened } = await timekeeper.observe(move, { wait })
  return { transactionId: id, from, to, ...showHappened(happened) }
}

const MOVES: { name: string; id: string; summary: string; change: Change }[] = [
  {
    name: 'funds-received',
    id: 'simulateFundsReceived',
    summary: 'The e-transfer was approved (buy), or the coins arrived (sell)',
    change: receiveFunds,
  },
  {
    name: 'bank-refused',
    id: 'simulateBankRefused',
    summary: 'The bank of the user refused to pay a buy',
    change: simulateBankRefused,
  },
  {
    name: 'expired',
    id: 'simulateExpired',
    summary: 'The window of a pending transaction ran out',
    change: expireTransaction,
  },
  {
    name: 'cancelled',
    id: 'simulateCancelled',
    summary: 'The user withdrew from a pending transaction',
    change: (world, transaction) => moveTransaction(world, transaction, 'cancelled'),
  },
]

const NO_TRANSACTION = 'There is no such transaction.'
const MOVE_REFUSALS = {
  'not-found': NO_TRANSACTION,
  conflict: 'The transaction cannot go there from its status.',
}
const txPath = '/_sandbox/simulate/transactions/:id'

export const simulateTransactions = [
  ...MOVES.map(({ name, id, summary, change }) =>
    operation({
      id,
      method: 'POST',
      path: `${txPath}/${name}`,
      summary,
      auth: requireControl,
      body: Move,
      answer: MoveAnswer,
      errors: MOVE_REFUSALS,
      handle: ({ services, param, input }) =>
        moveIn(services, param('id'), { ...waits(input.body), change }),
    }),
  ),
  operation({
    id: 'simulateSettled',
    method: 'POST',
    path: `${txPath}/settled`,
    summary: 'The money is finished: processing becomes complete',
    auth: requireControl,
    body: Settled,
    answer: MoveAnswer,
    errors: MOVE_REFUSALS,
    handle({ services, param, input: { body } }) {
      const change: Change = (world, transaction) => settleTransaction(world, transaction, body)
      return moveIn(services, param('id'), { ...waits(body), change })
    },
  }),
  operation({
    id: 'simulateStatus',
    method: 'POST',
    path: `${txPath}/status`,
    summary: 'Force any status, for what the contract leaves open',
    auth: requireControl,
    body: Status,
    answer: MoveAnswer,
    errors: { 'not-found': NO_TRANSACTION },
    handle({ services, param, input: { body } }) {
      const change: Change = (world, transaction) => simulateStatus(world, transaction, body.status)
      return moveIn(services, param('id'), { ...waits(body), change })
    },
  }),
]
