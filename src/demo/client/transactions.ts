import type { Json } from '../../client/http.ts'
import { formatAmount } from './format.ts'

export const isPending = ({ status }: Json): boolean => status.startsWith('pending')
export const isOver = ({ status }: Json): boolean =>
  ['cancelled', 'canceled', 'expired'].includes(status)
export const isOpen = (transaction: Json): boolean => !isDone(transaction) && !isOver(transaction)
export const isBuy = ({ leftSideLabel }: Json): boolean => leftSideLabel === 'CAD'
export const isDone = ({ status }: Json): boolean => status === 'complete'

export const coinLabel = (row: Json): string =>
  isBuy(row) ? row.rightSideLabel : row.leftSideLabel
export const paysOf = (row: Json): string => formatAmount(row.leftSideValue, row.leftSideLabel)
export const getsOf = (row: Json): string => formatAmount(row.rightSideValue, row.rightSideLabel)
