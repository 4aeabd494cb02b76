import type { CallRecord } from '../../engine/request-journal.ts'
import { findInJournal } from '../../http/control/page.ts'
import { decode, shellQuote } from '../format.ts'
import type { List } from '../list.tsx'
import { Code } from '../parts.tsx'
import { journalRows } from '../rows.ts'
import { formatPath, StatusBadge } from '../timeline/marks.tsx'
import type { View } from '../view.ts'
import { RequestDetail } from './request.tsx'

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

function formatCall(call: CallRecord, view: View): string {
  return `${call.method} ${formatPath(call, view)}`
}

function texts({ id, method, url, operation, status, problem, integrator, userId }: CallRecord) {
  const call = `${id} ${method} ${decode(url)} ${operation} ${status} ${integrator} ${userId}`
  return [call, problem?.message, problem?.detail.rule]
}

function statusBadge({ status }: CallRecord) {
  return <StatusBadge status={status} />
}
