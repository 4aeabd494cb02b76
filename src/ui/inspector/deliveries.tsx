import { useState } from 'preact/hooks'
import type { DeliveryRecord, Wire } from '../../control-api/wire.ts'
import { control } from '../lib/api.ts'
import { formatNumber, plural } from '../lib/format.ts'
import { List, type ListProps, Url } from '../lib/list.tsx'
import { refresh, useRead } from '../lib/live.ts'
import { controlPath } from '../lib/page.ts'
import { Time } from '../lib/parts.tsx'
import { query, urlOf } from '../lib/router.ts'
import { toast } from '../lib/toast.tsx'
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
const OUTCOMES: Readonly<Record<DeliveryRecord['outcome'] | typeof FAILED, string>> = {
  [FAILED]: 'failed',
  delivered: 'delivered',
  rejected: 'rejected',
  refused: 'no connection',
  timeout: 'timeout',
  tls: 'tls',
  blocked: 'blocked',
  overflow: 'overflow',
  [UNSENT]: 'suppressed',
  pending: 'pending',
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
    { name: 'outcome', label: 'Any outcome', options: Object.entries(OUTCOMES), toQuery },
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
          {wasRepaired(row) && <span class="quiet"> resent ✓</span>}
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
  time: { name: 'Event at', of: ({ occurredAt }) => occurredAt },
  detail: (id) => <Delivery id={id} />,
  head: () => <Configuration />,
  aside: () => <Failed />,
  footer: () => <Unsent />,
  empty: {
    title: 'No webhooks yet.',
    body: () => <p>One is sent for each change to a user or a transaction.</p>,
  },
}

export const Deliveries = () => <List {...DELIVERIES} />

/** Leads to events that had nowhere to go. */
const Unsent = () => {
  const count = info.value?.counts.unsentDeliveries ?? 0
  if (count === 0 || query.value.get('outcome')) return null
  return (
    <p class="unsent">
      {`${plural(count, 'event')} weren't sent: no webhook URL is configured. `}
      <a href={urlOf('webhooks', { outcome: UNSENT })}>Show them</a>
    </p>
  )
}

/** The way to failed webhooks, and the button that resends them all. */
const Failed = () => {
  const words = query.value.get('q')
  const search = new URLSearchParams({ failed: 'true', last: '1', ...(words && { q: words }) })
  const { data } = useRead<'webhooks.deliveries'>(`/webhooks/deliveries?${search}`)
  const count = data?.total ?? 0
  if (query.value.get('outcome') === FAILED) {
    return (
      <>
        <a href={urlOf('webhooks')}>All webhooks</a>
        <ResendAll count={count} />
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

/** Resends webhooks one at a time, in the order of their events. */
const ResendAll = ({ count }: { count: number }) => {
  const [progress, setProgress] = useState<{ place: number; total: number }>()
  const resend = async () => {
    const ids = await listFailed()
    let failures = 0
    for (const [index, id] of ids.entries()) {
      setProgress({ place: index + 1, total: ids.length })
      const path = controlPath(`/webhooks/deliveries/${id}/resend`)
      const sent = await control<DeliveryRecord>('POST', path).catch(() => undefined)
      if (sent?.outcome !== 'delivered') failures++
    }
    const all = plural(ids.length, 'webhook')
    const text = failures > 0 ? `${failures} of ${all} failed again` : `${all} resent`
    const curl = 'npx --no -- ramp-sandbox webhook resend --failed'
    toast({ text, ok: failures === 0, curl })
    setProgress(undefined)
    await refresh()
  }
  if (progress) {
    const { place, total } = progress
    return (
      <span class="row" role="status">
        <progress max={total} value={place - 1} aria-label="Resent" />
        <span class="quiet">{`Resending ${place} of ${total} …`}</span>
      </span>
    )
  }
  if (count === 0) return null
  return (
    <button type="button" class="button small" onClick={resend}>
      {`Resend all ${formatNumber(count)}`}
    </button>
  )
}

async function listFailed(): Promise<readonly string[]> {
  const search = new URLSearchParams({ failed: 'true', last: '1000' })
  const words = query.value.get('q')
  if (words) search.set('q', words)
  type Page = Wire['webhooks.deliveries']['response']
  const page = await control<Page>('GET', controlPath(`/webhooks/deliveries?${search}`))
  return page.deliveries.map(({ id }) => id)
}
