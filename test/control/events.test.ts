import { expect, it } from 'vitest'
import { logIn, PENDING, type Person, PROCESSING } from '../helpers/story.ts'
import { type Control, openControl } from './control.ts'

const fundsReceived = (control: Control, id: string) =>
  control.post(`/simulate/transactions/${id}/funds-received`)
const settled = (control: Control, id: string) =>
  control.post(`/simulate/transactions/${id}/settled`)

/** Lets everything that is under way get as far as it can: to its wait. */
async function reachWait(control: Control) {
  for (let i = 0; i < 5; i++) await control.get('/health')
}

async function openStory() {
  const control = openControl()
  const alice = await logIn(control.app)
  return { control, alice, [Symbol.asyncDispose]: control[Symbol.asyncDispose] }
}

const statusesOf = (events: { status: string }[]) => events.map(({ status }) => status)

/** A whole life of one buy. */
async function complete(control: Control, alice: Person): Promise<string> {
  const { id } = await alice.buy()
  await fundsReceived(control, id)
  await settled(control, id)
  return id
}

it('reading events returns existing ones at once, oldest first', async () => {
  await using story = await openStory()
  const { control, alice } = story
  const id = await complete(control, alice)
  const { matched, events, cursor } = await control.get('/events')
  expect(matched).toBe(true)
  expect(statusesOf(events)).toEqual([PENDING, PROCESSING, 'complete'])
  expect(events[0]).toMatchObject({
    ref: id,
    type: 'transaction.update',
    at: '2026-07-01T12:00:00.000Z',
    integrator: 'main',
    payload: { transactionId: id, email: 'alice@example.com' },
  })
  expect(cursor).toBe(events[2].cursor)
  expect(await control.get(`/events?after=${cursor}`)).toMatchObject({
    matched: false,
    events: [],
    cursor,
  })
})

it('reading events finds one by its id', async () => {
  await using story = await openStory()
  const { control, alice } = story
  await complete(control, alice)
  const [, second] = (await control.get('/events')).events
  expect((await control.get(`/events?id=${second.id}`)).events).toEqual([second])
  expect((await control.get('/events?id=evt_0')).events).toEqual([])
})

it('reading events filters by type, ref, status and integrator', async () => {
  await using story = await openStory()
  const { control, alice } = story
  const [first, second] = [await alice.buy(), await alice.buy()]
  await control.post('/simulate/users/alice@example.com/kyc', { status: 'in-review' })
  await fundsReceived(control, second.id)
  const count = async (query: string) => (await control.get(`/events?${query}`)).events.length
  expect(await count('type=user.update')).toBe(2)
  expect(await count('type=user.update&integrator=second')).toBe(1)
  expect(await count(`ref=${first.id}`)).toBe(1)
  expect(await count(`ref=${second.id}`)).toBe(2)
  expect(await count(`status=${encodeURIComponent(PENDING)}`)).toBe(2)
  expect(await count(`ref=${first.id}&status=complete`)).toBe(0)
})

it('reading events after the end returns the next one, and names a user in the filter who does not exist', async () => {
  await using control = openControl()
  await control.post('/simulate/users/alice@example.com/kyc', { status: 'in-review' })
  const waiting = control.get('/events?after=end&timeout=60s')
  await control.post('/simulate/users/alice@example.com/kyc', { status: 'rejected' })
  expect((await waiting).events).toMatchObject([{ status: 'rejected' }])
  for (const path of ['/events?ref=nobody@example.com', '/inbox?email=nobody@example.com']) {
    const { unknown, nearest } = await control.get(path)
    expect(unknown).toBe('There is no user nobody@example.com.')
    expect(nearest).toContain(unknown)
  }
})

it('reading events returns exactly as many as requested, and continues after the last of them', async () => {
  await using story = await openStory()
  const { control, alice } = story
  await complete(control, alice)
  const first = await control.get('/events?count=2')
  expect(statusesOf(first.events)).toEqual([PENDING, PROCESSING])
  const rest = await control.get(`/events?count=1&after=${first.cursor}`)
  expect(statusesOf(rest.events)).toEqual(['complete'])
  const none = await control.get(`/events?count=4`)
  expect(none).toMatchObject({ matched: false, cursor: rest.cursor })
  expect(none.events).toHaveLength(3)
  expect(none.nearest).toMatch(/^Only 3 of 4 arrived\./)
})

it('waiting for events ends as soon as enough have arrived', async () => {
  await using story = await openStory()
  const { control, alice } = story
  const { id } = await alice.buy()
  const waiting = control.get(`/events?ref=${id}&count=3&timeout=60s`)
  await reachWait(control)
  await fundsReceived(control, id)
  await alice.buy()
  await settled(control, id)
  const { matched, events } = await waiting
  expect(matched).toBe(true)
  expect(statusesOf(events)).toEqual([PENDING, PROCESSING, 'complete'])
})

it('waiting for events ends with a reset, and the cursor it gives works in the new world', async () => {
  await using story = await openStory()
  const { control, alice } = story
  await alice.buy()
  const { cursor: after } = await control.get('/events')
  const waiting = control.get(`/events?after=${after}&timeout=60s`)
  await reachWait(control)
  await control.post('/reset')
  const { matched, events, cursor, nearest } = await waiting
  expect({ matched, events, nearest }).toEqual({
    matched: false,
    events: [],
    // The order that was due went with the world before.
    nearest: 'The world was reset while the call was waiting.',
  })
  await (await logIn(control.app)).buy()
  expect((await control.get(`/events?after=${cursor}`)).events).toHaveLength(1)
})
