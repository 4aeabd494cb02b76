import type { EventPage } from '../http/control/wire.ts'
import { createRemote, WAIT_OPTIONS } from './remote.ts'

export const events = createRemote({
  name: 'events',
  about: 'Shows what happened in the world, whether or not a webhook was sent about it.',
  options: {
    type: { value: 'TYPE', help: 'user.update or transaction.update' },
    ref: { value: 'ID', help: 'of a transaction or a user' },
    status: { value: 'STATUS', help: 'what it became' },
    count: { value: 'N', help: 'how many to wait for, and to show' },
    ...WAIT_OPTIONS,
  },
  call: ({ values: { type, ref, status, count, after, timeout } }) => ({
    method: 'GET',
    path: '/events',
    query: { type, ref, status, count, after, timeout },
  }),
  format: ({ events: all }: EventPage) =>
    all.map(({ at, type, ref, status }) => `${at}  ${type} ${ref}: ${status}`).join('\n'),
  complain: ({ matched, nearest }, { timeout }) =>
    matched || timeout === undefined ? undefined : (nearest ?? 'No event came.'),
})
