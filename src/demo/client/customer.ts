import type { Json } from '../../client/http.ts'
import type { Received } from './holdings.ts'
import { readRecord, writeRecord } from './records.ts'
import { state } from './store.ts'

type Customer = Pick<typeof state, 'name' | 'received' | 'orders'>

interface Noted {
  name?: string
  received?: Received
  order?: Json
}

const keyOf = (email: string) => `customer.${encodeURIComponent(email)}`

/** Key and value of the customer's record. */
export function customerRecord(): [key: string, value: Customer] {
  const { email, name, received, orders } = state
  return [keyOf(email), { name, received, orders }]
}

/** Adds to the record of the customer who is logged in. */
export async function note({ name, received, order }: Noted): Promise<void> {
  const before = await readCustomer()
  const orders = order
    ? { ...before.orders, [order.id]: { ...before.orders[order.id], ...order } }
    : before.orders
  await writeRecord(keyOf(state.email), {
    name: name ?? before.name,
    received: received ? [...before.received, received] : before.received,
    orders,
  })
}

/** Reads the customer's record. Customers who never registered here have no name. */
export async function readCustomer(): Promise<Customer> {
  const {
    name = '',
    received = [],
    orders = {},
  } = (await readRecord(keyOf(state.email))).value ?? {}
  return { name, received, orders }
}
