import type { ComponentType } from 'preact'
import type { Wire, WorldInfo } from '../../control-api/wire.ts'
import { type Identified, List, type ListProps } from '../lib/list.tsx'
import { Action } from './action.tsx'
import { CheckSignature } from './check-signature.tsx'
import { DELIVERIES } from './deliveries.tsx'
import { EVENTS } from './events.tsx'
import { Faults } from './faults.tsx'
import { INBOX } from './inbox.tsx'
import { KYB } from './kyb.tsx'
import { Reference } from './reference/page.tsx'
import { REQUESTS } from './requests.tsx'
import { Search } from './search.tsx'
import { Settings } from './settings.tsx'
import { Timeline } from './timeline.tsx'
import { TRANSACTIONS } from './transactions.tsx'
import { USERS } from './users.tsx'
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

function listed<Operation extends keyof Wire, Row extends Identified>(
  list: ListProps<Operation, Row>,
): PageEntry {
  return {
    path: list.name,
    text: list.title,
    count: list.count,
    Page: () => <List {...list} />,
  }
}

export const ACTIVITY: readonly PageEntry[] = [
  { path: 'timeline', text: 'Timeline', Page: Timeline },
  listed(REQUESTS),
  listed(TRANSACTIONS),
  listed(USERS),
  listed(INBOX),
  listed(KYB),
  listed(EVENTS),
  listed(DELIVERIES),
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
