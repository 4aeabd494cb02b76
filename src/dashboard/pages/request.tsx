import { type CallRecord, withoutSecrets } from '../../engine/request-journal.ts'
import { presentHeaders, withoutCredentials } from '../../http/control/requests.ts'
import { formatHeaders, formatTook, shellQuote } from '../format.ts'
import { Json } from '../json.tsx'
import { Card, Code, Copy, DetailHead, Fields, Id, Time } from '../parts.tsx'
import { Effects } from '../timeline/effects.tsx'
import { aboutRows, formatPath, StatusBadge } from '../timeline/marks.tsx'
import type { View } from '../view.ts'

interface Props {
  view: View
  request: CallRecord
}

/** One call of the contract, whole; what there is nothing of is left out. */
export const RequestDetail = ({ view, request }: Props) => {
  const { id, at, sent, answer, notes, headers } = request
  const lines = formatHeaders(presentHeaders(headers))
  return (
    <>
      <DetailHead
        title={`${request.method} ${formatPath(request, view)}`}
        badge={<StatusBadge status={request.status} />}
      >
        <Time at={at} />
        {request.durationMs !== null && <span>{formatTook(request)}</span>}
        <Id id={id} what="the request's id" />
        <Copy text={toCurl(view, request)} what="this request" label="Copy curl" />
      </DetailHead>
      <Reason request={request} />
      <Caller view={view} request={request} />
      <Effects view={view} entry={request} />
      {sent && (
        <Card title="Request body">
          <Json text={sent} what="the request body" />
        </Card>
      )}
      {answer && (
        <Card title="Response body">
          <Json text={withoutSecrets(answer)} what="the response body" />
        </Card>
      )}
      {notes.length > 0 && (
        <Card title="Notes">
          <ul class="stack">
            {notes.map((note) => (
              <li>{note}</li>
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

/** Why it was refused, and in one sentence what would have worked. */
const Reason = ({ request: { problem } }: { request: CallRecord }) => {
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

const Caller = ({ view, request }: Props) => {
  const rows = {
    Operation: request.operation ?? undefined,
    Integrator: request.integrator ?? undefined,
    ...aboutRows(view, request),
  }
  if (Object.values(rows).every((value) => value === undefined)) return null
  return (
    <Card title="Call">
      <Fields rows={rows} />
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
  return [...parts, shellQuote(withoutCredentials(url))].join(' ')
}
