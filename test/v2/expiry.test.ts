import { describe, expect, it } from 'vitest'
import { openApp, type TestApp } from '../helpers/app.ts'
import { openHooks } from '../helpers/hooks.ts'
import {
  logIn,
  PENDING,
  type Person,
  PROCESSING,
  receiveFunds,
  settle,
  verifiedUser,
} from '../helpers/story.ts'

/** The status that a user sees after a new login, because the token may have expired. */
async function statusOf(app: TestApp, id: string): Promise<string> {
  return (await (await logIn(app)).read(id)).status
}

const SIDES = [
  { side: 'buy', seconds: 3600, create: (alice: Person) => alice.buy() },
  { side: 'sell', seconds: 86_400, create: (alice: Person) => alice.sell() },
]

describe.each(SIDES)('a $side', ({ side, seconds, create }) => {
  it(`a ${side} is pending after ${seconds - 1} seconds and expired one second later`, async () => {
    const app = openApp()
    const { id } = await create(await verifiedUser(app))
    await app.advance(`${seconds - 1}s`)
    expect(await statusOf(app, id)).toBe(PENDING)
    await app.advance('1s')
    expect(await statusOf(app, id)).toBe('expired')
  })

  it(`a ${side} never expires while it is processed`, async () => {
    const app = openApp()
    const { id } = await create(await verifiedUser(app))
    await app.advance(`${seconds - 1}s`)
    await receiveFunds(app, id)
    await app.advance('1s')
    expect(await statusOf(app, id)).toBe(PROCESSING)
    await app.advance('30d')
    expect(await statusOf(app, id)).toBe(PROCESSING)
    await settle(app, id)
    expect(await statusOf(app, id)).toBe('complete')
  })

  it(`the expiry of a ${side} is sent to the integrator once, with the instant it was scheduled for`, async () => {
    const app = openApp()
    await using hooks = await openHooks(app)
    const { id } = await create(await verifiedUser(app))
    await app.advance('3d')
    const updates = (await hooks.envelopes()).filter(({ type }) => type === 'transaction.update')
    expect(updates.map(({ payload }) => payload.status)).toEqual([PENDING, 'expired'])
    const [created, expired] = updates.map(({ occurredAt }) => Date.parse(occurredAt))
    expect((expired ?? 0) - (created ?? 0)).toBe(seconds * 1000)
    expect(updates[1]?.payload).toMatchObject({ transactionId: id, paymentId: null })
  })
})

it('transactions expire in the order of their expiry times, and those with the same one in order of creation', async () => {
  const app = openApp()
  await using hooks = await openHooks(app)
  const alice = await verifiedUser(app)
  const [sell, first, second] = [await alice.sell(), await alice.buy(), await alice.buy()]
  await app.advance('24h')
  const expired = (await hooks.envelopes()).flatMap(({ type, payload }) =>
    type === 'transaction.update' && payload.status === 'expired' ? [payload] : [],
  )
  expect(expired).toMatchObject([
    { transactionId: first.id },
    { transactionId: second.id },
    { transactionId: sell.id },
  ])
})

it('a running clock never shows a time before the tasks due by then have run, and runs each at its own', async () => {
  let wall = Date.parse('2026-07-01T12:00:00Z')
  const app = openApp({ clock: 'running', wallClock: () => wall })
  const alice = await verifiedUser(app)
  const { id } = await alice.buy()
  wall += 1_800_000
  const second = await alice.buy()
  // Longer ago than its timer, which follows real time, could have noticed.
  wall += 7_200_000
  expect(await app.control('GET', '/clock')).toMatchObject({
    now: '2026-07-01T14:30:00.000Z',
    taskCount: 0,
  })
  const { events } = await app.control('GET', '/events?status=expired')
  expect(events).toMatchObject([
    { ref: id, at: '2026-07-01T13:00:00.000Z' },
    { ref: second.id, at: '2026-07-01T13:30:00.000Z' },
  ])
  await app.close()
})
