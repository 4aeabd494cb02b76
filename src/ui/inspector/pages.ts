import type { ComponentType } from 'preact'
import type { WorldInfo } from '../../control-api/wire.ts'
import { Deliveries } from './deliveries.tsx'
import { Requests } from './requests.tsx'
import { Action, Timeline } from './timeline.tsx'

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
    path: 'webhooks',
    text: 'Webhooks',
    Page: Deliveries,
    count: ({ deliveries, unsentDeliveries }) => deliveries - unsentDeliveries,
  },
]

export const CONTROL: readonly PageEntry[] = []

const OTHERS: readonly PageEntry[] = [{ path: 'actions', Page: Action, within: 'timeline' }]

export const findPage = (path: string): PageEntry | undefined =>
  [...ACTIVITY, ...CONTROL, ...OTHERS].find((page) => page.path === path)
