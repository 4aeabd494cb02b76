import { expect, it } from 'vitest'
import { OTHER_SHAPES } from '../contract.ts'
import { openApp } from '../helpers/app.ts'
import { EVM_WALLET, PROFILE } from '../helpers/story.ts'
import { openControl } from './control.ts'

interface Row {
  id: string
  value: unknown
  default: unknown
  strict: unknown
}

const EMAIL = 'alice@example.com'
const CONTRACT = { preset: 'contract' } as const

it('the preset contract sets every setting to its strict value', async () => {
  await using control = openControl()
  await control.patch('/settings', { 'quotes.ttl': '5m', 'status.created': 201 })
  const { items: changed } = await control.patch('/settings', CONTRACT)
  const { items } = (await control.get('/settings')) as { items: Row[] }
  expect(items.filter(({ value, strict }) => value !== strict)).toEqual([])
  const stricter = items.filter((row) => row.strict !== row.default)
  expect(changed).toEqual(expect.arrayContaining(stricter))
  expect(stricter.length).toBeGreaterThan(15)
  const { settings } = await control.app.control('GET', '/state')
  expect(Object.keys(settings).sort()).toEqual(stricter.map(({ id }) => id).sort())
})

it('the preset contract refuses four of the errors that are accepted and noted by default', async () => {
  await using control = openControl()
  const { items } = (await control.get('/settings')) as { items: Row[] }
  const statuses = items.filter(({ id }) => id.startsWith('status.') && id !== 'status.created')
  const accepted = statuses.filter((row) => row.default === 200)
  const stricter = statuses.filter((row) => row.strict !== row.default)
  const named = (rows: Row[]) => rows.map(({ id }) => id.replace('status.', '')).sort()
  expect(named(stricter)).toEqual([
    'quote-amount',
    'quote-spent',
    'too-many-decimals',
    'unknown-field',
  ])
  expect(stricter.every(({ strict }) => strict === 400)).toBe(true)
  expect(named(accepted.filter((row) => !stricter.includes(row)))).toEqual([
    'already-verified',
    'duplicate-business',
    'requirements-outstanding',
    'unknown-account',
    'verified-field',
    'webhook-without-url',
  ])
})

const open = () => openApp({ settings: CONTRACT })

it('under the preset contract, a verified user can trade with only what the contract names', async () => {
  const app = open()
  const refused = { body: { email: EMAIL } }
  expect(await app.refused('POST /v2/users', refused)).toMatchObject({ status: 400 })
  const body = { email: EMAIL, ...PROFILE, addressLine2: '' }
  const { id: userId } = await app.callAs(OTHER_SHAPES.onlyId, 'POST /v2/users', { body })
  const { shareToken } = await app.control('POST', '/simulate/share-tokens', { email: EMAIL })
  const path = { userId }
  await app.call('PUT /v2/users/{userId}/kyc', { path, body: { shareToken } })
  await app.callAs(OTHER_SHAPES.emptyLoginCode, 'POST /v2/auth/login-codes', refused)
  const { messages } = await app.control('GET', '/inbox')
  const code = messages.at(-1).code
  const verify = { body: { email: EMAIL, code } }
  const { accessToken: token } = await app.call('POST /v2/auth/login-codes/verify', verify)
  const labels = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  const { quoteId } = await app.callAs(OTHER_SHAPES.minimalQuote, 'GET /v2/quotes', {
    query: labels,
  })
  const order = { ...labels, wallet: EVM_WALLET, quoteId }
  const whole = { ...order, externalSessionId: 's-1' }
  const create = 'POST /v2/transactions'
  for (const wrong of [order, { ...whole, leftSideValue: 200 }, { ...whole, more: 1 }]) {
    expect(await app.refused(create, { token, body: wrong })).toMatchObject({ status: 400 })
  }
  await app.call(create, { token, body: whole })
  expect(await app.refused(create, { token, body: whole })).toMatchObject({ status: 400 })
})
