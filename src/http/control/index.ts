import type * as z from 'zod'
import type { Operation } from '../operation.ts'
import { catches } from './catch.ts'
import { chain } from './chain.ts'
import { clock } from './clock.ts'
import type { Lever } from './dialect.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { documents, info } from './info.ts'
import { orders } from './orders.ts'
import { requests } from './requests.ts'
import type { LeverName } from './routes.ts'
import { scenarios } from './scenarios.ts'
import { settings } from './settings.ts'
import { stream } from './stream.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'
import { worlds } from './worlds.ts'

export { assertControl, assertSameSite, findHostError } from './auth.ts'
export { control } from './dialect.ts'

const rows = [
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
  ...requests,
  ...chain,
  ...settings,
  ...faults,
  ...scenarios,
  ...documents,
]

export const controlOperations: readonly Operation[] = rows

type Row = (typeof rows)[number]

/** Types that each lever takes and responds with, by its name in the library. */
export type Wire = {
  [Each in Extract<Row, { as: LeverName }> as Each['as']]: {
    query: z.input<SchemaOf<Each['query']>>
    body: z.input<SchemaOf<Each['body']>>
    response: z.output<SchemaOf<Each['response']>>
  }
}

type SchemaOf<Make> = NonNullable<Make> extends () => infer Schema ? Schema & z.ZodType : never

export const LEVERS: readonly Lever[] = rows.filter(
  (row): row is Extract<Row, Lever> => 'as' in row,
)
