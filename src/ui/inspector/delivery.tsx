import { useEffect, useState } from 'preact/hooks'
import type { DeliveryRecord, SignatureExplanation } from '../../control-api/wire.ts'
import { isBad } from '../lib/act.ts'
import { control } from '../lib/api.ts'
import { toCurl } from '../lib/curl.ts'
import { Act } from '../lib/form.tsx'
import { formatBytes, formatHeaders, formatTook } from '../lib/format.ts'
import { useRead } from '../lib/live.ts'
import { controlPath } from '../lib/page.ts'
import { Badge, Card, Code, Copy, DetailHead, Fold, Id, Json, Table, Time } from '../lib/parts.tsx'
import { urlOf } from '../lib/router.ts'
import { useTitle } from '../lib/title.ts'
import { Gone } from './gone.tsx'
import { info } from './info.ts'
import {
  formatDelivery,
  formatSubject,
  Outcome,
  problemOf,
  Tags,
  wasRepaired,
  wasSent,
} from './words.tsx'

/** One attempt to deliver an event. */
export const Delivery = ({ id }: { id: string }) => {
  const { data: row, error } = useRead<'webhooks.delivery'>(
    `/webhooks/deliveries/${encodeURIComponent(id)}`,
  )
  useTitle(row && formatDelivery(row))
  if (error) return <Gone text={error.message} />
  if (!row) return null
  const { sentAt, eventId } = row
  return (
    <>
      <DetailHead
        title={formatDelivery(row)}
        badge={
          <>
            <Outcome of={row} />
            <Tags of={row} />
          </>
        }
        id={row.id}
        noun="delivery"
        {...(sentAt && { curl: toCurlOf(row) })}
      >
        {sentAt && (
          <span>
            sent <Time at={sentAt} /> real time
          </span>
        )}
      </DetailHead>
      <Response row={row} />
      <Request row={row} />
      <Attempts eventId={eventId} current={row.id} />
      <div class="grid">
        <About row={row} />
        <Signature row={row} />
      </div>
    </>
  )
}

const Request = ({ row: { request, sentAt } }: { row: DeliveryRecord }) => (
  <Card
    title={`Request body, ${formatBytes(new TextEncoder().encode(request.body).length)}`}
    aside={<Copy text={request.body} what="the request body" />}
  >
    <Json text={request.body} what="the indented body" />
    <Fold title="Exact bytes">
      <Code text={request.body} what="the exact bytes" />
    </Fold>
    {sentAt && (
      <Fold title="Request headers" open>
        <Code text={formatHeaders(request.headers)} what="the request headers" />
      </Fold>
    )}
  </Card>
)

const About = ({ row }: { row: DeliveryRecord }) => {
  const { url, reason, integrator, eventId, occurredAt } = row
  return (
    <Card
      title="About"
      fields={{
        To: url,
        Fault: reason?.startsWith('Fault ') && <FaultLink reason={reason} />,
        Integrator: integrator,
        'Caused by': <Cause of={row} />,
        Event: <a href={urlOf(`events/${eventId}`)}>{eventId}</a>,
        'Event at': <Time at={occurredAt} />,
        Subject: <SubjectLink of={row} text={formatSubject(row)} />,
      }}
    />
  )
}

const FaultLink = ({ reason }: { reason: string }) => {
  const [, fault] = /^Fault (\w+)/.exec(reason) ?? []
  return <a href={`${urlOf('faults')}#${fault}`}>{reason}</a>
}

export const SubjectLink = ({ of, text }: { of: { type: string; ref: string }; text?: string }) => {
  const page = of.type.startsWith('transaction') ? 'transactions' : 'users'
  return <a href={urlOf(`${page}/${of.ref}`)}>{text || of.ref}</a>
}

/** The call or the action that something came of. */
export const Cause = ({ of: { cause } }: { of: Pick<DeliveryRecord, 'cause'> }) => {
  if (!cause) return null
  const { kind, id, name } = cause
  return (
    <a href={urlOf(`${kind === 'call' ? 'requests' : 'actions'}/${id}`)}>{`${name ?? ''} ${id}`}</a>
  )
}

/** The delivery as curl, as its receiver got it. */
function toCurlOf({ request: { headers, body }, url }: DeliveryRecord): string {
  const own = /^(host|connection|content-length)$/i
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !own.test(name)))
  return toCurl({ method: 'POST', url: url ?? '', headers: sent, body })
}

const QUOTED_MAX = 200

const Response = ({ row }: { row: DeliveryRecord }) => {
  const { response, problem, verdict } = row
  return (
    <Card
      title={response ? `Response: ${response.status} ${response.statusText}` : 'No response'}
      aside={<span class="quiet">{formatTook(row)}</span>}
    >
      <div class="stack">
        {problem && (
          <div class={isBad(row) ? 'reason' : 'stack'}>
            <p>{problem.message}</p>
            {response?.body && <p class="said">{`“${response.body.slice(0, QUOTED_MAX)}”`}</p>}
            <p>{problem.hint}</p>
          </div>
        )}
        {verdict && !problem && <p>{verdict}</p>}
        {wasRepaired(row) && <Repair eventId={row.eventId} />}
        {response?.body && <Code text={response.body} what="the response body" />}
        {response && (
          <Fold title="Response headers">
            <Code text={formatHeaders(response.headers)} what="the response headers" />
          </Fold>
        )}
        <Resend row={row} />
      </div>
    </Card>
  )
}

const useAttempts = (eventId: string) =>
  useRead<'webhooks.deliveries'>(`/webhooks/deliveries?eventId=${encodeURIComponent(eventId)}`).data
    ?.deliveries ?? []

const Repair = ({ eventId }: { eventId: string }) => {
  const found = useAttempts(eventId).findLast(({ outcome }) => outcome === 'delivered')
  if (!found) return null
  return (
    <p>
      Resent successfully: <a href={urlOf(`webhooks/${found.id}`)}>{found.id}</a>
    </p>
  )
}

/** What a resend can change. */
const MUTATIONS: Readonly<Record<NonNullable<DeliveryRecord['mutation']>, string>> = {
  body: 'a changed body',
  signature: 'a wrong signature',
  timestamp: 'an old timestamp',
  'timestamp-ahead': 'a timestamp in the future',
  wording: 'other spaces and escapes in its JSON',
  chunked: 'a chunked body',
  charset: 'a charset in its Content-Type',
  field: 'an additional field',
  eventId: 'eventId in place of id',
  'unknown-status': 'an unknown status',
  'unknown-type': 'an unknown type',
}
/** These change the envelope, which v1 does not have. */
const ENVELOPE: readonly string[] = ['eventId', 'unknown-type']

/** Stays on this page after a resend; the new attempt appears in the list of attempts. */
const Resend = ({ row: { id, generation } }: { row: DeliveryRecord }) => {
  const call = `/_sandbox/webhooks/deliveries/${id}/resend`
  return (
    <div class="stack">
      <div class="actions">
        <Act call={call} kind="primary" done="Sent again">
          Resend
        </Act>
      </div>
      <Fold title="Resend with one thing changed" id="resend-changed">
        <div class="actions">
          {Object.entries(MUTATIONS)
            .filter(([mutate]) => generation === 'v2' || !ENVELOPE.includes(mutate))
            .map(([mutate, name]) => (
              <Act key={mutate} call={call} body={{ mutate }}>
                {`With ${name}`}
              </Act>
            ))}
        </div>
      </Fold>
    </div>
  )
}

/** Every attempt to deliver an event. */
export const Attempts = ({ eventId, current }: { eventId: string; current?: string }) => (
  <Card title="Attempts">
    <Table
      label="Attempts"
      head={['Delivery', 'Outcome', 'Problem', 'Sent (real time)', 'To']}
      rows={useAttempts(eventId).map((row) => [
        <>
          {row.id === current ? 'this one' : <a href={urlOf(`webhooks/${row.id}`)}>{row.id}</a>}{' '}
          <Tags of={row} />
        </>,
        <Outcome of={row} />,
        problemOf(row) ?? (wasSent(row) ? '' : row.reason),
        row.sentAt ? <Time at={row.sentAt} /> : 'not sent',
        row.url ?? '',
      ])}
    />
  </Card>
)

/** Checks the signature as a receiver should have done at the time. */
const Signature = ({ row: { id, integrator, request, sentAt } }: { row: DeliveryRecord }) => {
  const [found, setFound] = useState<SignatureExplanation>()
  const settings = useRead<'webhooks.settings'>('/webhooks/settings').data
  const secret = settings?.integrators.find((each) => each.integrator === integrator)?.signingSecret
  useEffect(() => {
    if (!secret || !sentAt) return
    const asked = { id, secret, receivedAt: sentAt }
    void control<SignatureExplanation>('POST', controlPath('/webhooks/explain'), asked).then(
      setFound,
    )
  }, [id, secret, sentAt])
  if (!found || !secret) return null
  const { timestampHeader = '', signatureHeader = '' } = info.value?.names ?? {}
  const [badge, tone] = found.valid ? (['valid', 'good'] as const) : (['invalid', 'bad'] as const)
  return (
    <Card
      title="Signature"
      aside={<Badge status={badge} tone={tone} />}
      fields={{
        Timestamp: request.headers[timestampHeader],
        Signature: <code>{request.headers[signatureHeader]}</code>,
        Secret: <Id id={secret} what="the signing secret" />,
      }}
    >
      <p>
        {found.valid
          ? 'It matches the exact body, and its timestamp was fresh when it was sent.'
          : found.problems.map(({ message }) => message).join(' ')}
      </p>
      <a href={urlOf('check-signature', { id })}>Why is my signature wrong?</a>
    </Card>
  )
}
