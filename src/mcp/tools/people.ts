import * as z from 'zod'
import type { Sandbox } from '../../client/client.ts'
import { type FieldProblem, SandboxError } from '../../client/error.ts'
import { SimulateBuy } from '../../http/control/simulate-user-transactions.ts'
import { SimulateKyc } from '../../http/control/simulate-users.ts'
import type { TransactionMoved, UserRecord } from '../../http/control/wire.ts'
import { USER_STATUSES } from '../../world/state.ts'
import { presentHappened, presentTransaction } from '../present.ts'
import { createTool } from '../tool.ts'
import { callContract } from './call-api.ts'

const User = () => z.string().describe('E-mail address or id.')
const { status, reasons, after } = SimulateKyc().shape
const { coin, wallet, settle } = SimulateBuy().shape

const OUTCOMES = ['funds-received', 'settled', 'bank-refused', 'expired', 'cancelled'] as const

/** What users, reviewers and banks do. */
export const peopleTools = [
  createTool('create_user', {
    description:
      'Create a user through the API and let identity verification end; verified users can trade.',
    input: {
      email: z.string(),
      status: z.enum(USER_STATUSES).default('verified'),
      profile: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Other fields of POST /v2/users.'),
    },
    run: async ({ sandbox, input: { email, status, profile } }) => {
      await createUser(sandbox, { ...profile, email })
      const isNew = status === 'initial'
      const changed = isNew ? undefined : await decide(sandbox, email, { status })
      return { user: presentUser(await sandbox.users.get(email)), ...changed }
    },
  }),
  createTool('simulate_kyc', {
    description: 'Let a reviewer decide about a user, now or after a while of world time.',
    input: { user: User(), status, reasons, after },
    run: ({ sandbox, input: { user, ...decision } }) => decide(sandbox, user, decision),
  }),
  createTool('create_transaction', {
    description:
      'Let a verified user buy or sell: a quote and its transaction in one step, with the checks of the API.',
    input: {
      user: User(),
      cad: z.number().optional().describe('Of a buy.'),
      coins: z.number().optional().describe('Of a sell.'),
      coin,
      wallet,
      settle,
    },
    run: async ({ sandbox, input: { user, cad, coins, ...rest } }) => {
      const created =
        cad === undefined
          ? await sandbox.sell(user, { coins: coins ?? 0, ...rest })
          : await sandbox.buy(user, { cad, ...rest })
      const { transaction, ...happened } = created
      return { transaction: presentTransaction(transaction), ...presentHappened(happened) }
    },
  }),
  createTool('simulate_transaction', {
    description:
      'Let something happen to a transaction: its money or coins arrive, it completes (`settled`), the bank refuses, it expires, the user cancels.',
    input: {
      transaction: z.string().describe('Its id.'),
      outcome: z.enum(OUTCOMES),
      through: z
        .literal(true)
        .optional()
        .describe('With `settled`: from pending, the money arrives on the way.'),
    },
    run: async ({ sandbox, input: { transaction, outcome, through } }) => {
      const path = `/simulate/transactions/${encodeURIComponent(transaction)}/${outcome}`
      const moved = await sandbox.control<TransactionMoved>('POST', path, { body: { through } })
      const { transactionId, from, to, ...happened } = moved
      return { transaction: transactionId, from, to, ...presentHappened(happened) }
    },
  }),
]

/** As an integrator creates it, so that it shows among the calls. */
async function createUser(sandbox: Sandbox, body: object) {
  const response = await callContract(sandbox, { method: 'POST', path: '/v2/users', body })
  if (response.ok) return
  const { status } = response
  const { errors = [] } = (await response.json()) as { errors?: FieldProblem[] }
  const why = errors.map(({ message }) => message).join(' ')
  const hint = status === 409 ? ' simulate_kyc changes what it is.' : ''
  const message = `POST /v2/users answered ${status}: ${why}${hint}`
  throw new SandboxError(message, { code: 'contract', status, problems: errors })
}

async function decide(
  sandbox: Sandbox,
  user: string,
  { status, ...rest }: Pick<SimulateKyc, 'status' | 'reasons' | 'after'>,
) {
  const { userId, from, to, due, ...happened } = await sandbox.simulate.kyc(user, status, rest)
  return { userId, from, to, ...(due && { due }), ...presentHappened(happened) }
}

const presentUser = ({ id, email, status, requirements, limits }: UserRecord) => ({
  id,
  email,
  status,
  outstanding: requirements.outstanding.map(({ field }) => field),
  limits,
})
