import { findInJournal } from '../../http/control/page.ts'
import { toBankLink } from '../../world/links.ts'
import { MESSAGE_KINDS, type Message } from '../../world/state.ts'
import { PENDING } from '../../world/transaction-status.ts'
import { shellQuote } from '../format.ts'
import { Act } from '../forms.tsx'
import type { List } from '../list.tsx'
import { Badge, Card, Copy, DetailHead, Fields, Time } from '../parts.tsx'
import { journalRows } from '../rows.ts'
import { CauseLink } from '../timeline/entry-list.tsx'
import type { View } from '../view.ts'

export const inbox: List<Message> = {
  name: 'inbox',
  title: 'Inbox',
  noun: 'message',
  rows: ({ world }) => journalRows(world.messages),
  find: ({ world }, id) => findInJournal(world.messages, 'msg', id),
  hidden: ({ ref, kind }) => [ref, kind],
  filters: [
    { name: 'kind', label: 'Any kind', of: ({ kind }) => kind, options: () => MESSAGE_KINDS },
  ],
  columns: [
    { name: 'Subject', value: ({ subject }) => subject },
    {
      name: 'Code',
      kind: 'mark',
      value: ({ code }) => code ?? '',
      show: ({ code }) => <code>{code}</code>,
    },
    { name: 'To', isSecond: true, value: ({ to }) => to },
    { name: 'Text', kind: 'fill', value: ({ text }) => text },
  ],
  time: { name: 'Sent', of: ({ sentAt }) => sentAt },
  heading: ({ subject }) => subject,
  detail: (message, view) => <MessageDetail view={view} message={message} />,
  empty: {
    title: 'No messages yet.',
    body: () => (
      <p>
        Login codes, money requests and decisions of reviewers are kept here. A verified user gets a
        code with <code>POST /v2/auth/login-codes</code>.
      </p>
    ),
  },
}

const MessageDetail = ({ view, message }: { view: View; message: Message }) => {
  const { world } = view
  const { cursor, to, kind, subject, text, code, ref, sentAt } = message
  const cause = view.services.timeline.causeOf('messages', cursor)
  const url = `${view.baseUrl}/_sandbox/inbox?email=${encodeURIComponent(to)}`
  const user = world.usersByEmail.get(to.toLowerCase())
  return (
    <>
      <DetailHead title={subject} badge={<Badge status={kind} tone="quiet" />}>
        <Time at={sentAt} />
        <Copy text={`curl -sS ${shellQuote(url)}`} what="this inbox" label="Copy curl" />
      </DetailHead>
      <Card title={`To ${to}`}>
        <div class="stack">
          {code && (
            <p class="big-code">
              {code} <Copy text={code} what="the code" />
            </p>
          )}
          <p>{text}</p>
          <Answer view={view} message={message} />
        </div>
      </Card>
      <Card title="About">
        <Fields
          rows={{
            'Caused by': cause && <CauseLink view={view} cause={cause} />,
            User: user ? <a href={view.page(`users/${user.id}`)}>{user.email}</a> : to,
            Transaction:
              ref && world.transactionsById.has(ref) ? (
                <a href={view.page(`transactions/${ref}`)}>{ref}</a>
              ) : undefined,
          }}
        />
      </Card>
    </>
  )
}

/** What the user can do with a message. */
const Answer = ({ view, message: { kind, ref } }: { view: View; message: Message }) => {
  const transaction = view.world.transactionsById.get(ref ?? '')
  if (!transaction || transaction.status !== PENDING) return null
  const path = `/_sandbox/simulate/transactions/${transaction.id}`
  if (kind === 'deposit-instructions') {
    return (
      <div class="actions">
        <Act path={`${path}/funds-received`} kind="primary">
          Send the coins
        </Act>
      </div>
    )
  }
  if (kind !== 'money-request') return null
  return (
    <div class="actions">
      <a
        class="button primary"
        href={view.link(`/_sandbox/bank/${toBankLink(view.world, transaction.id)}`)}
        target="_blank"
        rel="noreferrer"
      >
        Open the bank's page
      </a>
      <Act path={`${path}/funds-received`}>Approve</Act>
      <Act
        path={`${path}/bank-refused`}
        kind="danger"
        done="The bank declined; it stays pending, and the user may pay until it expires"
      >
        Decline
      </Act>
    </div>
  )
}
