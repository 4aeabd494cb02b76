import type { ComponentType } from 'preact'
import type { Wire, WorldInfo } from '../../control-api/wire.ts'
import { lazy } from '../lib/lazy.tsx'
import { type Identified, List, type ListProps } from '../lib/list.tsx'
import { DELIVERIES } from './deliveries.tsx'
import { EVENTS } from './events.tsx'
import { INBOX } from './inbox.tsx'
import { REQUESTS } from './requests.tsx'
import { Timeline } from './timeline.tsx'
import { TRANSACTIONS } from './transactions.tsx'
import { USERS } from './users.tsx'
import { whenOpened } from './when-opened.ts'

interface PageEntry {
  /** Path below `ui/`. */
  path: string
  /** Text of its link; a page without one is not in the navigation. */
  text?: string
  Page: ComponentType
  /** Number beside its link. */
  count?(counts: WorldInfo['counts']): number
  /** Path of the page to highlight instead. */
  within?: string
}

function listed<Operation extends keyof Wire, Row extends Identified>(
  list: ListProps<Operation, Row>,
  count: Required<PageEntry>['count'],
): PageEntry {
  return {
    path: list.name,
    text: list.title,
    count,
    Page: () => <List {...list} />,
  }
}

export const ACTIVITY: readonly PageEntry[] = [
  { path: 'timeline', text: 'Timeline', Page: Timeline },
  listed(REQUESTS, ({ requests }) => requests),
  listed(TRANSACTIONS, ({ transactions }) => transactions),
  listed(USERS, ({ users }) => users),
  listed(INBOX, ({ messages }) => messages),
  {
    path: 'kyb',
    text: 'KYB submissions',
    count: ({ kybSubmissions }) => kybSubmissions,
    Page: whenOpened('Kyb'),
  },
  listed(EVENTS, ({ events }) => events),
  listed(DELIVERIES, ({ deliveries, unsentDeliveries }) => deliveries - unsentDeliveries),
]

export const CONTROL: readonly PageEntry[] = [
  { path: 'world', text: 'Clock and world', Page: whenOpened('World') },
  { path: 'faults', text: 'Faults', Page: whenOpened('Faults'), count: ({ faults }) => faults },
  { path: 'settings', text: 'Settings', Page: whenOpened('Settings') },
  {
    path: 'reference',
    text: 'Reference',
    Page: lazy(() => import('./reference/page.tsx'), 'Reference'),
  },
]

const OTHERS: readonly PageEntry[] = [
  { path: 'actions', Page: whenOpened('Action'), within: 'timeline' },
  { path: 'check-signature', Page: whenOpened('CheckSignature'), within: 'webhooks' },
  { path: 'search', Page: whenOpened('Search') },
]

export const findPage = (path: string): PageEntry | undefined =>
  [...ACTIVITY, ...CONTROL, ...OTHERS].find((page) => page.path === path)
