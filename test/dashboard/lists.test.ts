import { expect, it } from 'vitest'
import { openApp, type TestApp } from '../helpers/app.ts'

const ALICE = 'alice@example.com'
const COUNT = 120

/** Buys of 90 to 209 CAD, oldest first; every third is cancelled. */
const FIXTURE = {
  settings: { 'limits.active': 1000, 'limits.cancelled': 1000 },
  users: [{ email: ALICE, status: 'verified' as const }],
  transactions: Array.from({ length: COUNT }, (_, index) => ({
    user: ALICE,
    leftSideLabel: 'CAD',
    leftSideValue: 90 + index,
    rightSideLabel: 'USDC-ETH',
    createdAt: `-${COUNT - index}s`,
    ...(index % 3 === 0 && { status: 'cancelled' as const, closedAt: '-0s' }),
  })),
}

const open = () => openApp({ fixture: FIXTURE })
const read = async (app: TestApp, page: string) =>
  (await app.send(`/_sandbox/ui/transactions${page}`)).text
const amountsIn = (text: string): number[] =>
  [...text.matchAll(/class="first" title="([\d,]+)\.00 CAD/g)].map(([, amount]) =>
    Number(amount?.replace(',', '')),
  )
const optionsIn = (text: string): string[] =>
  [...text.matchAll(/<option value="\w[^>]*>([^<]*)</g)].map(([, option]) => option ?? '')

/** Amounts from one to another, both included, in steps of one up or down. */
const amounts = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + (to > from ? at : -at))

it('a list has the newest rows on its first page, and the rest on the last', async () => {
  await using app = withEnd(open())
  const pages = await Promise.all(['', '?page=2', '?page=3', '?page=9'].map((p) => read(app, p)))
  expect(pages.map(amountsIn)).toEqual([
    amounts(209, 160),
    amounts(159, 110),
    amounts(109, 90),
    amounts(109, 90),
  ])
  expect(amountsIn(await read(app, '?sort=at&page=3'))).toEqual(amounts(190, 209))
})

it('a list is sorted by any column, in pages too, and the other way round', async () => {
  await using app = withEnd(open())
  expect(amountsIn(await read(app, '?sort=pays-gets&page=3'))).toEqual(amounts(190, 209))
  expect(amountsIn(await read(app, '?sort=-pays-gets'))).toEqual(amounts(209, 160))
  const cancelled = amountsIn(await read(app, '?sort=status')).slice(0, 40)
  expect(cancelled.every((amount) => amount % 3 === 0)).toBe(true)
})

it('a list is filtered, and keeps the row that is chosen although it does not match', async () => {
  await using app = withEnd(open())
  const filtered = await read(app, '?status=cancelled')
  expect(filtered).toContain('40 transactions')
  expect(amountsIn(filtered)).toHaveLength(40)
  const { items } = await app.control('GET', '/transactions?limit=1000')
  const [pending] = items.filter(({ status }: { status: string }) => status !== 'cancelled')
  const beside = await read(app, `/${pending.id}?status=cancelled`)
  expect(beside).toContain('40 transactions')
  expect(amountsIn(beside)).toHaveLength(41)
  expect(amountsIn(await read(app, `?q=${ALICE}&page=3`))).toEqual(amounts(109, 90))
})

it('a filter names its options as badges do, and counts them', async () => {
  await using app = withEnd(open())
  const before = ['cancelled (40)', 'pending (80)', 'buy', 'sell']
  expect(optionsIn(await read(app, ''))).toEqual(expect.arrayContaining(before))
  await app.control('PATCH', '/settings', { 'transactions.cancelledStatus': 'canceled' })
  const { items } = await app.control('GET', '/transactions?limit=1000')
  const { id } = items.find(({ status }: { status: string }) => status.startsWith('pending'))
  await app.control('POST', `/simulate/transactions/${id}/settled`, { through: true })
  const after = ['canceled (40)', 'complete (1)', 'pending (79)']
  expect(optionsIn(await read(app, ''))).toEqual(expect.arrayContaining(after))
})

it('a list finds every cell that it shows, the ids behind them, and money as anyone writes it', async () => {
  await using app = withEnd(open())
  const { items } = await app.control('GET', '/transactions?limit=1000')
  const { id, wallet, rmtId } = items[31]
  const countOf = async (words: string) =>
    amountsIn(await read(app, `?q=${encodeURIComponent(words)}`)).length
  const shortened = `${id.slice(0, 8)}…${id.slice(-4)}`
  for (const words of [id, shortened, rmtId, `${id} 121.00`, `${id} 121 →`, `${id} pending`]) {
    expect(await countOf(words), words).toBe(1)
  }
  for (const word of ['122.00', 'cancelled']) expect(await countOf(`${id} ${word}`), word).toBe(0)
  expect(await countOf(wallet)).toBe(50)
  expect(await countOf('ALICE@example.com')).toBe(50)
  await app.control('POST', `/simulate/users/${ALICE}/buy`, { cad: 1234 })
  for (const words of ['1234', '1,234', '1,234.00']) expect(await countOf(words), words).toBe(1)
  const query = { leftSideLabel: 'CAD', leftSideValue: 1234.5, rightSideLabel: 'USDC-ETH' }
  await app.call('GET /v2/quotes', { query })
  const { text } = await app.send('/_sandbox/ui/requests?q=1,234.50')
  expect(text).toContain('1 request<')
})

it('a list says how many rows are no longer kept', async () => {
  await using app = withEnd(open())
  for (let count = 0; count < 1003; count++) await app.send('/v2/limits')
  const { text } = await app.send('/_sandbox/ui/requests')
  expect(text).toContain('1,000 requests; 3 older ones are no longer kept')
  expect(text).toContain('<span class="count">1000</span>')
})

const withEnd = (app: TestApp): TestApp & AsyncDisposable => ({
  ...app,
  [Symbol.asyncDispose]: () => app.close(),
})

it('a search among webhooks says how many were not sent, and only those that it would find', async () => {
  await using app = withEnd(openApp({ fixture: 'verified-user' }))
  await app.control('POST', `/simulate/users/${ALICE}/buy`, { cad: 100 })
  const find = async (words: string) =>
    (await app.send(`/_sandbox/ui/webhooks?q=${encodeURIComponent(words)}`)).text
  const found = await find('alice')
  expect(found).toContain('No deliveries match.')
  expect(found).toMatch(/1 event had nowhere to go: <a href="[^"]*q=alice&amp;outcome=suppressed"/)
  expect(await find('bob')).not.toContain('nowhere to go')
})
