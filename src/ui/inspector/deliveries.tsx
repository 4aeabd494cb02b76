import type { DeliveryRecord } from '../../control-api/wire.ts'
import { Act } from '../lib/form.tsx'
import { formatNumber } from '../lib/format.ts'
import { type ListProps, Url } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { withQuery } from '../lib/page.ts'
import { Quiet, Time } from '../lib/parts.tsx'
import { query, urlOf } from '../lib/router.ts'
import { Configuration } from './configuration.tsx'
import { Delivery } from './delivery.tsx'
import { info } from './info.ts'
import {
  EVENT_TYPES,
  formatDelivery,
  formatSubject,
  Outcome,
  problemOf,
  Tags,
  wasRepaired,
} from './words.tsx'

const FAILED = 'failed'
const UNSENT = 'suppressed'
/** A record, because it does not compile when an outcome is added. */
const OUTCOMES: Readonly<Record<DeliveryRecord['outcome'] | typeof FAILED, true>> = {
  [FAILED]: true,
  delivered: true,
  rejected: true,
  refused: true,
  timeout: true,
  tls: true,
  blocked: true,
  overflow: true,
  [UNSENT]: true,
  pending: true,
}

const toQuery = (outcome: string): Record<string, string> => {
  if (outcome === FAILED) return { failed: 'true' }
  return outcome === UNSENT ? { outcome, sent: '' } : { outcome }
}

/** Every webhook. Events that had nowhere to go are shown only when asked for. */
export const DELIVERIES: ListProps<'webhooks.deliveries', DeliveryRecord> = {
  name: 'webhooks',
  title: 'Webhooks',
  noun: 'delivery',
  path: '/webhooks/deliveries',
  asked: { sent: 'true' },
  rowsOf: ({ deliveries }) => deliveries,
  filters: [
    { name: 'outcome', label: 'Any outcome', options: Object.keys(OUTCOMES), toQuery },
    { name: 'type', label: 'Any event', options: EVENT_TYPES },
  ],
  columns: [
    {
      name: 'Event',
      show: (row) => (
        <>
          <Tags of={row} />
          {formatDelivery(row)}
        </>
      ),
      title: formatDelivery,
    },
    {
      name: 'Outcome',
      kind: 'mark',
      show: (row) => (
        <>
          <Outcome of={row} />
          <Quiet text={wasRepaired(row) && ' resent ✓'} />
        </>
      ),
    },
    { name: 'Problem', show: (row) => problemOf(row) ?? '' },
    {
      name: 'Sent (real time)',
      kind: 'time',
      show: ({ sentAt }) => (sentAt ? <Time at={sentAt} short="real" /> : 'not sent'),
    },
    { name: 'To', kind: 'url', show: ({ url, reason }) => <Url text={url ?? reason ?? ''} /> },
    { name: 'About', kind: 'fill', isSecond: true, show: formatSubject },
  ],
  time: ['Event at', ({ occurredAt }) => occurredAt],
  detail: (row) => <Delivery row={row} />,
  head: () => <Configuration />,
  aside: () => <Failed />,
  footer: () => <Unsent />,
  empty: [
    'No webhooks yet.',
    () => <p>One is sent when a transaction is created, and when it or a user changes status.</p>,
  ],
}

/** Leads to webhooks that were not configured when their events happened. */
const Unsent = () => {
  const count = info.value?.counts.unsentDeliveries ?? 0
  if (count === 0 || query.value.get('outcome')) return null
  return (
    <p class="unsent">
      {count === 1
        ? "1 webhook wasn't sent: no URL was configured. "
        : `${count} webhooks weren't sent: no URL was configured. `}
      <a href={urlOf('webhooks', { outcome: UNSENT })}>{count === 1 ? 'Show it' : 'Show them'}</a>
    </p>
  )
}

/** The way to failed webhooks, and the button that resends them all. */
const Failed = () => {
  const words = query.value.get('q') ?? ''
  const asked = { failed: 'true', last: '1', q: words }
  const { data } = useRead<'webhooks.deliveries'>(withQuery('/webhooks/deliveries', asked))
  const count = data?.total ?? 0
  if (query.value.get('outcome') === FAILED) {
    return (
      <>
        <a href={urlOf('webhooks')}>All webhooks</a>
        {count > 0 && !words && (
          <Act call="/webhooks/resend-failed" done="Sent again">
            {`Resend all ${formatNumber(count)}`}
          </Act>
        )}
      </>
    )
  }
  return (
    <>
      {count > 0 && (
        <a href={urlOf('webhooks', { outcome: FAILED })}>{`${formatNumber(count)} failed`}</a>
      )}
      <a href={urlOf('check-signature')}>Check a signature</a>
    </>
  )
}
