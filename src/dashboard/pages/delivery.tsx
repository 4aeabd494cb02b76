import { type Delivery, requestOf } from '../../webhooks/delivery.ts'
import { diagnoseOutcome } from '../../webhooks/outcome-diagnosis.ts'
import { verifySignature } from '../../webhooks/sign.ts'
import {
  formatBytes,
  formatDelivery,
  formatHeaders,
  formatJson,
  formatTook,
  shellQuote,
} from '../format.ts'
import { Act } from '../forms.tsx'
import { Badge, Card, Code, Copy, DetailHead, Fields, Id, Problem, Time } from '../parts.tsx'
import { CauseLink } from '../timeline/marks.tsx'
import type { View } from '../view.ts'

interface Props {
  view: View
  delivery: Delivery
}

export const DeliveryDetail = ({ view, delivery }: Props) => {
  const { headers, body } = requestOf(delivery)
  const lines = formatHeaders(headers)
  const problem = diagnoseOutcome(view.world, delivery)
  return (
    <>
      <Head delivery={delivery} />
      {problem && <Problem {...problem} />}
      <Resend view={view} delivery={delivery} />
      <div class="grid">
        <Outcome view={view} delivery={delivery} />
        <Signature view={view} delivery={delivery} />
      </div>
      <Card
        title={`Request body, ${formatBytes(new TextEncoder().encode(body).length)}`}
        aside={<span class="quiet">exact bytes</span>}
      >
        <Code text={body} what="the request body" />
        <details id={`pretty-${delivery.id}`}>
          <summary class="quiet">Indented, for reading</summary>
          <Code text={formatJson(body)} what="the indented body" />
        </details>
      </Card>
      <Card title="Request headers">
        {lines ? (
          <Code text={lines} what="the request headers" />
        ) : (
          <p class="hint">Nothing was sent, so there are none.</p>
        )}
      </Card>
      {delivery.response && <Answer delivery={delivery} />}
    </>
  )
}

const Head = ({ delivery }: { delivery: Delivery }) => (
  <DetailHead title={formatDelivery(delivery)} badge={<Badge status={delivery.outcome} />}>
    <Time at={delivery.occurredAt} />
    <Id id={delivery.id} what="the delivery's id" />
    {delivery.sent && <Copy text={toCurl(delivery)} what="this webhook" label="Copy curl" />}
  </DetailHead>
)

/** The same POST as curl. */
function toCurl(delivery: Delivery): string {
  const request = requestOf(delivery)
  const own = /^(host|connection|content-length)$/i
  const headers = Object.entries(request.headers)
    .filter(([name]) => !own.test(name))
    .map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`)
  return `curl -sS -X POST ${headers.join(' ')} --data-binary ${shellQuote(request.body)} ${shellQuote(delivery.url ?? '')}`
}

const MUTATIONS = [
  ['body', 'With a changed body'],
  ['signature', 'With a wrong signature'],
  ['timestamp', 'With an old timestamp'],
] as const

const Resend = ({ view, delivery }: Props) => {
  const path = `/_sandbox/webhooks/deliveries/${delivery.id}/resend`
  const go = `${view.page('deliveries')}/{id}`
  return (
    <Card title="Send it again">
      <div class="actions">
        <Act path={path} go={go} kind="primary" done="Sent again">
          Resend
        </Act>
        {MUTATIONS.map(([mutate, text]) => (
          <Act path={path} body={{ mutate }} go={go} done="Sent with a bad signature">
            {text}
          </Act>
        ))}
      </div>
    </Card>
  )
}

const Outcome = ({ view, delivery }: Props) => {
  const { url, reason, error, response, repeatOf, integrator, ref, type } = delivery
  const part = type === 'user.update' ? 'users' : 'transactions'
  const cause = causeOf(view, delivery)
  return (
    <Card title="Outcome">
      <Fields
        rows={{
          Outcome: <Badge status={delivery.outcome} />,
          Status: response ? `${response.status} ${response.statusText}` : null,
          Reason: reason ?? error,
          To: url,
          Took: formatTook(delivery),
          Integrator: integrator,
          'Copy of': repeatOf && <a href={view.page(`deliveries/${repeatOf}`)}>{repeatOf}</a>,
          'Caused by': cause && <CauseLink view={view} cause={cause} />,
          Event: <Id id={delivery.eventId} what="the event's id" />,
          About: <a href={view.page(`${part}/${ref}`)}>{ref}</a>,
        }}
      />
    </Card>
  )
}

/** What sent it; else, as of a duplicate, what its event came of. */
function causeOf({ world, services: { timeline } }: View, { cursor, event }: Delivery) {
  const own = timeline.causeOf('deliveries', cursor)
  const isKept = world.events.at(event.cursor) === event
  return own ?? (isKept ? timeline.causeOf('events', event.cursor) : undefined)
}

/** Checks the signature as the receiver should, at the time of sending. */
const Signature = ({ view, delivery }: Props) => {
  const { world } = view
  const secret = world.integratorsByName.get(delivery.integrator)?.signingSecret
  const { sent } = delivery
  if (!sent || !secret) {
    const why = sent ? 'The integrator has no signing secret yet.' : 'Nothing was sent.'
    return (
      <Card title="Signature">
        <p class="hint">{why}</p>
      </Card>
    )
  }
  const { headers, body } = requestOf(delivery)
  const headerPrefix = world.settings['names.headerPrefix']
  const checked = verifySignature({ secret, headers, body, headerPrefix, now: sent.at })
  return (
    <Card
      title="Signature"
      aside={<Badge status={checked.ok ? 'valid' : 'invalid'} tone={checked.ok ? 'good' : 'bad'} />}
    >
      <p>
        {checked.ok ? 'It matches the exact body, and was fresh when it was sent.' : checked.reason}
      </p>
      <Fields
        rows={{
          Timestamp: headers[`${headerPrefix}-Timestamp`] ?? null,
          Signature: <code>{headers[`${headerPrefix}-Signature`]}</code>,
          Secret: <Id id={secret} what="the signing secret" />,
        }}
      />
    </Card>
  )
}

const Answer = ({ delivery: { response } }: { delivery: Delivery }) => {
  if (!response) return null
  return (
    <Card title={`Answer: ${response.status} ${response.statusText}`}>
      {response.body && <Code text={response.body} what="the answer's body" />}
      <details id="answer-headers">
        <summary class="quiet">Headers of the answer</summary>
        <Code text={formatHeaders(response.headers)} what="the answer's headers" />
      </details>
    </Card>
  )
}
