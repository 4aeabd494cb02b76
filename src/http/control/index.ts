import type { Operation } from '../operation.ts'
import { actions } from './actions.ts'
import { assumptions } from './assumptions.ts'
import { bank } from './bank.ts'
import { catches } from './catch.ts'
import { chain } from './chain.ts'
import { clock } from './clock.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { health } from './health.ts'
import { inbox } from './inbox.ts'
import { info } from './info.ts'
import { kybSubmissions } from './kyb-submissions.ts'
import { kyc } from './kyc.ts'
import { llms } from './llms.ts'
import { mcp } from './mcp.ts'
import { documents } from './openapi.ts'
import { rates } from './rates.ts'
import { requests } from './requests.ts'
import { reset } from './reset.ts'
import { scenarios } from './scenarios.ts'
import { settings } from './settings.ts'
import { signIn } from './sign-in.ts'
import { simulateTransactions } from './simulate-transactions.ts'
import { simulateUserTransactions } from './simulate-user-transactions.ts'
import { simulateUsers } from './simulate-users.ts'
import { snapshots } from './snapshots.ts'
import { state } from './state.ts'
import { stream } from './stream.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'
import { webhookSettings } from './webhook-settings.ts'
import { webhooks } from './webhooks.ts'
import { worlds } from './worlds.ts'

export { assertControl, assertSameSite, findHostError } from './auth.ts'
export { control } from './dialect.ts'

export const controlOperations: readonly Operation[] = [
  ...health,
  ...info,
  ...reset,
  ...clock,
  ...snapshots,
  ...state,
  ...simulateUsers,
  ...simulateUserTransactions,
  ...simulateTransactions,
  ...users,
  ...transactions,
  ...kybSubmissions,
  ...inbox,
  ...events,
  ...stream,
  ...webhooks,
  ...webhookSettings,
  ...catches,
  ...requests,
  ...actions,
  ...rates,
  ...chain,
  ...settings,
  ...assumptions,
  ...faults,
  ...worlds,
  ...scenarios,
  ...mcp,
  ...kyc,
  ...bank,
  ...signIn,
  ...documents,
  ...llms,
]
