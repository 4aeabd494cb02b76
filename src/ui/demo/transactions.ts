import type { TransactionResponse } from '../../http/v2/shapes.ts'
import { formatAmount } from './format.ts'

type Status = Pick<TransactionResponse, 'status'>

export const isPending = ({ status }: Status): boolean => status.startsWith('pending')
export const isOver = ({ status }: Status): boolean =>
  ['cancelled', 'canceled', 'expired'].includes(status)
export const isDone = ({ status }: Status): boolean => status === 'complete'
export const isOpen = (transaction: Status): boolean => !isDone(transaction) && !isOver(transaction)
export const isBuy = ({ leftSideLabel }: Pick<TransactionResponse, 'leftSideLabel'>): boolean =>
  leftSideLabel === 'CAD'

export const coinLabel = (row: TransactionResponse): string =>
  isBuy(row) ? row.rightSideLabel : row.leftSideLabel
export const paysOf = (row: TransactionResponse): string =>
  formatAmount(row.leftSideValue, row.leftSideLabel)
export const getsOf = (row: TransactionResponse): string =>
  formatAmount(row.rightSideValue, row.rightSideLabel)
