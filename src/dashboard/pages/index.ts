import type { Draw } from '../view.ts'
import { assumptions } from './assumptions.tsx'
import { deliveries } from './deliveries.tsx'
import { faults } from './faults.tsx'
import { inbox } from './inbox.tsx'
import { overview } from './overview.tsx'
import { requests } from './requests.tsx'
import { scenarios } from './scenarios.tsx'
import { search } from './search.tsx'
import { transactions } from './transactions.tsx'
import { users } from './users.tsx'
import { world } from './world.tsx'

/** Pages of the inspector by the word in their path. */
export const PAGES: Readonly<Partial<Record<string, Draw>>> = {
  overview,
  users,
  transactions,
  inbox,
  deliveries,
  requests,
  scenarios,
  faults,
  assumptions,
  search,
  world,
}
