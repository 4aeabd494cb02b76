import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Sandbox } from '../src/client/client.ts'
import { createSandbox } from '../src/host/create-sandbox.ts'
import type { State } from '../src/world/state.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

const EMAIL = 'alice@example.com'
const NOON = '2026-07-01T12:00:00Z'
const folder = createFolder()

it('a sandbox started from a saved world has the same users and transactions', async () => {
  const settings = { preset: 'contract', 'quotes.fee': 0.02 } as const
  await using sandbox = await createSandbox({ fixture: 'cast', clock: NOON, settings })
  await sandbox.simulate.account(EMAIL, { autodeposit: true })
  await sandbox.simulate.account('bob@example.com', { maximumCad: 0 })
  await buy(sandbox)
  const { users, transactions } = await sandbox.control<State>('GET', '/state')
  const file = join(folder, 'mine.json')
  const { code } = await runInProcess(['save', '--fixture', file, '--url', sandbox.url])
  expect(code).toBe(0)
  await using again = await createSandbox({ fixture: file })
  const state = await again.control<State>('GET', '/state')
  expect(state.users.map(essenceOfUser)).toEqual(users.map(essenceOfUser))
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
  expect(state.transactions.map(essenceOf).sort(byId)).toEqual(
    transactions.map(essenceOf).sort(byId),
  )
})

async function saveFixture({ url }: Sandbox) {
  const file = join(folder, 'other.json')
  rmSync(file, { force: true })
  const ended = await runInProcess(['save', '--fixture', file, '--url', url])
  return { ...ended, isWritten: existsSync(file) }
}

it('saving a world that no fixture can fully describe counts the transactions that will differ', async () => {
  await using sandbox = await createSandbox({ fixture: 'verified-user', clock: NOON })
  await sandbox.buy(EMAIL, { cad: 100, settle: true })
  expect((await saveFixture(sandbox)).out).toMatch(/: 1 user, 1 transaction\n$/)
  await sandbox.rates.set({ USDC: { cad: 2 } })
  const { transaction } = await sandbox.buy(EMAIL, { cad: 100 })
  await sandbox.simulate.status(transaction, 'sending')
  const { code, out } = await saveFixture(sandbox)
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/; of the transactions, 2 will have a different amount or status\n$/),
  ])
})

const essenceOfUser = (user: State['users'][0]) => {
  const { id, email, status, profile, integrators, autodeposit, maximumCad } = user
  return [id, email, status, profile, integrators, autodeposit, maximumCad]
}

const essenceOf = (row: State['transactions'][0]) => {
  const { id, userId, status, leftSide, rightSide, wallet, createdAt, closedAt, paymentId } = row
  return { id, userId, status, leftSide, rightSide, wallet, createdAt, closedAt, paymentId }
}

/** Buys to the end. */
async function buy(sandbox: Awaited<ReturnType<typeof createSandbox>>): Promise<void> {
  const alice = await sandbox.login(EMAIL)
  const { data } = await alice.buy({ cad: 100, externalSessionId: 'order-of-alice' })
  await sandbox.clock.advance('5m')
  await sandbox.simulate.settled(data.id, { through: true })
}
