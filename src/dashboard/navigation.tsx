import { isLeft } from '../engine/faults.ts'
import { wasSuppressed } from '../webhooks/delivery.ts'
import { createListPage } from './list.tsx'
import { checkSignature } from './pages/check-signature.tsx'
import { deliveries, event } from './pages/deliveries.tsx'
import { faults } from './pages/faults.tsx'
import { inbox } from './pages/inbox.tsx'
import { requests } from './pages/requests.tsx'
import { search } from './pages/search.tsx'
import { settings } from './pages/settings.tsx'
import { transactions } from './pages/transactions.tsx'
import { users } from './pages/users.tsx'
import { world } from './pages/world.tsx'
import { reference } from './reference/page.tsx'
import type { Identified, List } from './rows.ts'
import { action, timeline } from './timeline/timeline.tsx'
import type { RenderPage, View } from './view.ts'

interface PageEntry {
  /** Path below `/_sandbox/ui/`. */
  path: string
  render?: RenderPage
  /** Text of its link; a page without one is not in the navigation. */
  text?: string
  /** Path below `/_sandbox/`, for pages outside of `ui/`. */
  href?: string
  count?(view: View): number
  /** Path of the page to highlight instead. */
  within?: string
}

function pageOf<Row extends Identified>(list: List<Row>) {
  return {
    path: list.name,
    text: list.title,
    render: createListPage(list),
  }
}

const ACTIVITY: readonly PageEntry[] = [
  { path: 'timeline', render: timeline, text: 'Timeline', href: '' },
  { ...pageOf(requests), count: ({ services }) => services.journal.calls.count },
  { ...pageOf(transactions), count: ({ world }) => world.transactions.length },
  { ...pageOf(users), count: ({ world }) => world.users.length },
  { ...pageOf(inbox), count: ({ world }) => world.messages.count },
  {
    ...pageOf(deliveries),
    count: ({ services }) =>
      services.journal.deliveries.after(0).filter((delivery) => !wasSuppressed(delivery)).length,
  },
]

const CONTROL: readonly PageEntry[] = [
  { path: 'world', render: world, text: 'Clock and world' },
  {
    path: 'faults',
    render: faults,
    text: 'Faults',
    count: ({ services }) => services.faults.list().filter(isLeft).length,
  },
  { path: 'settings', render: settings, text: 'Settings' },
  { path: 'reference', render: reference, text: 'Reference', href: 'reference' },
  { path: 'demo', text: 'Demo', href: 'demo' },
]

const OTHERS: readonly PageEntry[] = [
  { path: 'actions', render: action, within: 'timeline' },
  { path: 'events', render: event, within: 'webhooks' },
  { path: 'check-signature', render: checkSignature, within: 'webhooks' },
  { path: 'search', render: search },
]

const PAGES = new Map([...ACTIVITY, ...CONTROL, ...OTHERS].map((page) => [page.path, page]))

export const findPage = (path: string): PageEntry | undefined => PAGES.get(path)

export const Navigation = ({ view, page }: { view: View; page: PageEntry | undefined }) => {
  const current = page?.within ?? page?.path
  const show = (entry: PageEntry) => showLink(view, entry, entry.path === current)
  return (
    <nav aria-label="Inspector">
      <h2>Activity</h2>
      {ACTIVITY.map(show)}
      <h2>Control</h2>
      {CONTROL.map(show)}
    </nav>
  )
}

function showLink(view: View, entry: PageEntry, isCurrent: boolean) {
  const { path, text, count, href = `ui/${path}` } = entry
  const total = count?.(view) ?? 0
  return (
    <a
      id={`nav-${path}`}
      href={view.link(`/_sandbox/${href}`)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span>{text}</span>
      {total > 0 && <span class="count">{shorten(total)}</span>}
    </a>
  )
}

const shorten = (count: number) => (count < 10_000 ? String(count) : `${Math.floor(count / 1000)}k`)
