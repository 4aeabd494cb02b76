import type { ComponentType } from 'preact'
import type { WorldInfo } from '../../control-api/wire.ts'
import { Action } from './action.tsx'
import { CheckSignature } from './check-signature.tsx'
import { Deliveries } from './deliveries.tsx'
import { Events } from './events.tsx'
import { Faults } from './faults.tsx'
import { Inbox } from './inbox.tsx'
import { Kyb } from './kyb.tsx'
import { Reference } from './reference/page.tsx'
import { Requests } from './requests.tsx'
import { Search } from './search.tsx'
import { Settings } from './settings.tsx'
import { Timeline } from './timeline.tsx'
import { Transactions } from './transactions.tsx'
import { Users } from './users.tsx'
import { World } from './world.tsx'

interface PageEntry {
  /** Path below `ui/`. */
  path: string
  /** Text of its link; a page without one is not in the navigation. */
  text?: string
  Page: ComponentType
  count?(counts: WorldInfo['counts']): number
  /** Path of the page to highlight instead. */
  within?: string
}

export const ACTIVITY: readonly PageEntry[] = [
  { path: 'timeline', text: 'Timeline', Page: Timeline },
  { path: 'requests', text: 'Requests', Page: Requests, count: ({ requests }) => requests },
  {
    path: 'transactions',
    text: 'Transactions',
    Page: Transactions,
    count: ({ transactions }) => transactions,
  },
  { path: 'users', text: 'Users', Page: Users, count: ({ users }) => users },
  { path: 'inbox', text: 'Inbox', Page: Inbox, count: ({ messages }) => messages },
  { path: 'kyb', text: 'KYB', Page: Kyb, count: ({ kybSubmissions }) => kybSubmissions },
  { path: 'events', text: 'Events', Page: Events, count: ({ events }) => events },
  {
    path: 'webhooks',
    text: 'Webhooks',
    Page: Deliveries,
    count: ({ deliveries, unsentDeliveries }) => deliveries - unsentDeliveries,
  },
]

export const CONTROL: readonly PageEntry[] = [
  { path: 'world', text: 'Clock and world', Page: World },
  { path: 'faults', text: 'Faults', Page: Faults, count: ({ faults }) => faults },
  { path: 'settings', text: 'Settings', Page: Settings },
  { path: 'reference', text: 'Reference', Page: Reference },
]

const OTHERS: readonly PageEntry[] = [
  { path: 'actions', Page: Action, within: 'timeline' },
  { path: 'check-signature', Page: CheckSignature, within: 'webhooks' },
  { path: 'search', Page: Search },
]

export const findPage = (path: string): PageEntry | undefined =>
  [...ACTIVITY, ...CONTROL, ...OTHERS].find((page) => page.path === path)
