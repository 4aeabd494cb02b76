import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { MESSAGE_KINDS, type Message } from '../../world/facts.ts'
import { operation } from './dialect.ts'
import { byControl } from './guard.ts'
import { when } from './near-miss.ts'
import { Cursor, Filter, Timeout } from './page.ts'
import { poll } from './poll.ts'
import { TOO_MANY_WAIT } from './wait.ts'

const ReadInbox = () =>
  z.strictObject({
    email: Filter(),
    kind: z.enum(MESSAGE_KINDS).optional(),
    ref: Filter(),
    after: Cursor(),
    timeout: Timeout(),
  })

const MessageAnswer = () =>
  z.strictObject({
    id: z.string(),
    to: z.string(),
    kind: z.enum(MESSAGE_KINDS),
    subject: z.string(),
    text: z.string(),
    code: z.string().optional(),
    ref: z.string().nullable(),
    sentAt: z.iso.datetime(),
  })

export const inbox = [
  operation({
    id: 'readInbox',
    method: 'GET',
    path: '/_sandbox/inbox',
    summary: 'Read what was written to users, the moment something matches',
    guard: byControl,
    query: ReadInbox,
    answer: () =>
      z.strictObject({
        matched: z.boolean(),
        messages: z.array(MessageAnswer()),
        cursor: z.string(),
        nearest: z.string().optional(),
      }),
    refuses: TOO_MANY_WAIT,
    async handle(call) {
      const { email, kind, ref, ...query } = call.input.query
      const { matched, rows, cursor, nearest } = await poll(call, query, {
        kind: 'message',
        noun: 'message',
        journal: call.doors.world.messages,
        conditions: [
          ...when('email', email?.toLowerCase(), ({ to }: Message, of) => to.toLowerCase() === of),
          ...when('kind', kind, (message: Message, wanted) => message.kind === wanted),
          ...when('ref', ref, (message: Message, wanted) => message.ref === wanted),
        ],
        tell: (message) => `${message.kind} to ${message.to}`,
      })
      const shown = { matched, messages: rows.map(showMessage), cursor }
      return nearest === undefined ? shown : { ...shown, nearest }
    },
  }),
]

export function showMessage({ id, to, kind, subject, text, code, ref, sentAt }: Message) {
  const about = { id, to, kind, subject, text, ref, sentAt: formatInstant(sentAt) }
  return code === null ? about : { ...about, code }
}
