import type { Delivery, Message, SandboxEvent } from '../client/types.ts'
import { formatDelivery } from './control-format.ts'
import { createRemote, post } from './remote.ts'

interface Polled {
  matched: boolean
  nearest?: string
}

const WAITING = {
  after: { value: 'CURSOR', help: 'only what came after that, as an earlier answer says it' },
  timeout: { value: 'LENGTH', help: 'wait for it that long, and end with 1 if it does not come' },
} as const

const inbox = createRemote({
  name: 'inbox',
  about: 'Says what was written to a user; with --code just the newest code, for a script.',
  words: ['[EMAIL]'],
  options: {
    kind: { value: 'KIND', help: 'login-code, money-request, payout, …' },
    code: { help: 'print the code of the newest login code, and nothing else' },
    ...WAITING,
  },
  call: ({ words: [email], values: { kind, code, after, timeout } }) => ({
    method: 'GET',
    path: '/inbox',
    query: { email, kind: kind ?? (code ? 'login-code' : undefined), after, timeout },
  }),
  format({ messages }: Polled & { messages: Message[] }, { code }) {
    if (code) return messages.at(-1)?.code ?? ''
    return messages.map(({ sentAt, to, text }) => `${sentAt}  ${to}  ${text}`).join('\n')
  },
  complain: ({ matched, nearest }, { code, timeout }) =>
    matched || !(code || timeout) ? undefined : (nearest ?? 'No message came.'),
})

const events = createRemote({
  name: 'events',
  about: 'Says what happened in the world, whether or not a webhook told of it.',
  options: {
    type: { value: 'TYPE', help: 'user.update or transaction.update' },
    ref: { value: 'ID', help: 'of a transaction or a user' },
    status: { value: 'STATUS', help: 'what it became' },
    count: { value: 'N', help: 'how many to wait for, and to say' },
    ...WAITING,
  },
  call: ({ values: { type, ref, status, count, after, timeout } }) => ({
    method: 'GET',
    path: '/events',
    query: { type, ref, status, count, after, timeout },
  }),
  format: ({ events: all }: Polled & { events: SandboxEvent[] }) =>
    all.map(({ at, type, ref, status }) => `${at}  ${type} ${ref}: ${status}`).join('\n'),
  complain: ({ matched, nearest }, { timeout }) =>
    matched || timeout === undefined ? undefined : (nearest ?? 'No event came.'),
})

const deliveries = createRemote({
  name: 'deliveries',
  about: 'Says which webhooks were sent where, and what was answered.',
  options: {
    type: { value: 'TYPE', help: 'user.update or transaction.update' },
    ref: { value: 'ID', help: 'of a transaction or a user' },
    outcome: { value: 'OUTCOME', help: 'delivered, rejected, refused, timeout, suppressed, …' },
    after: WAITING.after,
    limit: { value: 'N', help: 'how many to say; 100 by default' },
  },
  call: ({ values: { type, ref, outcome, after, limit } }) => ({
    method: 'GET',
    path: '/webhooks/deliveries',
    query: { type, ref, outcome, after, limit },
  }),
  format: ({ deliveries: all }: { deliveries: Delivery[] }) => all.map(formatDelivery).join('\n'),
})

const drain = createRemote({
  name: 'drain',
  about: 'Waits until no webhook is on its way.',
  options: { timeout: { value: 'LENGTH', help: 'at most that long; 60s by default' } },
  call: ({ values: { timeout } }) =>
    post('/webhooks/drain', timeout === undefined ? {} : { timeout }),
  format: ({ pending }: { pending: number }) =>
    pending === 0 ? 'No webhook is on its way.' : `${pending} webhooks are still on their way.`,
  complain: ({ pending }) => (pending === 0 ? undefined : 'Not every webhook has ended.'),
})

/** What reads the lists that grow. */
export const journals = { inbox, events, deliveries, drain }
