import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { isEmail } from '../../world/profile.ts'
import { makeShareToken, SHARE_TOKEN_KINDS } from '../../world/share-token.ts'
import { setAccess, setAccount } from '../../world/simulate.ts'
import { USER_STATUSES } from '../../world/state.ts'
import { scheduleKyc } from '../../world/tasks.ts'
import { type Access, getAnyUser } from '../../world/users.ts'
import { lever } from './dialect.ts'
import { Deliver, decideKyc, KycChanged, NO_EFFECTS, presentEffects, waits } from './effects.ts'
import { Duration } from './shapes.ts'

const SimulateKyc = () =>
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

const SetAccess = () => z.strictObject({ accessibleBy: z.array(z.enum(['jwt', 'apiKey'])).max(2) })
const SimulateAccount = () =>
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

const SimulateShareToken = () =>
  z.strictObject({ email: z.string(), kind: z.enum(SHARE_TOKEN_KINDS).optional() })
const AccessState = () =>
  z.strictObject({ userId: z.uuid(), accessibleBy: z.array(z.enum(['jwt', 'apiKey'])) })

const AccountState = () =>
  z.strictObject({
    userId: z.uuid(),
    autodeposit: z.boolean(),
    maximumCad: z.number().nullable(),
    loginCode: z.string().nullable(),
  })

export const simulateUsers = [
  lever('simulate.kyc', {
    id: 'simulateKyc',
    summary: 'Set the outcome of an identity check, now or after a while of world time',
    about:
      'Gives a user the status that a reviewer decides on, now or, with `after`, once that much world time has passed. The user gets a message, and `user.update` is sent. A status that the user has already changes nothing.',
    success:
      'The decision, with the events and deliveries that followed; with `after`, when it is due.',
    words: 'user kyc USER STATUS',
    also: { 'kyc USER STATUS': {} },
    example: 'user kyc ana@example.com verified',
    tool: true,
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
  lever('simulate.access', {
    id: 'simulateAccess',
    summary: 'Grant or withdraw key-only access for a user',
    about:
      'Lets a user grant key-only access, or take it back. It counts for integrators that may act without a token (`actsWithoutToken` in a fixture); they then need no login for this user.',
    success: 'What can be sent for the user now.',
    words: 'user access USER ACCESS=accessibleBy…',
    example: 'user access ana@example.com jwt apiKey',
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
  lever('simulate.account', {
    id: 'simulateAccount',
    summary: 'Set autodeposit, the maximum or a fixed login code of an account',
    about:
      'Sets what differs for one account: whether e-transfers are deposited without a security answer, the maximum of a transaction, and a login code that never changes. What is not sent stays. Transactions that exist do not change.',
    success: 'The account as it is now.',
    words: 'user account USER',
    example: 'user account ana@example.com --autodeposit',
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
  lever('simulate.shareToken', {
    id: 'simulateShareToken',
    summary: 'Make a share token of the shared-KYC provider',
    adds: true,
    about:
      'Makes a share token as the shared-KYC provider would, for `importKyc`. With another `kind` than `valid` the import fails for that reason. The world does not change.',
    success: 'The token.',
    words: 'user share-token EMAIL [KIND]',
    example: 'user share-token ana@example.com',
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
