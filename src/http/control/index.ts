import type { Operation } from '../operation.ts'
import { catches } from './catch.ts'
import { clock } from './clock.ts'
import { coverage } from './coverage.ts'
import { documents } from './documents.ts'
import { events } from './events.ts'
import { explain } from './explain.ts'
import { faults } from './faults.ts'
import { info } from './info.ts'
import { journal } from './journal.ts'
import { mcp } from './mcp.ts'
import { orders } from './orders.ts'
import { requests } from './requests.ts'
import { scenarios } from './scenarios.ts'
import { settings } from './settings.ts'
import { signIn } from './sign-in.ts'
import { stream } from './stream.ts'
import { timeline } from './timeline.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'
import { worlds } from './worlds.ts'

export {
  assertControl,
  assertSameSite,
  type ControlAccess,
  findHostError,
} from './auth.ts'
export { control } from './dialect.ts'

export const controlOperations: readonly Operation[] = [
  ...info,
  ...worlds,
  ...clock,
  ...users,
  ...orders,
  ...transactions,
  ...events,
  ...stream,
  ...webhooks,
  ...catches,
  ...explain,
  ...requests,
  ...journal,
  ...timeline,
  ...settings,
  ...faults,
  ...scenarios,
  ...coverage,
  ...documents,
  ...mcp,
  ...signIn,
]
