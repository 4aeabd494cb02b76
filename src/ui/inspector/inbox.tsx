import type { MessageRecord } from '../../control-api/wire.ts'
import { curlOf } from '../lib/curl.ts'
import { Act } from '../lib/form.tsx'
import { List, type ListProps } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { Badge, Card, Copy, DetailHead } from '../lib/parts.tsx'
import { urlOf } from '../lib/router.ts'
import { useTitle } from '../lib/title.ts'
import { Cause } from './delivery.tsx'
import { Gone } from './gone.tsx'

/** A record, because it does not compile when a kind is added. */
const KINDS: Readonly<Record<MessageRecord['kind'], true>> = {
  'login-code': true,
  'kyc-result': true,
  'money-request': true,
  'deposit-instructions': true,
  'bank-refusal': true,
  payout: true,
  'transaction-closed': true,
}

/** What users were sent, with the codes that they have to enter. */
export const INBOX: ListProps<'inbox.read', MessageRecord> = {
  name: 'inbox',
  title: 'Inbox',
  noun: 'message',
  path: '/inbox',
  rowsOf: ({ messages }) => messages,
  filters: [{ name: 'kind', label: 'Any kind', options: Object.keys(KINDS) }],
  columns: [
    { name: 'Subject', show: ({ subject }) => subject },
    { name: 'Code', kind: 'mark', show: ({ code }) => code && <code>{code}</code> },
    { name: 'To', isSecond: true, show: ({ to }) => to },
    { name: 'Text', kind: 'fill', show: ({ text }) => text },
  ],
  time: { name: 'Sent', of: ({ sentAt }) => sentAt },
  detail: (id, row) => <MessageOf id={id} row={row} />,
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

export const Inbox = () => <List {...INBOX} />

/** Finds a message that is not in the list, because it is older or filtered out. */
const MessageOf = ({ id, row }: { id: string; row: MessageRecord | undefined }) => {
  const search = new URLSearchParams({ q: id, last: '100' })
  const { data } = useRead<'inbox.read'>(row ? undefined : `/inbox?${search}`)
  const found = row ?? data?.messages.find((message) => message.id === id)
  useTitle(found?.subject)
  if (found) return <Message row={found} />
  return data ? <Gone text={`There is no message ${id}, or no longer.`} /> : null
}

const Message = ({ row }: { row: MessageRecord }) => {
  const { to, kind, subject, text, code, ref, sentAt } = row
  const user = useRead<'users.get'>(`/users/${encodeURIComponent(to)}`).data
  return (
    <>
      <DetailHead
        title={subject}
        badge={<Badge status={kind} tone="quiet" />}
        at={sentAt}
        noun="inbox"
        curl={curlOf(`/inbox?email=${encodeURIComponent(to)}`)}
      />
      <Card title={`To ${to}`}>
        <div class="stack">
          {code && (
            <p class="big-code">
              {code} <Copy text={code} what="the code" />
            </p>
          )}
          <p>{text}</p>
          <Choices of={row} />
        </div>
      </Card>
      <Card
        title="About"
        fields={{
          'Caused by': <Cause of={row} />,
          User: user ? <a href={urlOf(`users/${user.id}`)}>{user.email}</a> : to,
          Transaction: ref && <a href={urlOf(`transactions/${ref}`)}>{ref}</a>,
        }}
      />
    </>
  )
}

const BANK_DECLINED =
  'Bank declined. The transaction stays pending, so the user can still pay until it expires'

/** What the user, or the bank, can still do about a message. */
const Choices = ({ of: { kind, ref, url } }: { of: MessageRecord }) => {
  const isOffer = kind === 'deposit-instructions' || kind === 'money-request'
  const path = `/transactions/${ref}`
  const transaction = useRead<'transactions.get'>(isOffer && ref ? path : undefined).data
  if (transaction?.status !== 'pending request money transfer') return null
  const call = `/_sandbox/simulate${path}`
  if (kind === 'deposit-instructions') {
    return (
      <div class="actions">
        <Act call={`${call}/funds-received`} kind="primary">
          Send the coins
        </Act>
      </div>
    )
  }
  return (
    <div class="actions">
      <a class="button primary" href={url ?? ''} target="_blank" rel="noreferrer">
        Open the bank's page
      </a>
      <Act call={`${call}/funds-received`}>Approve</Act>
      <Act call={`${call}/bank-refused`} kind="danger" done={BANK_DECLINED}>
        Decline
      </Act>
    </div>
  )
}
