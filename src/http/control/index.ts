import type * as z from 'zod'
import type { Operation } from '../operation.ts'
import { actions } from './actions.ts'
import { assumptions } from './assumptions.ts'
import { bank } from './bank.ts'
import { catches } from './catch.ts'
import { chain } from './chain.ts'
import { clock } from './clock.ts'
import type { Lever } from './dialect.ts'
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
import type { LeverName } from './routes.ts'
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

const rows = [
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

export const controlOperations: readonly Operation[] = rows

type Row = (typeof rows)[number]

/** What each lever takes and answers, by its name in the library. */
export type Wire = {
  [Each in Extract<Row, { as: LeverName }> as Each['as']]: {
    query: z.input<SchemaOf<Each['query']>>
    body: z.input<SchemaOf<Each['body']>>
    answer: z.output<SchemaOf<Each['answer']>>
  }
}

type SchemaOf<Make> = NonNullable<Make> extends () => infer Schema ? Schema & z.ZodType : never

export const LEVERS: readonly Lever[] = rows.filter(
  (row): row is Extract<Row, Lever> => 'as' in row,
)
