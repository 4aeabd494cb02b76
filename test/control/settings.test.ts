import { expect, it } from 'vitest'
import { SETTING_IDS } from '../../src/world/settings/index.ts'
import { quote } from '../helpers/story.ts'
import { openControl } from './control.ts'

interface Row {
  id: string
  value: unknown
}

const BUY = { leftSideLabel: 'CAD', leftSideValue: 1000, rightSideLabel: 'USDC-ETH' }

it('rates can be changed one at a time, and apply to later quotes', async () => {
  await using control = openControl()
  const before = await quote(control.app, BUY)
  expect(await control.get('/rates')).toEqual({ USDC: { cad: 1.4015 }, CADC: { cad: 1 } })
  const changed = { USDC: { cad: 2 }, CADC: { cad: 1 } }
  expect(await control.put('/rates', { USDC: { cad: 2 } })).toEqual(changed)
  expect(await control.get('/rates')).toEqual(changed)
  const after = await quote(control.app, BUY)
  expect([before.rate, after.rate]).toEqual([1.4015, 2])
})

it('settings can be filtered by words, by whether they are changed, and by whether the contract is open', async () => {
  await using control = openControl()
  const ids = async (query: string) =>
    (await control.get(`/settings?${query}`)).items.map(({ id }: Row) => id)
  expect(await ids('q=gas%20SOLANA')).toEqual(['quotes.gas.solana'])
  expect(await ids('q=lock%20its%20rate')).toEqual(['quotes.ttl'])
  await control.patch('/settings', { 'quotes.ttl': '5m' })
  expect(await ids('changed=true')).toEqual(['quotes.ttl'])
  await control.patch('/settings', { 'quotes.ttl': 'default' })
  expect(await ids('changed=true')).toEqual([])
  const [open, stated] = [await ids('open=true'), await ids('open=false')]
  expect([...open, ...stated].sort()).toEqual([...SETTING_IDS].sort())
  expect(stated).toContain('limits.active')
})

it('settings are shown as people write them, and can be changed in the same form', async () => {
  await using control = openControl()
  const before = await control.get('/settings')
  const changes = { 'quotes.ttl': 'PT90S', 'limits.active': '2', 'quotes.fee': 0.01 }
  const { items: changed, total } = await control.patch('/settings', changes)
  expect(total).toBe(3)
  const values = changed.map(({ id, value }: Row) => [id, value])
  expect(Object.fromEntries(values)).toEqual({
    'quotes.ttl': '90s',
    'limits.active': 2,
    'quotes.fee': 0.01,
  })
  for (const row of changed) expect(await control.get(`/settings/${row.id}`)).toEqual(row)
  const back = { 'quotes.ttl': null, 'limits.active': null, 'quotes.fee': null }
  await control.patch('/settings', back)
  expect(await control.get('/settings')).toEqual(before)
  expect((await control.app.control('GET', '/state')).settings).toEqual({})
})

it('settings change all together or not at all', async () => {
  await using control = openControl()
  const body = { 'quotes.ttl': '5m', 'login.eligible': 'anyone' }
  const { errors } = await control.refused('PATCH', '/settings', { body })
  expect(errors).toEqual([
    { field: 'login.eligible', message: expect.stringContaining('verified or registered') },
  ])
  expect((await control.get('/settings/quotes.ttl')).value).toBe('30m')
})

it('the list of settings has every setting, with the gap in the contract and the reason for the default', async () => {
  await using control = openControl()
  await control.patch('/settings', { 'quotes.ttl': '5m' })
  const { items, total } = await control.get('/settings')
  expect(total).toBe(items.length)
  expect(items.map(({ id }: Row) => id)).toEqual(SETTING_IDS)
  const find = (id: string) => items.find((row: Row) => row.id === id)
  expect(find('quotes.ttl')).toMatchObject({ value: '5m', default: '30m', stated: false })
  expect(find('limits.active')).toMatchObject({ value: 3, default: 3, stated: true })
  expect(find('login.eligible').options).toEqual(['verified', 'registered'])
})
