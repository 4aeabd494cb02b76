import type { CallRecord } from '../../engine/request-journal.ts'
import { decode, formatJson, shellQuote } from '../format.ts'
import type { List } from '../list.tsx'
import { Badge, Card, Code, Copy, DetailHead, Fields, Id, Time } from '../parts.tsx'
import { findInJournal, journalRows } from '../rows.ts'
import type { View } from '../view.ts'

export const requests: List<CallRecord> = {
  name: 'requests',
  title: 'Requests',
  noun: 'request',
  rows: ({ services }) => journalRows(services.requests),
  find: ({ services }, id) => findInJournal(services.requests, 'req', id),
  texts,
  filter: {
    name: 'status',
    label: 'Any answer',
    options: ['refused', 'accepted'],
    matches: ({ problem }, option) => (problem !== null) === (option === 'refused'),
  },
  columns: [
    { name: 'Request', cell: formatCall },
    { name: 'Status', place: 'mark', cell: statusBadge },
    {
      name: 'Result',
      place: 'second',
      cell: ({ problem, operation }) => problem?.message ?? operation ?? '',
    },
    {
      name: 'User',
      cell: ({ userId }, { world }) => world.usersById.get(userId ?? '')?.email ?? '',
    },
    { name: 'Integrator', cell: ({ integrator }) => integrator ?? '' },
  ],
  at: ({ at }) => at,
  atName: 'Time',
  line: { badge: statusBadge, text: formatCall },
  heading: ({ id }) => id,
  detail: (request, view) => <RequestDetail view={view} request={request} />,
  noMatch: 'No request matches.',
  empty: {
    title: 'Nobody called the API yet.',
    body: (view) => (
      <>
        <p>Every call of the contract is kept here, with the reason when it is refused. Try one:</p>
        <Code text={firstCurl(view)} what="a first call as curl" />
      </>
    ),
  },
}

/** A call that works in any world. */
export function firstCurl({ world, baseUrl }: View): string {
  const key = world.integrators[0]?.apiKey ?? ''
  const url = `${baseUrl}/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH`
  return `curl -sS -H ${shellQuote(`x-api-key: ${key}`)} ${shellQuote(url)}`
}

function formatCall({ method, url }: CallRecord, view: View): string {
  const { pathname, search } = new URL(url)
  return `${method} ${pathname.slice(view.prefix.length)}${search}`
}

function texts({ id, method, url, operation, status, problem, integrator, userId }: CallRecord) {
  const call = `${id} ${method} ${decode(url)} ${operation} ${status} ${integrator} ${userId}`
  return [call, problem?.message, problem?.detail.rule]
}

function statusBadge({ status }: CallRecord) {
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return <Badge status={String(status)} tone={tone} />
}

const RequestDetail = ({ view, request }: { view: View; request: CallRecord }) => {
  const { id, at, body, answer } = request
  const sent = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return (
    <>
      <DetailHead title={formatCall(request, view)} badge={statusBadge(request)}>
        <Time at={at} />
        <Id id={id} what="the request's id" />
        <Copy text={toCurl(view, request)} what="this request" label="Copy curl" />
      </DetailHead>
      <Reason request={request} />
      <Caller view={view} request={request} />
      {body !== null && (
        <Card title="Sent">
          <Code text={sent} what="the body that was sent" />
        </Card>
      )}
      {answer !== null && (
        <Card title="Answered">
          <Code text={formatJson(answer)} what="the answer" />
        </Card>
      )}
    </>
  )
}

const Reason = ({ request: { problem, notes } }: { request: CallRecord }) => (
  <>
    {problem && (
      <Card title="Why it was refused">
        <div class="reason">
          {problem.problems.map(({ field, message }) => (
            <p key={field}>
              {!message.includes(field) && <code>{field}</code>} {message}
            </p>
          ))}
        </div>
        <Fields
          rows={[
            ['Place in the contract', problem.detail.rule ?? ''],
            ['What would work', problem.detail.hint ?? ''],
            ['Nearest', problem.detail.nearest ?? ''],
          ]}
        />
      </Card>
    )}
    {notes.length > 0 && (
      <Card title="Notes">
        <ul class="stack">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </Card>
    )}
  </>
)

const Caller = ({ view, request }: { view: View; request: CallRecord }) => {
  const { operation, integrator, userId } = request
  const user = view.world.usersById.get(userId ?? '')
  return (
    <Card title="Call">
      <Fields
        rows={[
          ['Operation', operation ?? ''],
          ['Integrator', integrator ?? ''],
          ['User', user ? <a href={view.page(`users/${user.id}`)}>{user.email}</a> : ''],
        ]}
      />
    </Card>
  )
}

/** The same call as curl; tokens are not kept, so it has a variable. */
function toCurl({ world }: View, { method, url, body, integrator, userId }: CallRecord): string {
  const key = world.integratorsByName.get(integrator ?? '')?.apiKey ?? world.integrators[0]?.apiKey
  const parts = ['curl -sS', ...(method === 'GET' ? [] : [`-X ${method}`])]
  parts.push(`-H ${shellQuote(`x-api-key: ${key ?? ''}`)}`)
  if (userId) parts.push('-H "Authorization: Bearer $TOKEN"')
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (body !== null) parts.push(`--json ${shellQuote(text)}`)
  return [...parts, shellQuote(url)].join(' ')
}
