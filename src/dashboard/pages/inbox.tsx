import { MESSAGE_KINDS, type Message } from '../../world/state.ts'
import { PENDING } from '../../world/transaction-status.ts'
import { quote } from '../format.ts'
import { journalRows, keptQuery, matcher, pageOf, RowLink, Split } from '../list.tsx'
import { Act, Badge, Card, Copy, Empty, Fields, Time } from '../parts.tsx'
import type { Draw, View } from '../view.ts'

export const inbox: Draw = (view, id) => {
  const { world, query } = view
  const [, position] = /^msg_(\d{1,15})$/.exec(id ?? '') ?? []
  const chosen = position === undefined ? undefined : world.messages.at(Number(position))
  if (id !== undefined && !chosen) return undefined
  const list = pageOf(view, journalRows(world.messages), findMatcher(view))
  const isNarrowed = Boolean(query.get('q') || query.get('kind'))
  const body = (
    <Split
      view={view}
      name="inbox"
      title="Inbox"
      noun="message"
      list={list}
      filter={{ name: 'kind', label: 'Any kind', options: MESSAGE_KINDS }}
      detail={chosen && <MessageDetail view={view} message={chosen} />}
    >
      {list.rows.length > 0 ? (
        <ol class="rows">
          {list.rows.map((row) => (
            <RowLink key={row.id} view={view} name="inbox" id={row.id} chosen={row === chosen}>
              <span class="first">{row.subject}</span>
              <span>{row.code ? <code>{row.code}</code> : ''}</span>
              <span class="second">{row.to}</span>
              <Time at={row.sentAt} now={world.now} />
            </RowLink>
          ))}
        </ol>
      ) : isNarrowed ? (
        <Empty title="No message matches.">
          <a href={view.page('inbox', { ...keptQuery(view), q: undefined, kind: undefined })}>
            Show all
          </a>
        </Empty>
      ) : (
        <Empty title="Nothing was written to anybody yet.">
          <p>
            Login codes, money requests and decisions of reviewers land here. A verified user gets a
            code with <code>POST /v2/auth/login-codes</code>.
          </p>
        </Empty>
      )}
    </Split>
  )
  return { title: chosen ? chosen.subject : 'Inbox', part: 'Inbox', body }
}

function findMatcher({ query }: View): ((row: Message) => boolean) | undefined {
  const kind = query.get('kind')
  const fits = matcher(query.get('q'))
  if (!kind && !fits) return undefined
  return (row) =>
    (!kind || row.kind === kind) &&
    (!fits || fits([row.id, row.to, row.subject, row.text, row.code, row.ref, row.kind]))
}

const MessageDetail = ({ view, message }: { view: View; message: Message }) => {
  const { world } = view
  const { to, kind, subject, text, code, ref, sentAt } = message
  const url = `${view.baseUrl}/_sandbox/inbox?email=${encodeURIComponent(to)}`
  const user = world.usersByEmail.get(to.toLowerCase())
  return (
    <>
      <header class="detail-head">
        <div class="line">
          <h1>{subject}</h1>
          <Badge status={kind} tone="quiet" />
        </div>
        <div class="line quiet">
          <Time at={sentAt} now={world.now} full />
          <Copy text={`curl -sS ${quote(url)}`} what="this inbox" label="Copy curl" />
        </div>
      </header>
      <Card title={`To ${to}`}>
        <div class="message">
          {code && (
            <p class="big-code">
              {code} <Copy text={code} what="the code" />
            </p>
          )}
          <p class="verdict">{text}</p>
          <Answer view={view} message={message} />
        </div>
      </Card>
      <Card title="About">
        <Fields
          rows={[
            ['User', user ? <a href={view.page(`users/${user.id}`)}>{user.email}</a> : to],
            [
              'Transaction',
              ref && world.transactionsById.has(ref) ? (
                <a href={view.page(`transactions/${ref}`)}>{ref}</a>
              ) : null,
            ],
          ]}
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
        <Act view={view} path={`${path}/funds-received`} kind="primary">
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
        href={view.link(`/_sandbox/bank/${transaction.id}`)}
        target="_blank"
        rel="noreferrer"
      >
        Open the bank's page
      </a>
      <Act view={view} path={`${path}/funds-received`}>
        Approve
      </Act>
      <Act view={view} path={`${path}/bank-refused`} kind="danger" done="The bank refused">
        Refuse
      </Act>
    </div>
  )
}
