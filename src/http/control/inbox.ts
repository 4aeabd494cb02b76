import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { MESSAGE_KINDS, type Message } from '../../world/state.ts'
import { requireControl } from './auth.ts'
import { baseUrlOf } from './base-url.ts'
import { operation } from './dialect.ts'
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
  z
    .strictObject({
      id: z.string(),
      to: z.string(),
      kind: z.enum(MESSAGE_KINDS),
      subject: z.string(),
      text: z.string(),
      code: z.string().optional(),
      url: z.url().optional(),
      ref: z.string().nullable(),
      sentAt: z.iso.datetime(),
    })
    .meta({ title: 'Message' })

export const inbox = [
  operation({
    id: 'readInbox',
    method: 'GET',
    path: '/_sandbox/inbox',
    summary: 'Read what was written to users, the moment something matches',
    auth: requireControl,
    query: ReadInbox,
    answer: () =>
      z.strictObject({
        matched: z.boolean(),
        messages: z.array(MessageAnswer()),
        cursor: z.string(),
        nearest: z.string().optional(),
      }),
    errors: TOO_MANY_WAIT,
    async handle(call) {
      const { email, kind, ref, ...query } = call.input.query
      const { matched, rows, cursor, nearest } = await poll(call, query, {
        kind: 'message',
        noun: 'message',
        journal: call.services.world.messages,
        conditions: [
          ...when('email', email?.toLowerCase(), ({ to }: Message, of) => to.toLowerCase() === of),
          ...when('kind', kind, (message: Message, wanted) => message.kind === wanted),
          ...when('ref', ref, (message: Message, wanted) => message.ref === wanted),
        ],
        tell: (message) => `${message.kind} to ${message.to}`,
      })
      const baseUrl = baseUrlOf(call.c)
      const messages = rows.map((message) => showMessage(message, baseUrl))
      const shown = { matched, messages, cursor }
      return nearest === undefined ? shown : { ...shown, nearest }
    },
  }),
]

/** A message, with the page of the user's bank where there is a request to answer. */
export function showMessage(message: Message, baseUrl: string) {
  const { id, to, kind, subject, text, code, ref, sentAt } = message
  const about = { id, to, kind, subject, text, ref, sentAt: formatInstant(sentAt) }
  return {
    ...about,
    ...(code !== null && { code }),
    ...(kind === 'money-request' && { url: `${baseUrl}/_sandbox/bank/${ref}` }),
  }
}
