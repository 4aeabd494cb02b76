import type { CallRecord } from '../../engine/request-journal.ts'
import type { Cause } from '../../engine/timeline.ts'
import { findInJournal } from '../../http/control/page.ts'
import { formatName } from '../format.ts'
import { Badge } from '../parts.tsx'
import type { View } from '../view.ts'
import { type About, aboutEntry, formatAmount, type TimelineEntry } from './entries.ts'
import { formatAction } from './words.ts'

interface WhoProps {
  view: View
  about: About
  amount: string
}

/** Of whom and of how much it is. */
export const Who = ({ view, about: { user, transaction }, amount }: WhoProps) => (
  <span class="who">
    {user && (
      <a href={view.page(`users/${user.id}`)} title={user.email}>
        {user.profile.firstName ? formatName(user) : user.email}
      </a>
    )}
    {amount &&
      (transaction ? (
        <a class="sum" href={view.page(`transactions/${transaction.id}`)} title={amount}>
          {amount}
        </a>
      ) : (
        <span class="sum">{amount}</span>
      ))}
  </span>
)

/** The same for the fields of a page; undefined where it is about nobody, or no amount. */
export function aboutRows(view: View, entry: TimelineEntry) {
  const about = aboutEntry(view, entry)
  const { user, transaction } = about
  const amount = formatAmount(about, entry) || undefined
  return {
    User: user && <a href={view.page(`users/${user.id}`)}>{user.email}</a>,
    Transaction: transaction ? (
      <a href={view.page(`transactions/${transaction.id}`)}>{amount}</a>
    ) : (
      amount
    ),
  }
}

export const StatusBadge = ({ status }: { status: number }) => {
  if (status === 0) return <Badge status="pending" />
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return <Badge status={String(status)} tone={tone} />
}

/** Below the base URL of the world. */
export function formatPath({ url }: CallRecord, view: View): string {
  const { pathname, search } = new URL(url)
  return `${pathname.slice(view.prefix.length)}${search}`
}

export const entryPage = ({ kind, id }: Pick<Cause, 'kind' | 'id'>) =>
  `${kind === 'call' ? 'requests' : 'actions'}/${id}`

/** The call or action behind something. */
export const CauseLink = ({ view, cause }: { view: View; cause: Cause }) => {
  const { requests, timeline } = view.services
  const call = findInJournal(requests, 'req', cause.id)
  const action = findInJournal(timeline.actions, 'act', cause.id)
  if (call === undefined && action === undefined) return <span>{cause.name}</span>
  const text = action
    ? formatAction(action, view.world)
    : call && `${call.method} ${formatPath(call, view)}`
  return <a href={view.page(entryPage(cause))}>{text}</a>
}
