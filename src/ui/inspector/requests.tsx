import type { RequestRecord } from '../../control-api/wire.ts'
import { toCurl } from '../lib/curl.ts'
import { formatHeaders, formatTook } from '../lib/format.ts'
import type { ListProps } from '../lib/list.tsx'
import { Card, Code, DetailHead, HttpStatus, JsonCard, Quiet } from '../lib/parts.tsx'
import { query, urlOf } from '../lib/router.ts'
import { FaultLink } from './delivery.tsx'
import { aboutFields, Effects } from './entries.tsx'
import { info } from './info.ts'
import { issueToken } from './token.ts'
import { formatCall } from './words.tsx'

const ERRORS = 'errors'

const STATUSES = [200, 201, 204, 400, 401, 403, 404, 409, 422, 429, 500, 503].map(String)

export const REQUESTS: ListProps<'requests.list', RequestRecord> = {
  name: 'requests',
  title: 'Requests',
  noun: 'request',
  path: '/requests',
  rowsOf: ({ requests }) => requests,
  filters: [
    {
      name: 'status',
      label: 'Any status',
      options: [ERRORS, ...STATUSES],
      toQuery: (status) => (status === ERRORS ? { failed: 'true' } : { status }),
    },
    { name: 'version', label: 'Any version', options: ['v2', 'v1'] },
  ],
  columns: [
    {
      name: 'Request',
      show: (row) => formatCall(row).split('?')[0],
      title: formatCall,
    },
    { name: 'Status', kind: 'mark', show: (row) => <HttpStatus {...row} /> },
    { name: 'User', show: ({ email }) => email },
    {
      name: 'Result',
      kind: 'fill',
      isSecond: true,
      show: ({ reason, notes }) => reason?.message ?? notes.join(' '),
    },
  ],
  time: ['Time', ({ at }) => at],
  detail: (call) => <Request call={call} />,
  aside: () =>
    query.value.get('status') === ERRORS ? (
      <a href={urlOf('requests')}>All requests</a>
    ) : (
      <a href={urlOf('requests', { status: ERRORS })}>Errors</a>
    ),
  empty: [
    'No calls yet.',
    () => (
      <>
        <p>Every API call is listed here, with the reason if it was refused. Try one:</p>
        <Code text={firstCurl()} what="a first call as curl" />
      </>
    ),
  ],
}

/** A first call that needs nothing but the API key. */
export function firstCurl(): string {
  const { baseUrl = '', integrators = [] } = info.value ?? {}
  const url = `${baseUrl}/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH`
  return toCurl({ method: 'GET', url, headers: { 'x-api-key': integrators[0]?.apiKey ?? '' } })
}

const Request = ({ call }: { call: RequestRecord }) => {
  const { at, request, response, operation, integrator, notes } = call
  const lines = formatHeaders(request.headers)
  return (
    <>
      <DetailHead
        title={formatCall(call)}
        badge={<HttpStatus {...call} />}
        at={at}
        id={call.id}
        noun="request"
        curl={() => toCurlOf(call)}
      >
        <span>{formatTook(call)}</span>
      </DetailHead>
      <Refused call={call} />
      {notes.length > 0 && (
        <Card title="Notes">
          <ul class="stack">
            {notes.map((note) => (
              <li key={note}>
                <FaultLink text={note} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card
        title="Call"
        fields={{
          Client: request.headers['user-agent'],
          Operation: operation,
          Integrator: integrator,
          ...aboutFields(call),
        }}
      />
      <Effects row={call} />
      <JsonCard title="Request body" value={request.body} />
      <JsonCard title="Response body" value={response.body} />
      {lines && (
        <Card title="Request headers" aside={<Quiet text="keys and tokens masked" />}>
          <Code text={lines} what="the request headers" />
        </Card>
      )}
    </>
  )
}

const Refused = ({ call: { reason, problems, status } }: { call: RequestRecord }) => {
  if (!reason) return null
  const { hint, nearest, rule } = reason
  return (
    <Card title={status < 400 ? 'Why it was not run' : 'Why it was refused'}>
      <div class="reason">
        {problems.map(({ field, message }) => (
          <p key={field}>
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

/** The same call as curl, with a fresh token of its user: the token that was sent is not kept. */
async function toCurlOf(call: RequestRecord): Promise<string> {
  const { method, url, request, integrator, userId, about } = call
  const { integrators = [] } = info.value ?? {}
  const key = integrators.find(({ name }) => name === integrator) ?? integrators[0]
  const token = userId && about?.user ? await issueToken(userId, integrator) : '$TOKEN'
  const { body } = request
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = {
    'x-api-key': key?.apiKey ?? '',
    ...(userId && { Authorization: `Bearer ${token}` }),
    ...(body !== null && { 'content-type': request.headers['content-type'] ?? 'application/json' }),
  }
  return toCurl({ method, url, headers, ...(body !== null && { body: text }) })
}
