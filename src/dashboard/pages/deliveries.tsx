import {
  type Delivery,
  describeMutated,
  isBadAttempt,
  OUTCOMES,
  requestOf,
  wasSuppressed,
} from '../../webhooks/delivery.ts'
import { canMutate, keepsEvent, MUTATION_WORDS, MUTATIONS } from '../../webhooks/mutation.ts'
import { diagnoseOutcome } from '../../webhooks/outcome-diagnosis.ts'
import { verifySignature } from '../../webhooks/sign.ts'
import { findById } from '../../world/entries.ts'
import { EVENTS } from '../../world/event-types.ts'
import type { WorldEvent } from '../../world/state.ts'
import {
  formatBytes,
  formatDelivery,
  formatHeaders,
  formatInstant,
  formatMoney,
  formatNumber,
  formatTook,
  plural,
  toCurl,
} from '../format.ts'
import { Act } from '../forms.tsx'
import {
  Badge,
  Card,
  Code,
  Copy,
  DetailHead,
  Fold,
  Id,
  Json,
  JsonCard,
  linkTo,
  shortStatus,
  Time,
} from '../parts.tsx'
import { findMatching, type List } from '../rows.ts'
import { keptQuery } from '../split.tsx'
import { isFailedWebhook } from '../timeline/entries.ts'
import { DeliveryTags, linkToCause, tagsOf, toneOf } from '../timeline/entry-list.tsx'
import type { RenderPage, View } from '../view.ts'
import { showAttempts } from './attempts.tsx'
import { SignatureForm } from './check-signature.tsx'
import { Configuration } from './webhooks.tsx'

const SUPPRESSED = 'suppressed'
const FAILED = 'failed'

/** Every webhook. Suppressed ones are shown only when asked for. */
export const deliveries: List<Delivery> = {
  name: 'webhooks',
  title: 'Webhooks',
  noun: 'delivery',
  rows: (view) => {
    const all = view.services.journal.deliveries.after(0)
    return view.query.get('outcome') === SUPPRESSED ? all : all.filter((row) => !wasSuppressed(row))
  },
  find: ({ services }, id) => findById(services.journal.deliveries, id),
  hidden: (delivery) => [
    delivery.eventId,
    delivery.type,
    delivery.ref,
    delivery.event.status,
    delivery.reason,
    delivery.error,
    delivery.repeatOf,
    delivery.response?.body,
    delivery.fault?.id,
    delivery.integrator,
  ],
  filters: [
    {
      name: 'outcome',
      label: 'Any outcome',
      of: (delivery) => [
        shortStatus(delivery.outcome),
        ...(isFailedWebhook(delivery) ? [FAILED] : []),
      ],
      options: () => [FAILED, ...OUTCOMES.map(shortStatus)],
    },
    { name: 'type', label: 'Any event', of: ({ type }) => type },
    { name: 'to', label: 'Any URL', of: ({ url }) => url ?? '' },
  ],
  columns: [
    {
      name: 'Event',
      value: (delivery) => [...tagsOf(delivery), formatDelivery(delivery)].join(' '),
      show: (delivery) => [<DeliveryTags delivery={delivery} />, formatDelivery(delivery)],
    },
    {
      name: 'Outcome',
      kind: 'mark',
      value: (delivery) =>
        [shortStatus(delivery.outcome), repairOf(delivery) && 'resent'].filter(Boolean).join(' '),
      show: (delivery) => (
        <>
          <Badge status={delivery.outcome} tone={toneOf(delivery)} />
          {repairOf(delivery) && <span class="quiet"> resent ✓</span>}
        </>
      ),
    },
    { name: 'Response', value: ({ response, error }) => response?.status ?? error ?? '' },
    {
      name: 'Sent (real time)',
      kind: 'time',
      value: ({ sent }) => (sent ? formatInstant(sent.at) : 'not sent'),
      show: ({ sent }, { services }) =>
        sent ? <Time at={sent.at} now={services.wallClock()} /> : 'not sent',
    },
    { name: 'To', kind: 'url', value: ({ url, reason }) => url ?? reason ?? '' },
    { name: 'About', kind: 'fill', isSecond: true, value: formatSubject },
  ],
  forgotten: ({ services: { journal } }) => journal.deliveries.total - journal.deliveries.count,
  time: { name: 'Event at', of: ({ occurredAt }) => occurredAt },
  detail: showDelivery,
  aside: showFailed,
  head: (view) => <Configuration view={view} />,
  unshown: showUnsent,
  empty: {
    title: 'No webhooks yet.',
    body: (view) =>
      showUnsent(view) ?? <p>One is sent for each change to a user or a transaction.</p>,
  },
}

/** Events that were not sent and match the other filters; undefined where there are none. */
function showUnsent(view: View) {
  if (view.query.get('outcome')) return undefined
  const query = new URLSearchParams(view.query)
  query.set('outcome', SUPPRESSED)
  const count = findMatching({ ...view, query }, deliveries).filter(wasSuppressed).length
  if (count === 0) return undefined
  const href = view.page('webhooks', { ...keptQuery(view), outcome: SUPPRESSED })
  return (
    <p>
      {plural(count, 'event')} had nowhere to go: <a href={href}>show what was not sent</a>.
    </p>
  )
}

/** `250.00 CAD, alice@example.com`; nothing for a test event. */
function formatSubject(delivery: Delivery, { world }: View): string {
  const { ref } = delivery
  const transaction = world.transactionsById.get(ref)
  const user = world.usersById.get(transaction?.userId ?? ref)
  const amount = transaction && formatMoney(transaction.leftSide, transaction.leftSideLabel)
  return [amount, user?.email].filter(Boolean).join(', ')
}

/** Id of the later attempt that got through, where this one did not. */
const repairOf = ({ id, outcome, mutation, acknowledgedBy }: Delivery): string | undefined =>
  acknowledgedBy !== null &&
  acknowledgedBy !== id &&
  outcome !== 'suppressed' &&
  keepsEvent(mutation)
    ? acknowledgedBy
    : undefined

/** The tab of failed webhooks, and the button that resends them all. */
function showFailed(view: View) {
  const count = view.services.journal.deliveries.after(0).filter(isFailedWebhook).length
  const check = linkTo(view, 'check-signature', 'Check a signature')
  if (view.query.get('outcome') !== FAILED) {
    const failed = linkTo(view, `webhooks?outcome=${FAILED}`, `${formatNumber(count)} failed`)
    return [count > 0 && failed, check]
  }
  const ids = findMatching(view, deliveries).map(({ id }) => id)
  return (
    <>
      {linkTo(view, 'webhooks', 'All webhooks')}
      {ids.length > 0 && (
        <span class="row" id="resend-all" role="status" data-keep>
          <button type="button" class="button small" data-resend={ids.reverse().join(' ')}>
            {`Resend all ${formatNumber(ids.length)}`}
          </button>
        </span>
      )}
    </>
  )
}

function showDelivery(delivery: Delivery, view: View) {
  const { id, sent, url, integrator, fault, event, eventId, outcome, occurredAt } = delivery
  const { headers, body } = requestOf(delivery)
  return (
    <>
      <DetailHead
        title={formatDelivery(delivery)}
        badge={[
          <Badge status={outcome} tone={toneOf(delivery)} />,
          <DeliveryTags delivery={delivery} />,
        ]}
        id={id}
        noun="delivery"
        curl={sent ? toCurlOf(delivery) : undefined}
      >
        {sent && (
          <span>
            sent <Time at={sent.at} /> real time
          </span>
        )}
      </DetailHead>
      {showResponse(delivery, view)}
      <Card
        title={`Request body, ${formatBytes(new TextEncoder().encode(body).length)}`}
        aside={<Copy text={body} what="the request body" />}
      >
        <Json text={body} what="the indented body" />
        <Fold title="Exact bytes" id={`exact-${id}`}>
          <Code text={body} what="the exact bytes" />
        </Fold>
        {sent && (
          <Fold title="Request headers" id={`headers-${id}`} open>
            <Code text={formatHeaders(headers)} what="the request headers" />
          </Fold>
        )}
      </Card>
      {showAttempts(view, eventId, delivery)}
      <div class="grid">
        <Card
          title="About"
          fields={{
            To: url,
            Fault: fault && linkTo(view, `faults#${fault.id}`, delivery.reason),
            Integrator: integrator,
            'Caused by': linkToCause(view, causeOf(view, delivery)),
            Event: linkTo(view, `events/${eventId}`, eventId),
            'Event at': <Time at={occurredAt} />,
            Subject: linkToSubject(view, event, formatSubject(delivery, view)),
          }}
        />
        {showSignature(delivery, view)}
      </div>
    </>
  )
}

const linkToSubject = (view: View, { type, ref }: WorldEvent, text?: string) =>
  linkTo(view, `${EVENTS[type].about}/${ref}`, text || ref)

function toCurlOf(delivery: Delivery): string {
  const { headers, body } = requestOf(delivery)
  const own = /^(host|connection|content-length)$/i
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !own.test(name)))
  return toCurl({ method: 'POST', url: delivery.url ?? '', headers: sent, body })
}

const QUOTED_MAX = 200

function showResponse(delivery: Delivery, view: View) {
  const { response, mutation } = delivery
  const problem = diagnoseOutcome(view.world, delivery)
  const repair = repairOf(delivery)
  return (
    <Card
      title={response ? `Response: ${response.status} ${response.statusText}` : 'No response'}
      aside={<span class="quiet">{formatTook(delivery)}</span>}
    >
      <div class="stack">
        {problem && (
          <div class={isBadAttempt(delivery) ? 'reason' : 'stack'}>
            <p>{problem.message}</p>
            {response?.body && <p class="said">{`“${response.body.slice(0, QUOTED_MAX)}”`}</p>}
            <p>{problem.hint}</p>
          </div>
        )}
        {response && mutation && !problem && <p>{describeMutated(mutation, delivery)}</p>}
        {repair && <p>Resent successfully: {linkTo(view, `webhooks/${repair}`, repair)}</p>}
        {response?.body && <Code text={response.body} what="the response body" />}
        {response && (
          <Fold title="Response headers" id="response-headers">
            <Code text={formatHeaders(response.headers)} what="the response headers" />
          </Fold>
        )}
        {showResend(delivery)}
      </div>
    </Card>
  )
}

/** Stays on this page after a resend; the new attempt appears in the list of attempts. */
function showResend({ id, generation }: Delivery) {
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
          {MUTATIONS.filter((mutate) => canMutate(mutate, generation)).map((mutate) => (
            <Act call={call} body={{ mutate }}>
              {`With ${MUTATION_WORDS[mutate].name}`}
            </Act>
          ))}
        </div>
      </Fold>
    </div>
  )
}

/** Finds the cause of a delivery, or for one without, such as a duplicate, of its event. */
function causeOf({ services: { journal } }: View, delivery: Delivery) {
  return journal.causeOf(delivery) ?? journal.causeOf(delivery.event)
}

/** Checks the signature as a receiver should have done at the time. */
function showSignature(delivery: Delivery, view: View) {
  const { world } = view
  const secret = world.integratorsByName.get(delivery.integrator)?.signingSecret
  const { id, sent } = delivery
  if (!sent || !secret) return null
  const { headers, body } = requestOf(delivery)
  const headerPrefix = world.settings['names.headerPrefix']
  const checked = verifySignature({ secret, headers, body, headerPrefix, now: sent.at })
  return (
    <Card
      title="Signature"
      aside={<Badge status={checked.ok ? 'valid' : 'invalid'} tone={checked.ok ? 'good' : 'bad'} />}
      fields={{
        Timestamp: headers[`${headerPrefix}-Timestamp`],
        Signature: <code>{headers[`${headerPrefix}-Signature`]}</code>,
        Secret: <Id id={secret} what="the signing secret" />,
      }}
    >
      <p>
        {checked.ok
          ? 'It matches the exact body, and its timestamp was fresh when it was sent.'
          : checked.reason}
      </p>
      <Fold title="Why is my signature wrong?" id={`explain-${id}`}>
        <SignatureForm
          view={view}
          id={id}
          headers={headers}
          body={body}
          secret={secret}
          receivedAt={sent.at}
        />
      </Fold>
    </Card>
  )
}

/** One event with its attempts. A test event is not in the world, so its delivery is used. */
export const event: RenderPage = (view, id = '') => {
  const found =
    view.world.events.after(0).find((each) => each.id === id) ?? view.attemptsOf(id)[0]?.event
  if (!found) return undefined
  const { type, status, at, payload, integrator } = found
  return {
    title: `${type}: ${status}`,
    body: (
      <article class="alone" aria-label="Chosen event">
        <DetailHead title={type} badge={<Badge status={status} />} at={at} id={id} noun="event" />
        {showAttempts(view, id)}
        <Card
          title="About"
          fields={{
            Subject: linkToSubject(view, found),
            Integrator: integrator,
            'Caused by': linkToCause(view, view.services.journal.causeOf(found)),
          }}
        />
        <JsonCard title="Payload" text={JSON.stringify(payload)} />
      </article>
    ),
  }
}
