import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { isEmail } from '../../world/profile.ts'
import { makeShareToken, SHARE_TOKEN_KINDS } from '../../world/share-token.ts'
import { setAccess, setAccount } from '../../world/simulate.ts'
import { USER_STATUSES } from '../../world/state.ts'
import { scheduleKyc } from '../../world/tasks.ts'
import { type Access, getAnyUser } from '../../world/users.ts'
import { operation } from './dialect.ts'
import { Deliver, decideKyc, KycChanged, NO_EFFECTS, presentEffects, waits } from './effects.ts'
import { Duration } from './shapes.ts'

export const SimulateKyc = () =>
  z.strictObject({
    status: z.enum(USER_STATUSES),
    reasons: z
      .array(z.string().max(500))
      .max(20)
      .optional()
      .describe('Why a reviewer rejects, or asks for more.'),
    after: Duration()
      .optional()
      .describe('Decide only after so much world time, such as `10m`, `PT1H` or a number of ms.'),
    deliver: Deliver(),
  })
export type SimulateKyc = z.input<ReturnType<typeof SimulateKyc>>

const SetAccess = () => z.strictObject({ accessibleBy: z.array(z.enum(['jwt', 'apiKey'])).max(2) })
export const SimulateAccount = () =>
  z.strictObject({
    autodeposit: z.boolean().optional().describe('Whether e-transfers need no security answer.'),
    maximumCad: z
      .number()
      .min(0)
      .max(1e9)
      .nullable()
      .optional()
      .describe('Most that one transaction may be worth, in CAD; null is the general maximum.'),
    loginCode: z
      .string()
      .regex(/^\d{4}$/, { error: 'must be 4 digits' })
      .nullable()
      .optional()
      .describe('Four digits that every login accepts; null is none.'),
  })
export type SimulateAccount = z.input<ReturnType<typeof SimulateAccount>>

const SimulateShareToken = () =>
  z.strictObject({ email: z.string(), kind: z.enum(SHARE_TOKEN_KINDS).optional() })
export const AccessState = () =>
  z.strictObject({ userId: z.uuid(), accessibleBy: z.array(z.enum(['jwt', 'apiKey'])) })
export type AccessState = z.output<ReturnType<typeof AccessState>>

export const AccountState = () =>
  z.strictObject({
    userId: z.uuid(),
    autodeposit: z.boolean(),
    maximumCad: z.number().nullable(),
    loginCode: z.string().nullable(),
  })
export type AccountState = z.output<ReturnType<typeof AccountState>>

const userPath = '/_sandbox/simulate/users/:user'

export const simulateUsers = [
  operation('POST', `${userPath}/kyc`, {
    id: 'simulateKyc',
    summary: 'Let a reviewer decide, now or after a while of world time',
    body: SimulateKyc,
    answer: KycChanged,
    errors: { 'not-found': 'There is no such user.' },
    async handle({ services, param, input: { body } }) {
      const { world } = services
      const user = getAnyUser(world, param('user'))
      const { status, reasons = [], after = 0 } = body
      if (after === 0) return await decideKyc(services, user, { ...waits(body), status, reasons })
      const [userId, from, at] = [user.id, user.status, world.now + after]
      scheduleKyc(world, user, { at, status, reasons })
      const due = formatInstant(at)
      return { userId, from, to: status, due, ...presentEffects(NO_EFFECTS, services) }
    },
  }),
  operation('POST', `${userPath}/access`, {
    id: 'simulateAccess',
    summary: 'Let a user grant, or take back, key-only access',
    body: SetAccess,
    answer: AccessState,
    errors: { 'not-found': 'There is no such user.' },
    handle({ world, param, input }) {
      const user = getAnyUser(world, param('user'))
      setAccess(world, user, input.body.accessibleBy)
      const accessibleBy: Access[] = user.keyAccess ? ['jwt', 'apiKey'] : ['jwt']
      return { userId: user.id, accessibleBy }
    },
  }),
  operation('POST', `${userPath}/account`, {
    id: 'simulateAccount',
    summary: 'Set what differs per account',
    body: SimulateAccount,
    answer: AccountState,
    errors: { 'not-found': 'There is no such user.' },
    handle({ world, param, input }) {
      const user = getAnyUser(world, param('user'))
      setAccount(world, user, input.body)
      const { id: userId, autodeposit, maximumCad, loginCode } = user
      return { userId, autodeposit, maximumCad, loginCode }
    },
  }),
  operation('POST', '/_sandbox/simulate/share-tokens', {
    id: 'simulateShareToken',
    summary: 'Make a share token of the shared-KYC provider',
    adds: true,
    body: SimulateShareToken,
    answer: () => z.strictObject({ shareToken: z.string() }),
    handle({ world, input: { body } }) {
      if (!isEmail(body.email)) {
        throw new DomainError('invalid', 'email must be an e-mail address.', { field: 'email' })
      }
      return { shareToken: makeShareToken(world, body.email, body.kind ?? 'valid') }
    },
  }),
]
