import { expect, it } from 'vitest'
import { openApp, type TestApp } from '../helpers/app.ts'
import { register, verifiedUser } from '../helpers/story.ts'

/** The counts of `info`, beside those of the rows themselves. */
async function countedTwice(app: TestApp) {
  const { counts } = await app.control('GET', '/info')
  const { items: users } = await app.control('GET', '/users')
  const { items: transactions } = await app.control('GET', '/transactions')
  return [
    { users: counts.usersByStatus, transactions: counts.transactionsByStatus },
    { users: count(users), transactions: count(transactions) },
  ]
}

function count(rows: { status: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

it('counts users and transactions by status as they are, whatever moved them', async () => {
  const app = openApp({ settings: { 'limits.active': 100 } })
  await register(app, { email: 'bob@example.com' })
  const alice = await verifiedUser(app)
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push((await alice.buy()).id)
  const move = (i: number, to: string, body?: object) =>
    app.control('POST', `/simulate/transactions/${ids[i]}/${to}`, body)
  await move(0, 'settled', { through: true })
  await move(1, 'cancelled')
  await app.control('POST', '/snapshots', { name: 'before' })
  await move(2, 'status', { status: 'sending' })
  await move(3, 'funds-received')
  await app.control('PATCH', '/settings', { 'transactions.cancelledStatus': 'canceled' })
  await app.advance('1h')
  const [counted, are] = await countedTwice(app)
  expect(counted).toEqual(are)
  expect(counted?.transactions).toMatchObject({ complete: 1, canceled: 1, sending: 1, expired: 1 })
  await app.control('POST', '/snapshots/before/restore')
  const [restored, were] = await countedTwice(app)
  expect(restored).toEqual(were)
  expect(restored?.transactions).toMatchObject({ complete: 1, cancelled: 1 })
})
