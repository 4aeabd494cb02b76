import { createRemote, post } from './remote.ts'

export const drain = createRemote({
  name: 'drain',
  about: 'Waits until no webhook is on its way.',
  options: { timeout: { value: 'LENGTH', help: 'at most that long; 60s by default' } },
  call: ({ values: { timeout } }) => post('/webhooks/drain', { timeout }),
  format: ({ pending }: { pending: number }) =>
    pending === 0 ? 'No webhook is on its way.' : `${pending} webhooks are still on their way.`,
  complain: ({ pending }) => (pending === 0 ? undefined : 'Not every webhook has ended.'),
})
