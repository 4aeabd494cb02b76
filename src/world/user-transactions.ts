import type { Transaction } from './state.ts'

/** The transactions of one user, as lists and limits need them; each index is made on first use. */
export class UserTransactions {
  readonly all: Transaction[] = []
  #byIntegrator: Map<string, Transaction[]> | undefined
  #active: Set<Transaction> | undefined
  #unsuccessful: Set<Transaction> | undefined

  get byIntegrator(): ReadonlyMap<string, readonly Transaction[]> {
    if (this.#byIntegrator === undefined) {
      this.#byIntegrator = new Map()
      for (const transaction of this.all) addTo(this.#byIntegrator, transaction)
    }
    return this.#byIntegrator
  }

  /** Active ones in order of creation; limits remove those outside their window. */
  get active(): Set<Transaction> {
    this.#active ??= new Set(this.all.filter(isActive).sort((a, b) => a.createdAt - b.createdAt))
    return this.#active
  }

  /** Cancelled and expired ones in order of closing; limits remove those outside their window. */
  get unsuccessful(): Set<Transaction> {
    this.#unsuccessful ??= new Set(
      this.all.filter(isUnsuccessful).sort((a, b) => (a.closedAt ?? 0) - (b.closedAt ?? 0)),
    )
    return this.#unsuccessful
  }

  add(transaction: Transaction): void {
    this.all.push(transaction)
    if (this.#byIntegrator) addTo(this.#byIntegrator, transaction)
    if (isActive(transaction)) this.#active?.add(transaction)
  }

  /** Follows a status change along the table. */
  update(transaction: Transaction): void {
    if (!isActive(transaction)) this.#active?.delete(transaction)
    if (isUnsuccessful(transaction)) this.#unsuccessful?.add(transaction)
  }

  /**
   * Rebuilds the indexes after changes that `update` cannot follow: a forced status, or another
   * window.
   */
  reset(): void {
    this.#active = undefined
    this.#unsuccessful = undefined
  }
}

function addTo(lists: Map<string, Transaction[]>, transaction: Transaction) {
  const list = lists.get(transaction.integrator)
  if (list) list.push(transaction)
  else lists.set(transaction.integrator, [transaction])
}

const isActive = ({ closedAt }: Transaction) => closedAt === null
export const isUnsuccessful = ({ status }: Transaction): boolean =>
  status === 'cancelled' || status === 'expired'
