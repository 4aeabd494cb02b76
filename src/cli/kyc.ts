import type { KycChanged } from '../http/control/wire.ts'
import { withHappened } from './control-format.ts'
import { createRemote, post } from './remote.ts'

export const kyc = createRemote({
  name: 'kyc',
  about: 'Lets a reviewer decide about a user, who is named by e-mail address or id.',
  words: ['EMAIL', 'STATUS'],
  options: {
    reason: { value: 'TEXT', many: true, help: 'why, among the requirements' },
    after: { value: 'LENGTH', help: 'decide only then, in world time' },
  },
  call: ({ words: [user = '', status], values: { reason, after } }) =>
    post(`/simulate/users/${encodeURIComponent(user)}/kyc`, {
      status,
      reasons: reason.length > 0 ? reason : undefined,
      after,
    }),
  format: ({ userId, from, to, due, ...happened }: KycChanged) =>
    due ? `${userId}: ${to} at ${due}` : withHappened(`${userId}: ${from} → ${to}`, happened),
})
