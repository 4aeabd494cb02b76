import type { Transaction } from './state.ts'

/** What limits and lists need to know about one user, kept beside the state. */
export interface Book {
  /** Every transaction, oldest first. */
  all: Transaction[]
  /** Transactions by integrator, oldest first. */
  byIntegrator: Map<string, Transaction[]>
  /** Active ones in order of creation; limits drop those that left their window. */
  active: Set<Transaction>
  /** Cancelled and expired ones in order of closing; limits drop those that left their window. */
  unsuccessful: Set<Transaction>
}

export const openBook = (): Book => ({
  all: [],
  byIntegrator: new Map(),
  active: new Set(),
  unsuccessful: new Set(),
})

export function enterTransaction(book: Book, transaction: Transaction): void {
  book.all.push(transaction)
  const own = book.byIntegrator.get(transaction.integrator)
  if (own) own.push(transaction)
  else book.byIntegrator.set(transaction.integrator, [transaction])
  if (transaction.closedAt === null) book.active.add(transaction)
}

/** Follows a status change along the table. */
export function noteStatus(book: Book, transaction: Transaction): void {
  if (transaction.closedAt !== null) book.active.delete(transaction)
  if (isUnsuccessful(transaction)) book.unsuccessful.add(transaction)
}

/** Counts anew after what cannot be followed: a load, a forced status, another window. */
export function recount(book: Book): void {
  const active = book.all.filter(({ closedAt }) => closedAt === null)
  const unsuccessful = book.all.filter(isUnsuccessful)
  book.active = new Set(active.sort((a, b) => a.createdAt - b.createdAt))
  book.unsuccessful = new Set(unsuccessful.sort((a, b) => (a.closedAt ?? 0) - (b.closedAt ?? 0)))
}

const isUnsuccessful = ({ status }: Transaction) => status === 'cancelled' || status === 'expired'
