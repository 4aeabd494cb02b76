import { expect, it } from 'vitest'
import { logIn, PENDING, PROCESSING } from '../helpers/story.ts'
import { openControl } from './control.ts'

const ALICE = 'a11ce000-0000-4000-8000-000000000001'

/** A world with this many verified users. */
const withUsers = (count: number) => ({
  fixture: {
    integrators: [{ name: 'main', apiKey: 'sandbox-key' }],
    users: Array.from({ length: count }, (_, i) => ({
      email: `user${i}@example.com`,
      status: i % 2 === 0 ? 'verified' : 'initial',
    })),
  },
})

it('user records say everything about a user', async () => {
  await using control = openControl()
  const alice = await logIn(control.app)
  await alice.buy()
  await control.post('/simulate/users/alice@example.com/account', { maximumCad: 500 })
  const user = await control.get(`/users/${ALICE}`)
  expect(user).toMatchObject({
    id: ALICE,
    email: 'alice@example.com',
    status: 'verified',
    integrators: ['main', 'second'],
    keyAccess: false,
    profile: { firstName: 'Alice', addressLine2: null, pep: false },
    requirements: { complete: true, outstanding: [] },
    limits: {
      minimumCad: 10,
      maximumCad: 500,
      window: '1d',
      active: { count: 1, maximum: 3 },
      cancelledOrExpired: { count: 0, maximum: 10 },
    },
    account: { autodeposit: false, maximumCad: 500, loginCode: null },
    transactionCount: 1,
  })
  expect(user.history.map(({ status }: { status: string }) => status)).toEqual([
    'initial',
    'verified',
  ])
  expect(await control.get('/users/ALICE@example.com')).toEqual(user)
})

it('a list of records comes oldest first, 100 at a time, and goes on from the cursor', async () => {
  await using control = openControl(withUsers(250))
  const first = await control.get('/users')
  expect(first.items).toHaveLength(100)
  expect(first.items[0].email).toBe('user0@example.com')
  expect(first).toMatchObject({ total: 250, more: true })
  const second = await control.get(`/users?after=${first.cursor}&limit=149`)
  expect(second.items[0].email).toBe('user100@example.com')
  expect(second.more).toBe(true)
  const last = await control.get(`/users?after=${second.cursor}`)
  expect(last.items).toHaveLength(1)
  expect(last.more).toBe(false)
  expect((await control.get(`/users?after=${last.cursor}`)).items).toEqual([])
})

it('a list of records with last returns only the newest that match, also after a cursor', async () => {
  await using control = openControl(withUsers(9))
  const read = async (query: string) => {
    const { items, ...page } = await control.get(`/users?${query}`)
    return {
      emails: items.map(({ email }: { email: string }) => email.split('@', 1)[0]),
      ...page,
    }
  }
  const newest = await read('last=2&status=verified')
  expect(newest).toMatchObject({ emails: ['user6', 'user8'], total: 5, more: false })
  const first = await read('last=3&limit=2')
  expect(first).toMatchObject({ emails: ['user6', 'user7'], total: 9, more: true })
  expect((await read(`last=3&limit=2&after=${first.cursor}`)).emails).toEqual(['user8'])
  expect((await read('last=100')).emails).toHaveLength(9)
})

it('a list of records counts by status as transactions move', async () => {
  await using control = openControl()
  const alice = await logIn(control.app)
  const [first, second] = [await alice.buy(), await alice.buy()]
  const total = async (status: string) =>
    (await control.get(`/transactions?status=${encodeURIComponent(status)}`)).total
  expect(await total(PENDING)).toBe(2)
  await control.post(`/simulate/transactions/${first.id}/funds-received`)
  await alice.cancel(second.id)
  expect([await total(PENDING), await total(PROCESSING), await total('cancelled')]).toEqual([
    0, 1, 1,
  ])
  await control.post(`/simulate/transactions/${first.id}/status`, {
    status: 'on hold',
  })
  expect([await total(PROCESSING), await total('on hold')]).toEqual([0, 1])
  const { counts } = await control.get('/info')
  expect(counts.transactionsByStatus).toEqual({ cancelled: 1, 'on hold': 1 })
})

it('transaction records say everything about a buy, and which statuses can follow', async () => {
  await using control = openControl()
  const bought = await (await logIn(control.app)).buy({ externalSessionId: 'session-7' })
  const record = await control.get(`/transactions/${bought.id}`)
  expect(record).toMatchObject({
    side: 'buy',
    status: PENDING,
    integrator: 'main',
    userId: ALICE,
    email: 'alice@example.com',
    createdAt: '2026-07-01T12:00:00.000Z',
    closedAt: null,
    expiresAt: '2026-07-01T13:00:00.000Z',
    leftSideLabel: 'CAD',
    leftSideValue: 100,
    rightSideValue: bought.rightSideValue,
    rate: 1.4015,
    depositAddress: '',
    externalSessionId: 'session-7',
    securityAnswer: null,
    allowed: [PROCESSING, 'cancelled', 'expired'],
    history: [{ status: PENDING, at: '2026-07-01T12:00:00.000Z' }],
  })
  const { fee, gas, spread, total } = record.breakdown
  expect(fee + gas + spread).toBeCloseTo(total, 6)
})

it('transaction records have no scheduled expiry once the funds are received, and no tasks once they are settled', async () => {
  await using control = openControl()
  const { id } = await (await logIn(control.app)).sell()
  expect(await control.get(`/transactions/${id}`)).toMatchObject({
    side: 'sell',
    expiresAt: '2026-07-02T12:00:00.000Z',
    depositAddress: expect.stringMatching(/^0x/),
    securityAnswer: expect.any(String),
  })
  await control.post(`/simulate/transactions/${id}/funds-received`)
  expect(await control.get(`/transactions/${id}`)).toMatchObject({
    expiresAt: null,
    allowed: ['complete'],
  })
  await control.app.advance('5m')
  await control.post(`/simulate/transactions/${id}/settled`)
  const settled = await control.get(`/transactions/${id}`)
  expect(settled).toMatchObject({ closedAt: '2026-07-01T12:05:00.000Z', allowed: [] })
  expect(settled.history).toHaveLength(3)
})
