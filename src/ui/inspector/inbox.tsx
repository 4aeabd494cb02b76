import type { MessageRecord } from '../../control-api/wire.ts'
import { curlOf } from '../lib/curl.ts'
import { Act } from '../lib/form.tsx'
import type { ListProps } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { withQuery } from '../lib/page.ts'
import { Badge, Card, Copy, DetailHead } from '../lib/parts.tsx'
import { urlOf } from '../lib/router.ts'
import { Cause } from './delivery.tsx'

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

/** Messages to users, with the codes that they have to enter. */
export const INBOX: ListProps<'inbox.read', MessageRecord> = {
  name: 'inbox',
  title: 'Inbox',
  noun: 'message',
  path: '/inbox',
  isFound: true,
  rowsOf: ({ messages }) => messages,
  filters: [{ name: 'kind', label: 'Any kind', options: Object.keys(KINDS) }],
  columns: [
    { name: 'Subject', show: ({ subject }) => subject },
    { name: 'Code', kind: 'mark', show: ({ code }) => code && <code>{code}</code> },
    { name: 'To', isSecond: true, show: ({ to }) => to },
    { name: 'Text', kind: 'fill', show: ({ text }) => text },
  ],
  time: ['Sent', ({ sentAt }) => sentAt],
  detail: (row) => {
    const { to, kind, subject, text, code, ref, sentAt } = row
    return (
      <>
        <DetailHead
          title={subject}
          badge={<Badge status={kind} tone="quiet" />}
          at={sentAt}
          noun="message"
          curl={curlOf(withQuery('/inbox', { email: to }))}
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
            User: <a href={urlOf(`users/${encodeURIComponent(to)}`)}>{to}</a>,
            Transaction: ref && kind !== 'kyc-result' && (
              <a href={urlOf(`transactions/${ref}`)}>{ref}</a>
            ),
          }}
        />
      </>
    )
  },
  empty: [
    'No messages yet.',
    () => (
      <p>
        Login codes, money requests and reviewers’ decisions appear here. A verified user gets a
        code with <code>POST /v2/auth/login-codes</code>.
      </p>
    ),
  ],
}

/** Decisions that the user or the bank can still make about a message. */
const Choices = ({ of: { kind, ref, url } }: { of: MessageRecord }) => {
  const isRequest = kind === 'money-request'
  const path = `/transactions/${ref}`
  const isOffer = isRequest || kind === 'deposit-instructions'
  const transaction = useRead<'transactions.get'>(isOffer ? path : undefined).data
  if (transaction?.status !== 'pending request money transfer') return null
  const call = `/simulate${path}`
  return (
    <div class="actions">
      {isRequest && (
        <a class="button primary" href={url ?? ''} target="_blank" rel="noreferrer">
          Open the bank's page
        </a>
      )}
      <Act call={`${call}/funds-received`} kind={isRequest ? 'plain' : 'primary'}>
        {isRequest ? 'Approve' : 'Send the coins'}
      </Act>
      {isRequest && (
        <Act call={`${call}/bank-refused`} kind="danger" done="Bank declined">
          Decline
        </Act>
      )}
    </div>
  )
}
