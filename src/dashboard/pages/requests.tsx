import { STATUS_CODES } from 'node:http'
import type { Child } from 'hono/jsx'
import { type CallRecord, withoutSecrets } from '../../engine/call-record.ts'
import { presentHeaders, withoutCredentials } from '../../http/control/requests.ts'
import { findById } from '../../world/entries.ts'
import { decode, formatHeaders, formatTook, toCurl } from '../format.ts'
import { Card, Code, DetailHead, JsonCard, linkTo, type TokenOf } from '../parts.tsx'
import type { List } from '../rows.ts'
import { aboutRows, Effects, formatCall, formatPath, StatusBadge } from '../timeline/entry-list.tsx'
import type { View } from '../view.ts'

export const requests: List<CallRecord> = {
  name: 'requests',
  title: 'Requests',
  noun: 'request',
  rows: ({ services }) => services.journal.calls.after(0),
  find: ({ services }, id) => findById(services.journal.calls, id),
  hidden: ({ url, sent, operation, integrator, userId, problem, notes }, { world }) => [
    decode(url),
    sent,
    operation,
    integrator,
    userId,
    problem?.detail.rule,
    ...notes,
    world.usersById.get(userId ?? '')?.email,
  ],
  filters: [
    { name: 'method', label: 'Any method', of: ({ method }) => method },
    { name: 'path', label: 'Any path', of: patternOf },
    { name: 'version', label: 'Any version', of: versionOf },
    { name: 'status', label: 'Any status', of: classesOf },
    { name: 'reason', label: 'Any reason', of: reasonOf },
    { name: 'client', label: 'Any client', of: clientOf },
  ],
  columns: [
    { name: 'Request', value: formatCall, show: (...row) => formatCall(...row).split('?')[0] },
    {
      name: 'Status',
      kind: 'mark',
      value: ({ status }) => status,
      show: ({ status }) => <StatusBadge status={status} />,
    },
    { name: 'Version', value: versionOf },
    { name: 'Client', value: clientOf },
    {
      name: 'Result',
      kind: 'fill',
      isSecond: true,
      value: ({ problem, status }) => problem?.message ?? STATUS_CODES[status] ?? '',
    },
  ],
  forgotten: ({ services: { journal } }) => journal.calls.total - journal.calls.count,
  time: { name: 'Time', of: ({ at }) => at },
  detail: showRequest,
  aside: (view) =>
    view.query.get('status') === ERRORS
      ? linkTo(view, 'requests', 'All requests')
      : linkTo(view, `requests?status=${ERRORS}`, 'Errors'),
  empty: {
    title: 'No calls yet.',
    body: (view) => (
      <>
        <p>Every contract call is listed here, with the reason if it was refused. Try one:</p>
        <Code text={firstCurl(view)} what="a first call as curl" />
      </>
    ),
  },
}

const ERRORS = 'errors'

export function firstCurl({ world, baseUrl }: View): string {
  const key = world.integrators[0]?.apiKey ?? ''
  const url = `${baseUrl}/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH`
  return toCurl({ method: 'GET', url, headers: { 'x-api-key': key } })
}

function versionOf({ url }: CallRecord): string {
  return /\/v2(\/|$)/.test(new URL(url).pathname) ? 'v2' : 'v1'
}

/** The path with `{id}` in place of ids and addresses. */
function patternOf(call: CallRecord, view: View): string {
  const [path = ''] = formatPath(call, view).split('?')
  return path.replace(/\/(?!v\d+\b)[^/]*(\d|@|%40)[^/]*/g, '/{id}')
}

function classesOf({ status }: CallRecord): readonly string[] {
  if (status === 0) return ['pending']
  return [`${Math.floor(status / 100)}xx`, String(status), ...(status >= 400 ? [ERRORS] : [])]
}

/** The message without numbers, because the same reason may name other ids and amounts. */
function reasonOf({ problem }: CallRecord): string {
  return problem?.message.replace(/[^\s]*\d[^\s]*/g, '…') ?? ''
}

function clientOf({ headers }: CallRecord): string {
  return presentHeaders(headers)['user-agent'] ?? ''
}

function showRequest(request: CallRecord, view: View) {
  const { id, at, sent, response, notes, headers, status } = request
  const lines = formatHeaders(presentHeaders(headers))
  return (
    <>
      <DetailHead
        title={formatCall(request, view)}
        badge={<StatusBadge status={status} />}
        at={at}
        id={id}
        noun="request"
        curl={toCurlOf(view, request)}
        token={tokenOf(view, request)}
      >
        {formatTook(request) && <span>{formatTook(request)}</span>}
      </DetailHead>
      {showReason(request)}
      <Card
        title="Call"
        fields={{
          Client: clientOf(request),
          Operation: request.operation,
          Integrator: request.integrator,
          ...aboutRows(view, request),
        }}
      />
      <Effects view={view} entry={request} />
      <JsonCard title="Request body" text={sent} />
      <JsonCard title="Response body" text={response && withoutSecrets(response)} />
      {notes.length > 0 && (
        <Card title="Notes">
          <ul class="stack">
            {notes.map((note) => (
              <li>{showNote(view, note)}</li>
            ))}
          </ul>
        </Card>
      )}
      {lines && (
        <Card title="Request headers" aside={<span class="quiet">keys and tokens masked</span>}>
          <Code text={lines} what="the request headers" />
        </Card>
      )}
    </>
  )
}

function showNote(view: View, note: string): Child {
  const [, fault] = /^fault (\w+)/.exec(note) ?? []
  return fault ? linkTo(view, `faults#${fault}`, note) : note
}

function showReason({ problem }: CallRecord) {
  if (!problem) return null
  const { hint, nearest, rule } = problem.detail
  return (
    <Card title="Why it was refused">
      <div class="reason">
        {problem.problems.map(({ field, message }) => (
          <p>
            {!message.includes(field) && <code>{field}</code>} {message}
          </p>
        ))}
      </div>
      {hint ? <p>{hint}</p> : nearest && <p>Did you mean {nearest}?</p>}
      {rule && (
        <p class="hint">
          In the contract: <span>{rule}</span>
        </p>
      )}
    </Card>
  )
}

/** The user who made the call, if this world still has them. */
function tokenOf({ world }: View, { userId, integrator }: CallRecord): TokenOf | undefined {
  return world.usersById.has(userId ?? '') && userId ? { user: userId, integrator } : undefined
}

/** The same call as curl; tokens are not kept, so it has a variable. */
function toCurlOf({ world }: View, call: CallRecord): string {
  const { method, url, sent, isJson, integrator, userId } = call
  const key = world.integratorsByName.get(integrator ?? '')?.apiKey ?? world.integrators[0]?.apiKey
  const headers = {
    'x-api-key': key ?? '',
    ...(userId && { Authorization: 'Bearer $TOKEN' }),
    ...(isJson && { 'content-type': 'application/json' }),
  }
  return toCurl({ method, url: withoutCredentials(url), headers, body: sent ?? undefined })
}
