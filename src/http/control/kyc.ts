import * as z from 'zod'
import { getKycLink, simulateKyc } from '../../world/kyc.ts'
import { requireLink } from './auth.ts'
import { operation } from './dialect.ts'
import { Deliver, KycChanged, presentEffects, waits } from './effects.ts'

const Decide = () =>
  z.strictObject({
    status: z.enum(['verified', 'rejected', 'upload', 'in-review']),
    reasons: z.array(z.string().max(500)).max(20).optional(),
    deliver: Deliver(),
  })

/** What the KYC page does, also without the control API: its link comes from the contract. */
export const kyc = [
  operation({
    id: 'decideKyc',
    method: 'POST',
    path: '/_sandbox/kyc/:token',
    summary: 'Let a reviewer decide on the identity check behind a KYC link',
    auth: requireLink,
    body: Decide,
    answer: KycChanged,
    errors: { 'not-found': 'There is no such KYC link, or it has expired.' },
    async handle({ services, param, input: { body } }) {
      const { world, timekeeper } = services
      const { user } = getKycLink(world, param('token'))
      const { status, reasons = [] } = body
      const [userId, from] = [user.id, user.status]
      const change = () => simulateKyc(world, user, { status, reasons })
      const { result: _, ...effects } = await timekeeper.observe(change, waits(body))
      return { userId, from, to: user.status, ...presentEffects(effects, services) }
    },
  }),
]
