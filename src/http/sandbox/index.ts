import type { Operation } from '../operation.ts'
import { clock } from './clock.ts'
import { info } from './info.ts'
import { simulateTransactions, simulateUsers } from './simulate.ts'

export { control } from './dialect.ts'

export const controlOperations: readonly Operation[] = [
  ...info,
  ...clock,
  ...simulateUsers,
  ...simulateTransactions,
]
