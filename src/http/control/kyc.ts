import * as z from 'zod'
import { getKycLink } from '../../world/kyc.ts'
import { requireNoToken } from './auth.ts'
import { operation } from './dialect.ts'
import { Deliver, decideKyc, KycChanged, waits } from './effects.ts'

const Decide = () =>
  z.strictObject({
    status: z.enum(['verified', 'rejected', 'upload', 'in-review']),
    reasons: z.array(z.string().max(500)).max(20).optional(),
    deliver: Deliver(),
  })

/** What the KYC page does, also without the control API: its link comes from the contract. */
export const kyc = [
  operation('POST', '/_sandbox/kyc/:token', {
    id: 'decideKyc',
    summary: 'Set the KYC outcome behind a KYC link',
    about:
      'Decides on the identity check behind a KYC link, as its page does; the token is the last part of the link. The user gets the status and a message, and `user.update` is sent. The link is enough: no control token is needed, and it works with `--no-control` too.',
    success: 'The decision, with the events and deliveries that followed.',
    auth: requireNoToken,
    body: Decide,
    answer: KycChanged,
    errors: { 'not-found': 'There is no such KYC link, or it has expired.' },
    handle({ services, param, input: { body } }) {
      const { user } = getKycLink(services.world, param('token'))
      return decideKyc(services, user, { ...body, ...waits(body) })
    },
  }),
]
