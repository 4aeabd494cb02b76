import { useEffect, useState } from 'preact/hooks'
import type { DeliveryRecord, SignatureExplanation } from '../../control-api/wire.ts'
import { isBad } from '../lib/act.ts'
import { control } from '../lib/api.ts'
import { toCurl } from '../lib/curl.ts'
import { Act, CallForm, Field } from '../lib/form.tsx'
import { formatBytes, formatHeaders, formatTook } from '../lib/format.ts'
import { Url } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { controlPath, withQuery } from '../lib/page.ts'
import { Card, Code, Copy, DetailHead, Fold, Json, Quiet, Table, Time } from '../lib/parts.tsx'
import { urlOf } from '../lib/router.ts'
import {
  formatDelivery,
  formatSubject,
  Outcome,
  problemOf,
  Tags,
  Validity,
  wasRepaired,
  wasSent,
} from './words.tsx'

/** One attempt to deliver an event. */
export const Delivery = ({ row }: { row: DeliveryRecord }) => (
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
      curl={row.sentAt && toCurlOf(row)}
    >
      {row.sentAt && (
        <span>
          sent <Time at={row.sentAt} /> real time
        </span>
      )}
    </DetailHead>
    <Response row={row} />
    <Request row={row} />
    <Attempts eventId={row.eventId} current={row.id} />
    <div class="grid">
      <About row={row} />
      <Signature row={row} />
    </div>
  </>
)

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
  const { url, reason, integrator, eventId, occurredAt, tags } = row
  return (
    <Card
      title="About"
      fields={{
        To: url,
        Fault: reason?.startsWith('fault_') && <FaultLink text={reason} />,
        Integrator: integrator,
        'Caused by': <Cause of={row} />,
        // A test event is in no list.
        Event: tags.includes('test') ? eventId : <a href={urlOf(`events/${eventId}`)}>{eventId}</a>,
        'Event at': <Time at={occurredAt} />,
        Subject: <SubjectLink of={row} text={formatSubject(row)} />,
      }}
    />
  )
}

/** A text that may begin with the name of a fault. */
export const FaultLink = ({ text }: { text: string }) => {
  const [, fault] = /^(fault_\d+)/.exec(text) ?? []
  return <>{fault ? <a href={`${urlOf('faults')}#${fault}`}>{text}</a> : text}</>
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
      aside={<Quiet text={formatTook(row)} />}
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
  useRead<'webhooks.deliveries'>(withQuery('/webhooks/deliveries', { eventId })).data?.deliveries ??
  []

const Repair = ({ eventId }: { eventId: string }) => {
  const found = useAttempts(eventId).findLast(({ outcome }) => outcome === 'delivered')
  if (!found) return null
  return (
    <p>
      Resent successfully: <a href={urlOf(`webhooks/${found.id}`)}>{found.id}</a>
    </p>
  )
}

/** What a resend can change. A record, because it does not compile when a mutation is added. */
const MUTATIONS: Readonly<Record<NonNullable<DeliveryRecord['mutation']>, 'v1' | 'v2'>> = {
  body: 'v1',
  signature: 'v1',
  timestamp: 'v1',
  'timestamp-ahead': 'v1',
  wording: 'v1',
  chunked: 'v1',
  charset: 'v1',
  field: 'v1',
  // These change the envelope, which v1 does not have.
  eventId: 'v2',
  'unknown-status': 'v1',
  'unknown-type': 'v2',
}

/** Stays on this page after a resend; the new attempt appears in the list of attempts. */
const Resend = ({ row: { id, generation } }: { row: DeliveryRecord }) => {
  const call = `/webhooks/deliveries/${id}/resend`
  const mutations = Object.entries(MUTATIONS).filter(([, of]) => of <= generation)
  return (
    <div class="row">
      <Act call={call} kind="primary" done="Sent again">
        Resend
      </Act>
      <CallForm call={call} submit="Resend with this change">
        <Field
          isBare
          name="mutate"
          label="What to change"
          options={mutations.map(([name]) => name)}
        />
      </CallForm>
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
        row.url && <Url text={row.url} />,
      ])}
    />
  </Card>
)

/** Checks the signature as a receiver should have done at the time. */
const Signature = ({ row: { id, integrator, sentAt } }: { row: DeliveryRecord }) => {
  const [found, setFound] = useState<SignatureExplanation>()
  const settings = useRead<'webhooks.settings'>('/webhooks/settings').data
  const secret = settings?.integrators.find((each) => each.integrator === integrator)?.signingSecret
  useEffect(() => {
    if (!secret || !sentAt) return
    const asked = { id, secret }
    void control<SignatureExplanation>('POST', controlPath('/webhooks/explain'), asked).then(
      setFound,
    )
  }, [id, secret, sentAt])
  if (!found) return null
  return (
    <Card title="Signature" aside={<Validity of={found} />}>
      <p>
        {found.valid
          ? 'It matches the exact body, and its timestamp was fresh when it was sent.'
          : found.problems.map(({ message }) => message).join(' ')}
      </p>
      <a href={urlOf('check-signature', { id })}>Why is my signature wrong?</a>
    </Card>
  )
}
