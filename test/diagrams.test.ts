import { describe, expect, it } from 'vitest'
import { TRANSACTION_STATUSES } from '../src/world/words.ts'
import { openApp, type TestApp } from './helpers/app.ts'

const PENDING = 'pending request money transfer'
const PROCESSING = 'processing request money transfer'

/** What the control API offers to move a transaction, and where it leads. */
const SIMULATIONS = [
  ['funds-received', PROCESSING],
  ['settled', 'complete'],
  ['cancelled', 'cancelled'],
  ['expired', 'expired'],
] as const

/** The arrows that a page draws, as `from → to`; the open ones have a button. */
async function drawnEdges(app: TestApp, path: string) {
  const { text } = await app.send(`/_sandbox/ui/${path}`)
  const found = [...text.matchAll(/class="edge (\w+)" data-from="([^"]*)" data-to="([^"]*)"/g)]
  const edges = found.map(([, state, from, to]) => ({ state, edge: `${from} → ${to}` }))
  const open = edges.filter(({ state }) => state === 'open').map(({ edge }) => edge)
  return { all: edges.map(({ edge }) => edge).sort(), open: open.sort() }
}

async function newTransaction(app: TestApp): Promise<string> {
  await app.control('POST', '/simulate/users/alice@example.com/buy', {
    cad: 100,
  })
  const { items } = await app.control('GET', '/transactions')
  return items.at(-1).id
}

describe('the diagram of a transaction', () => {
  it.each([{}, { 'transactions.cancelledStatus': 'canceled' }])(
    'draws exactly what the simulations allow under %j',
    async (settings) => {
      const app = openApp({
        fixture: 'verified-user',
        settings: { ...settings, 'limits.active': 99, 'limits.cancelled': 99 },
      })
      const allowed: string[] = []
      for (const from of [...TRANSACTION_STATUSES, 'sending USDC']) {
        let open: string[] | undefined
        for (const [simulation, to] of SIMULATIONS) {
          const id = await newTransaction(app)
          const path = `/simulate/transactions/${id}`
          if (from !== PENDING) await app.control('POST', `${path}/status`, { status: from })
          open ??= (await drawnEdges(app, `transactions/${id}`)).open
          const moved = await app.control('POST', `${path}/${simulation}`).catch(() => undefined)
          const edge = `${from} → ${to}`
          expect(open.includes(edge), edge).toBe(moved !== undefined)
          if (moved) allowed.push(edge)
        }
      }
      const { all } = await drawnEdges(app, `transactions/${await newTransaction(app)}`)
      expect(all).toEqual(allowed.filter((edge) => !edge.startsWith('sending')).sort())
      await app.close()
    },
  )
})

describe("the diagram of a user's identity check", () => {
  it('leads from each status to every other, and each button goes there', async () => {
    const app = openApp({ fixture: 'verified-user' })
    const { items } = await app.control('GET', '/users')
    const path = `users/${items[0].id}`
    const seen = new Set<string>()
    const queue = ['verified']
    for (let from = queue.shift(); from !== undefined; from = queue.shift()) {
      if (seen.has(from)) continue
      seen.add(from)
      await app.control('POST', `/simulate/${path}/kyc`, { status: from })
      const { all, open } = await drawnEdges(app, path)
      expect(open).toEqual(all)
      expect(all.every((edge) => edge.startsWith(`${from} → `))).toBe(true)
      queue.push(...all.map((edge) => edge.split(' → ')[1] ?? ''))
    }
    expect([...seen].sort()).toEqual([
      'active',
      'in-review',
      'inactive',
      'initial',
      'rejected',
      'upload',
      'verified',
    ])
    await app.close()
  })
})
