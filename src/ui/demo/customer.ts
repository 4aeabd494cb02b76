import { type Customer, change, state } from './store.ts'

const UNKNOWN: Customer = { name: '', received: [], orders: {} }

/** The customer with the e-mail address of the wallet. */
export const customer = (): Customer => state.customers[state.email] ?? UNKNOWN

export function note(part: Partial<Customer>): void {
  change({ customers: { ...state.customers, [state.email]: { ...customer(), ...part } } })
}
