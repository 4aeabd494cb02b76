import type { Operation } from '../operation.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

export const v1Operations: readonly Operation[] = [...users, ...transactions, ...webhooks]
