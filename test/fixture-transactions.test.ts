import { expect, it } from 'vitest'
import {
  ALICE,
  BUY,
  HOUR,
  MINUTE,
  NOW,
  open,
  PENDING,
  PROCESSING,
  problemsOf,
  SELL,
  trading,
} from './helpers/fixtures.ts'

it('a transaction of a fixture equals one that the same request would have created, with its expiry scheduled', () => {
  const world = open(trading({ createdAt: '-PT30M', externalSessionId: 'session' }))
  const createdAt = NOW - 30 * MINUTE
  const [transaction] = world.transactions
  expect(transaction).toMatchObject({
    createdAt,
    closedAt: null,
    status: PENDING,
    leftSide: 100_000_000,
    rightSide: 70_660_000,
    paymentId: null,
    externalSessionId: 'session',
    history: [{ status: PENDING, at: createdAt }],
  })
  expect(transaction?.wallet).toMatch(/^0x[0-9a-f]{40}$/)
  expect(world.tasks.all()).toMatchObject([
    { kind: 'expire-transaction', ref: transaction?.id, at: createdAt + HOUR },
  ])
  expect(world.events.last + world.messages.last).toBe(0)
})

it('a complete transaction of a fixture has passed through every status', () => {
  const [transaction] = open(trading({ status: 'complete', createdAt: '-P3D' })).transactions
  const createdAt = NOW - 72 * HOUR
  expect(transaction).toMatchObject({
    closedAt: createdAt + MINUTE,
    paymentId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    history: [
      { status: PENDING, at: createdAt },
      { status: PROCESSING, at: createdAt + MINUTE / 2 },
      { status: 'complete', at: createdAt + MINUTE },
    ],
  })
})

it('a transaction of a fixture has nothing scheduled while it is processed or final', () => {
  const source = trading(
    { status: PROCESSING, createdAt: '-5h' },
    { status: 'cancelled', createdAt: '-4h' },
    { status: 'expired', createdAt: '-3h' },
    { status: 'complete', createdAt: '-2h' },
  )
  expect(open(source).tasks.size).toBe(0)
})

it('a transaction of a fixture settles by itself under automatic settlement, counted from the start', () => {
  const source = trading({ createdAt: '-30m' }, { createdAt: '-30m', status: PROCESSING })
  const world = open(source, { settings: { 'transactions.settlement': 'auto' } })
  const scheduled = world.tasks.all().map(({ kind, at }) => [kind, at - NOW])
  expect(scheduled).toEqual([
    ['settle-transaction', MINUTE],
    ['receive-funds', 2 * MINUTE],
    ['expire-transaction', 30 * MINUTE],
  ])
})

it('an expired transaction of a fixture closed when its window ended', () => {
  const buyAndSell = trading(
    { status: 'expired', createdAt: '-25h' },
    { ...SELL, status: 'expired', createdAt: '-25h' },
  )
  const closed = open(buyAndSell).transactions.map(({ closedAt }) => closedAt)
  expect(closed).toEqual([NOW - 24 * HOUR, NOW - HOUR])
})

it('a transaction of a fixture was created by a verified user, whatever the user is now', () => {
  const source = {
    ...trading({ createdAt: '-1d', status: 'complete' }),
    users: [{ ...ALICE, status: 'inactive' }],
  }
  const history = open(source).users[0]?.history
  expect(history).toEqual([
    { status: 'initial', at: NOW - 24 * HOUR },
    { status: 'verified', at: NOW - 24 * HOUR },
    { status: 'inactive', at: NOW },
  ])
})

it.each([
  ['an unknown user', { user: 'alise@example.com' }, 'user: There is no user alise@example.com'],
  [
    'a user other than the only one',
    { user: 'zoe@elsewhere.ca' },
    'user: There is no user zoe@elsewhere.ca in this fixture; use alice@example.com.',
  ],
  ['a foreign integrator', { integrator: 'other' }, 'integrator: alice@example.com is linked to'],
  ['an unknown label', { rightSideLabel: 'USDC-BTC' }, 'rightSideLabel must be USDC, '],
  ['a hash before its completion', { paymentId: '0x1' }, 'paymentId: Only a complete transaction'],
  [
    'a closing time before its creation',
    { status: 'complete', createdAt: '-1h', closedAt: '-2h' },
    'closedAt: -2h is before the transaction was created.',
  ],
  [
    'a cancellation after its expiry',
    { status: 'cancelled', createdAt: '-3h', closedAt: '-1h' },
    'closedAt: -1h is after the transaction expires, at 2026-',
  ],
  [
    'an expiry before its window ends',
    { status: 'expired', createdAt: '-59m' },
    'closedAt: The transaction does not expire until',
  ],
  ['a dust amount', { leftSideValue: 9.99 }, 'leftSideValue: A transaction must be worth at least'],
])('a transaction of a fixture with %s is refused', (_, given, message) => {
  expect(problemsOf(trading(given)).join()).toContain(`transactions[0].${message}`)
})

it.each([
  ['buy', BUY, HOUR],
  ['sell', SELL, 24 * HOUR],
])(
  'a transaction of a fixture that is a pending %s must be younger than its window',
  (_, side, windowMs) => {
    const aged = (ms: number) => trading({ ...side, createdAt: `-${ms}ms` })
    expect(problemsOf(aged(windowMs - 1))).toEqual([])
    expect(problemsOf(aged(windowMs)).join()).toContain('give it the status expired, or a later')
  },
)

it('a transaction of a fixture obeys the limits at the time of its creation', () => {
  const three = [{ createdAt: '-3m' }, { createdAt: '-2m' }, { createdAt: '-1m' }]
  expect(problemsOf(trading(...three))).toEqual([])
  expect(problemsOf(trading(...three, {}))).toEqual([
    'transactions[3]: At most 3 transactions may be active at once; finish or cancel one first.',
  ])
})

it('a transaction of a fixture may not predate its user', () => {
  const users = [{ ...ALICE, createdAt: '-10m' }]
  const source = (createdAt: string) => ({ ...trading({ createdAt }), users })
  expect(problemsOf(source('-10m'))).toEqual([])
  expect(problemsOf(source('-11m')).join()).toContain('users[0].createdAt: -10m is after')
})
