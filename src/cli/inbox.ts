import type { MessagePage } from '../http/control/wire.ts'
import { createRemote, WAIT_OPTIONS } from './remote.ts'

export const inbox = createRemote({
  name: 'inbox',
  about: 'Shows what was sent to a user; with --code just the newest code, for a script.',
  words: ['[EMAIL]'],
  options: {
    kind: { value: 'KIND', help: 'login-code, money-request, payout, …' },
    code: { help: 'print the code of the newest login code, and nothing else' },
    ...WAIT_OPTIONS,
  },
  call: ({ words: [email], values: { kind, code, after, timeout } }) => ({
    method: 'GET',
    path: '/inbox',
    query: { email, kind: kind ?? (code ? 'login-code' : undefined), after, timeout },
  }),
  format({ messages }: MessagePage, { code }) {
    if (code) return messages.at(-1)?.code ?? ''
    return messages.map(({ sentAt, to, text }) => `${sentAt}  ${to}  ${text}`).join('\n')
  },
  complain: ({ matched, nearest }, { code, timeout }) =>
    matched || !(code || timeout) ? undefined : (nearest ?? 'No message came.'),
})
