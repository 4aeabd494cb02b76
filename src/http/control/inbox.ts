import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { toBankLink } from '../../world/links.ts'
import { MESSAGE_KINDS, type Message } from '../../world/state.ts'
import { titled } from '../titled.ts'
import { lever } from './dialect.ts'
import { Cursor, Filter, Timeout, when, whenEqual } from './page.ts'
import { poll, TOO_MANY_WAIT } from './poll.ts'
import { CauseRecord, presentCause, type Seen, seenBy, WorldTime } from './shapes.ts'

const ReadInbox = () =>
  z.strictObject({
    email: Filter(),
    kind: z.enum(MESSAGE_KINDS).optional(),
    ref: Filter(),
    after: Cursor(),
    timeout: Timeout(),
  })

export const MessageRecord = () =>
  titled('Message', {
    id: z.string(),
    to: z.string().describe("The user's e-mail address."),
    kind: z.enum(MESSAGE_KINDS),
    subject: z.string(),
    text: z.string(),
    code: z
      .string()
      .optional()
      .describe(
        'What the user has to enter: the four digits of a login code, the reference of a money request, the security answer of a payout.',
      ),
    url: z
      .url()
      .optional()
      .describe("Of a money request: the page of the user's bank, to approve or refuse it."),
    ref: z.string().nullable().describe('Id of the transaction it is about, if any.'),
    sentAt: WorldTime(),
    cause: CauseRecord(),
  }).describe('What the service, or the bank, sent to a user.')
export type MessageRecord = z.output<ReturnType<typeof MessageRecord>>

export const MessagePage = () =>
  z.strictObject({
    matched: z.boolean(),
    messages: z.array(MessageRecord()),
    cursor: z.string(),
    nearest: z.string().optional().describe('When nothing matched: what came nearest.'),
  })
export type MessagePage = z.output<ReturnType<typeof MessagePage>>

export const inbox = [
  lever('inbox.read', {
    id: 'readInbox',
    summary: 'Read what users were sent: login codes, money requests, payouts',
    about:
      'Reads what users were sent: login codes, money requests, results of identity checks and more. Without `after` it begins with the first message. With `timeout` it waits until enough match, and answers at once when they do.',
    success: 'The messages, whether or not there were enough: see `matched`.',
    words: 'inbox [EMAIL]',
    example: 'inbox ana@example.com --code',
    tool: true,
    query: ReadInbox,
    answer: MessagePage,
    errors: TOO_MANY_WAIT,
    async handle(call) {
      const { email, kind, ref, ...query } = call.input.query
      const seen = seenBy(call.c)
      const { matched, rows, ...rest } = await poll(call, query, {
        kind: 'message',
        noun: 'message',
        journal: call.services.world.messages,
        conditions: [
          ...when('email', email?.toLowerCase(), ({ to }: Message, of) => to.toLowerCase() === of),
          ...whenEqual<Message>({ kind, ref }),
        ],
        format: (message) => `${message.kind} to ${message.to}`,
        present: (message) => presentMessage(message, seen),
      })
      return { matched, messages: rows, ...rest }
    },
  }),
]

/** A message, with the page of the user's bank where there is a request to answer. */
export function presentMessage(message: Message, { services, baseUrl }: Seen): MessageRecord {
  const { id, cursor, to, kind, subject, text, code, ref, sentAt } = message
  const cause = presentCause(services.timeline.causeOf('messages', cursor))
  const about = { id, to, kind, subject, text, ref, sentAt: formatInstant(sentAt), cause }
  return {
    ...about,
    ...(code !== null && { code }),
    ...(kind === 'money-request' && {
      url: `${baseUrl}/_sandbox/bank/${toBankLink(services.world, ref ?? '')}`,
    }),
  }
}
