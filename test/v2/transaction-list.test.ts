import { describe, expect, it } from 'vitest'
import { openApp } from '../helpers/app.ts'
import { receiveFunds, settle, verifiedUser } from '../helpers/story.ts'

describe('the list of transactions', () => {
  /** Twenty-two completed buys, a second apart, worth 101, 102, … CAD. */
  async function traded() {
    const app = openApp()
    const alice = await verifiedUser(app)
    for (let i = 1; i <= 22; i++) {
      const { id } = await alice.buy({ leftSideValue: 100 + i })
      await receiveFunds(app, id)
      await settle(app, id)
      await app.advance('1s')
    }
    const list = (query: Record<string, string | number> = {}) =>
      alice.call('GET /v2/transactions', { query })
    return { app, alice, list }
  }
  const values = ({ items }: { items: { leftSideValue: number }[] }) =>
    items.map(({ leftSideValue }) => leftSideValue - 100)

  it('is paged, newest first', async () => {
    const { alice, list } = await traded()
    const page = await list()
    expect(page).toMatchObject({ total: 22, limit: 20, offset: 0 })
    expect(values(page)).toEqual(Array.from({ length: 20 }, (_, i) => 22 - i))
    expect(values(await list({ offset: 20 }))).toEqual([2, 1])
    expect(values(await list({ limit: 3, offset: 1 }))).toEqual([21, 20, 19])
    expect(values(await list({ limit: 1, offset: 21 }))).toEqual([1])
    expect(await list({ offset: 22 })).toEqual({ items: [], total: 22, limit: 20, offset: 22 })
    expect(await list({ offset: 999_999_999 })).toMatchObject({ items: [], total: 22 })
    expect(values(await list({ limit: 100 }))).toHaveLength(22)
    const [newest] = page.items
    expect(await alice.read(newest?.id ?? '')).toEqual(newest)
  })

  it('may hold fewer in a page than the default, which then is fewer too', async () => {
    const app = openApp({ settings: { 'transactions.list.maximum': 1 } })
    const alice = await verifiedUser(app)
    await alice.buy()
    await alice.buy()
    expect(await alice.call('GET /v2/transactions')).toMatchObject({ total: 2, limit: 1 })
  })

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['limit', ''],
    ['offset', '-1'],
    ['offset', 'x'],
    ['offset', '99999999999999999999'],
  ])('refuses %s=%s', async (field, value) => {
    const alice = await verifiedUser(openApp())
    const refused = await alice.refused('GET /v2/transactions', { query: { [field]: value } })
    expect(refused).toMatchObject({ status: 400, errors: [{ field }] })
  })
})
