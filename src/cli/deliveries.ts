import type { DeliveryPage } from '../http/control/wire.ts'
import { formatDelivery } from './control-format.ts'
import { createRemote, WAIT_OPTIONS } from './remote.ts'

export const deliveries = createRemote({
  name: 'deliveries',
  about: 'Shows which webhooks were sent where, and what was answered.',
  options: {
    type: { value: 'TYPE', help: 'user.update or transaction.update' },
    ref: { value: 'ID', help: 'of a transaction or a user' },
    outcome: { value: 'OUTCOME', help: 'delivered, rejected, refused, timeout, suppressed, …' },
    after: WAIT_OPTIONS.after,
    limit: { value: 'N', help: 'how many to show; 100 by default' },
  },
  call: ({ values: { type, ref, outcome, after, limit } }) => ({
    method: 'GET',
    path: '/webhooks/deliveries',
    query: { type, ref, outcome, after, limit },
  }),
  format: ({ deliveries: all }: DeliveryPage) => all.map(formatDelivery).join('\n'),
})
