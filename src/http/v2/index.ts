import type { Operation } from '../operation.ts'
import { quotes, transactions } from './transactions.ts'
import { users } from './users.ts'
import { webhookConfigurations } from './webhook-configurations.ts'

export { v2 } from './dialect.ts'

export const v2Operations: readonly Operation[] = [
  ...users,
  ...quotes,
  ...transactions,
  ...webhookConfigurations,
]
