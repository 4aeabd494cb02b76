import type { Operation } from '../operation.ts'
import { login } from './login.ts'
import { quotes } from './quotes.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

export const v1Operations: readonly Operation[] = [
  ...login,
  ...users,
  ...quotes,
  ...transactions,
  ...webhooks,
]
