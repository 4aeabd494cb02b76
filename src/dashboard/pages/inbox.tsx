import { findById } from '../../world/entries.ts'
import { toBankLink } from '../../world/links.ts'
import { MESSAGE_KINDS, type Message } from '../../world/state.ts'
import { PENDING } from '../../world/transaction-status.ts'
import { Act } from '../forms.tsx'
import { Badge, Card, Copy, curlOf, DetailHead, linkTo, linkToUser } from '../parts.tsx'
import type { List } from '../rows.ts'
import { linkToCause } from '../timeline/entry-list.tsx'
import type { View } from '../view.ts'

export const inbox: List<Message> = {
  name: 'inbox',
  title: 'Inbox',
  noun: 'message',
  rows: ({ world }) => world.messages.after(0),
  find: ({ world }, id) => findById(world.messages, id),
  hidden: ({ ref, kind }) => [ref, kind],
  filters: [
    { name: 'kind', label: 'Any kind', of: ({ kind }) => kind, options: () => MESSAGE_KINDS },
  ],
  columns: [
    { name: 'Subject', value: ({ subject }) => subject },
    { name: 'Code', kind: 'mark', value: (row) => row.code ?? '', show: showCode },
    { name: 'To', isSecond: true, value: ({ to }) => to },
    { name: 'Text', kind: 'fill', value: ({ text }) => text },
  ],
  forgotten: ({ world: { messages } }) => messages.total - messages.count,
  time: { name: 'Sent', of: ({ sentAt }) => sentAt },
  detail: showMessage,
  empty: {
    title: 'No messages yet.',
    body: () => (
      <p>
        Login codes, money requests and reviewers’ decisions appear here. A verified user gets a
        code with <code>POST /v2/auth/login-codes</code>.
      </p>
    ),
  },
}

function showCode({ code }: Message) {
  return <code>{code}</code>
}

function showMessage(message: Message, view: View) {
  const { world } = view
  const { to, kind, subject, text, code, ref, sentAt } = message
  return (
    <>
      <DetailHead
        title={subject}
        badge={<Badge status={kind} tone="quiet" />}
        at={sentAt}
        noun="inbox"
        curl={curlOf(view, `inbox?email=${encodeURIComponent(to)}`)}
      />
      <Card title={`To ${to}`}>
        <div class="stack">
          {code && (
            <p class="big-code">
              {code} <Copy text={code} what="the code" />
            </p>
          )}
          <p>{text}</p>
          {showChoices(view, message)}
        </div>
      </Card>
      <Card
        title="About"
        fields={{
          'Caused by': linkToCause(view, view.services.journal.causeOf(message)),
          User: linkToUser(view, world.usersByEmail.get(to.toLowerCase())) ?? to,
          Transaction:
            world.transactionsById.has(ref ?? '') && linkTo(view, `transactions/${ref}`, ref),
        }}
      />
    </>
  )
}

function showChoices(view: View, { kind, ref }: Message) {
  const transaction = view.world.transactionsById.get(ref ?? '')
  if (transaction?.status !== PENDING) return null
  const path = `/_sandbox/simulate/transactions/${transaction.id}`
  if (kind === 'deposit-instructions') {
    return (
      <div class="actions">
        <Act call={`${path}/funds-received`} kind="primary">
          Send the coins
        </Act>
      </div>
    )
  }
  if (kind !== 'money-request') return null
  return (
    <div class="actions">
      <BankLink view={view} id={transaction.id} kind="primary" />
      <Act call={`${path}/funds-received`}>Approve</Act>
      <Act call={`${path}/bank-refused`} kind="danger" done={BANK_DECLINED}>
        Decline
      </Act>
    </div>
  )
}

export const BANK_DECLINED =
  'Bank declined. The transaction stays pending, so the user can still pay until it expires'

export const BankLink = ({ view, id, kind = '' }: { view: View; id: string; kind?: string }) => (
  <a
    class={`button ${kind}`}
    href={view.link(`/_sandbox/bank/${toBankLink(view.world, id)}`)}
    target="_blank"
    rel="noreferrer"
  >
    Open the bank's page
  </a>
)
