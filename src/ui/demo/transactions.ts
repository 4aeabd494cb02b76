import { formatAmount } from './format.ts'

/** An order, as the provider's API shows it. */
export interface Transaction {
  id: string
  date: string
  status: string
  leftSideLabel: string
  leftSideValue: number
  rightSideLabel: string
  rightSideValue: number
  rmtId: string
  paymentId: string | null
  wallet?: string
  /** Only in the response to its creation. */
  depositAddress?: string | null
}

type Status = Pick<Transaction, 'status'>

export const isPending = ({ status }: Status): boolean => status.startsWith('pending')
export const isOver = ({ status }: Status): boolean =>
  ['cancelled', 'canceled', 'expired'].includes(status)
export const isDone = ({ status }: Status): boolean => status === 'complete'
export const isOpen = (transaction: Status): boolean => !isDone(transaction) && !isOver(transaction)
export const isBuy = ({ leftSideLabel }: Pick<Transaction, 'leftSideLabel'>): boolean =>
  leftSideLabel === 'CAD'

export const coinLabel = (row: Transaction): string =>
  isBuy(row) ? row.rightSideLabel : row.leftSideLabel
export const paysOf = (row: Transaction): string =>
  formatAmount(row.leftSideValue, row.leftSideLabel)
export const getsOf = (row: Transaction): string =>
  formatAmount(row.rightSideValue, row.rightSideLabel)
