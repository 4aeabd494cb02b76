import { quote, tellJson } from '../format.ts'
import { journalRows, keptQuery, matcher, pageOf, RowLink, Split } from '../list.tsx'
import { Badge, Card, Code, Copy, Empty, Fields, Id, Time, type Tone } from '../parts.tsx'
import type { Draw, RequestRow, View } from '../view.ts'

const NARROW = ['refused', 'accepted']

export const requests: Draw = (view, id) => {
  const { sight, query, world } = view
  const [, position] = /^req_(\d{1,15})$/.exec(id ?? '') ?? []
  const chosen = position === undefined ? undefined : sight.requests.at(Number(position))
  if (id !== undefined && !chosen) return undefined
  const list = pageOf(view, journalRows(sight.requests), findMatcher(view))
  const isNarrowed = Boolean(query.get('q') || query.get('status'))
  const body = (
    <Split
      view={view}
      name="requests"
      title="Requests"
      noun="request"
      list={list}
      filter={{ name: 'status', label: 'Any answer', options: NARROW }}
      detail={chosen && <RequestDetail view={view} request={chosen} />}
    >
      {list.rows.length > 0 ? (
        <ol class="rows">
          {list.rows.map((row) => (
            <RowLink key={row.id} view={view} name="requests" id={row.id} chosen={row === chosen}>
              <span class="first">{`${row.method} ${pathOf(row, view)}`}</span>
              <Status request={row} />
              <span class="second">{row.refusal?.message ?? row.operation ?? ''}</span>
              <Time at={row.at} now={world.now} />
            </RowLink>
          ))}
        </ol>
      ) : isNarrowed ? (
        <Empty title="No request matches.">
          <a href={view.page('requests', { ...keptQuery(view), q: undefined, status: undefined })}>
            Show all
          </a>
        </Empty>
      ) : (
        <Empty title="Nobody called the API yet.">
          <p>
            Every call of the contract is kept here, with the reason when it is refused. Try one:
          </p>
          <Code text={firstCurl(view)} what="a first call as curl" />
        </Empty>
      )}
    </Split>
  )
  return { title: chosen ? chosen.id : 'Requests', part: 'Requests', body }
}

/** A call that works at once. */
export const firstCurl = ({ world, baseUrl }: View): string => {
  const key = world.integrators[0]?.apiKey ?? ''
  const query = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'
  return `curl -sS -H ${quote(`x-api-key: ${key}`)} ${quote(`${baseUrl}/v2/quotes?${query}`)}`
}

export function pathOf({ url }: Pick<RequestRow, 'url'>, view: View): string {
  const { pathname, search } = new URL(url)
  return pathname.slice(view.visit.prefix.length) + search
}

function findMatcher({ query }: View): ((row: RequestRow) => boolean) | undefined {
  const status = query.get('status')
  const fits = matcher(query.get('q'))
  if (!status && !fits) return undefined
  return (row) =>
    (!status || (row.refusal !== null) === (status === 'refused')) && (!fits || fits(textsOf(row)))
}

const textsOf = ({
  id,
  method,
  url,
  operation,
  status,
  refusal,
  integrator,
  userId,
}: RequestRow) => [
  `${id} ${method} ${decodeURI(url)} ${operation} ${status} ${integrator} ${userId}`,
  refusal?.message,
  refusal?.detail.rule,
]

export const Status = ({ request: { status } }: { request: RequestRow }) => {
  const tone: Tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return <Badge status={String(status)} tone={tone} />
}

const RequestDetail = ({ view, request }: { view: View; request: RequestRow }) => {
  const { id, method, at, body, answer } = request
  const sent = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return (
    <>
      <header class="detail-head">
        <div class="line">
          <h1>{`${method} ${pathOf(request, view)}`}</h1>
          <Status request={request} />
        </div>
        <div class="line quiet">
          <Time at={at} now={view.world.now} full />
          <Id id={id} what="the request's id" />
          <Copy text={toCurl(view, request)} what="this request" label="Copy curl" />
        </div>
      </header>
      <Reason request={request} />
      <Caller view={view} request={request} />
      {body !== null && (
        <Card title="Sent">
          <Code text={sent} what="the body that was sent" />
        </Card>
      )}
      {answer !== null && (
        <Card title="Answered">
          <Code text={tellJson(answer)} what="the answer" />
        </Card>
      )}
    </>
  )
}

/** Why it was refused, for whoever has to make it work. */
const Reason = ({ request: { refusal, notes } }: { request: RequestRow }) => (
  <>
    {refusal && (
      <Card title="Why it was refused">
        <div class="reason">
          {refusal.problems.map(({ field, message }) => (
            <p key={field}>
              {!message.includes(field) && <code>{field}</code>} {message}
            </p>
          ))}
        </div>
        <Fields
          rows={[
            ['Place in the contract', refusal.detail.rule ?? ''],
            ['What would work', refusal.detail.hint ?? ''],
            ['Nearest', refusal.detail.nearest ?? ''],
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

const Caller = ({ view, request }: { view: View; request: RequestRow }) => {
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

/** The call again; the token is not kept, so it is named only. */
function toCurl({ world }: View, { method, url, body, integrator, userId }: RequestRow): string {
  const key = world.integratorsByName.get(integrator ?? '')?.apiKey ?? world.integrators[0]?.apiKey
  const parts = ['curl -sS', ...(method === 'GET' ? [] : [`-X ${method}`])]
  parts.push(`-H ${quote(`x-api-key: ${key ?? ''}`)}`)
  if (userId) parts.push('-H "Authorization: Bearer $TOKEN"')
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (body !== null) parts.push(`--json ${quote(text)}`)
  return [...parts, quote(url)].join(' ')
}
