import { expect, it } from 'vitest'
import { logIn, PENDING, PROCESSING } from '../helpers/story.ts'
import { openControl } from './control.ts'

const hook = { url: 'https://hooks.example.com/v2' }

it('the timeline links a call with its event, its message and its delivery, both ways', async () => {
  await using control = openControl()
  await control.app.call('PUT /v2/webhook-configurations', { body: hook })
  const alice = await logIn(control.app)
  const { id: txId } = await alice.buy()
  const { requests } = await control.get('/requests?operation=createTransaction')
  const { caused } = await control.get(`/requests/${requests[0].id}`)
  const cause = { kind: 'call', id: requests[0].id, name: 'createTransaction' }
  expect(caused.events).toMatchObject([{ ref: txId, status: PENDING, cause }])
  expect(caused.messages).toMatchObject([{ kind: 'money-request', ref: txId, cause }])
  expect(caused.deliveries[0]).toMatchObject({ eventId: caused.events[0].id })
  const { events } = await control.get(`/events?ref=${txId}`)
  expect(events).toEqual(caused.events)
  const { messages } = await control.get(`/inbox?ref=${txId}`)
  expect(messages).toEqual(caused.messages)
})

it('the timeline names the simulation behind an event, and lists it with its input', async () => {
  await using control = openControl()
  const { id: txId } = await (await logIn(control.app)).buy()
  const path = `/simulate/transactions/${txId}/settled`
  const { events } = await control.post(path, { through: true })
  const { actions } = await control.get(`/actions?kind=simulation&subject=${txId}`)
  const [{ id }] = actions
  expect(actions).toMatchObject([
    { operation: 'simulateSettled', input: '{"through":true}', status: 200, problem: null },
  ])
  const cause = { kind: 'simulation', id, name: 'simulateSettled' }
  expect(events).toMatchObject([
    { status: PROCESSING, cause },
    { status: 'complete', cause },
  ])
  expect((await control.get(`/actions/${id}`)).caused).toMatchObject({ events, messages: [] })
})

it('the timeline names the task of an expiry in an advance, under the advance', async () => {
  await using control = openControl()
  const { id: txId } = await (await logIn(control.app)).buy()
  const { events } = await control.post('/clock/advance', { by: '1h' })
  const { actions } = await control.get('/actions?kind=clock')
  expect(actions).toMatchObject([
    { operation: 'advanceClock', until: '2026-07-01T13:00:00.000Z', input: '{"by":3600000}' },
  ])
  const cause = { kind: 'clock', id: actions[0].id, name: 'expire-transaction' }
  expect(events).toMatchObject([{ ref: txId, status: 'expired', cause }])
  const { caused } = await control.get(`/actions/${actions[0].id}`)
  expect(caused.events).toEqual(events)
  expect(caused.messages).toMatchObject([{ kind: 'transaction-closed', cause }])
})

it('the timeline lists a task that runs because time passed as an action', async () => {
  const wall = { now: Date.parse('2026-07-01T12:00:00Z') }
  await using control = openControl({ clock: 'running', wallClock: () => wall.now })
  const { id: txId } = await (await logIn(control.app)).buy()
  wall.now += 3_600_000
  const { events } = await control.get(`/events?ref=${txId}&status=expired`)
  const { actions } = await control.get('/actions?kind=task')
  expect(actions).toMatchObject([{ operation: 'expire-transaction', subject: txId }])
  expect(events[0].cause).toEqual({
    kind: 'task',
    id: actions[0].id,
    name: 'expire-transaction',
  })
})

it('the timeline lists calls and actions with their subjects and effects, and finds them by those', async () => {
  await using control = openControl()
  await control.app.call('PUT /v2/webhook-configurations', { body: hook })
  const alice = await logIn(control.app)
  const { id: txId } = await alice.buy()
  await control.app.send('/v2/users', { headers: { 'x-api-key': 'sandbox-key' } })
  await control.post(`/simulate/transactions/${txId}/funds-received`)
  const { entries, total } = await control.get('/timeline?last=3')
  expect(total).toBe(8)
  expect(entries).toMatchObject([
    {
      kind: 'request',
      row: {
        operation: 'createTransaction',
        about: { user: { email: 'alice@example.com' }, transaction: { id: txId } },
        caused: { events: [{ ref: txId }], deliveries: [{ ref: txId }] },
      },
    },
    { kind: 'request', row: { status: 400, about: { user: null, transaction: null } } },
    { kind: 'action', row: { title: 'E-transfer arrived', caused: { events: [{ ref: txId }] } } },
  ])
  const countOf = async (query: string) => (await control.get(`/timeline?last=1&${query}`)).total
  expect(await countOf('only=errors')).toBe(3)
  expect(await countOf('only=webhooks')).toBe(2)
  expect(await countOf('only=calls')).toBe(7)
  expect(await countOf(`q=${txId.slice(0, 8)}…${txId.slice(-4)}`)).toBe(2)
  expect(await countOf('q=arrived')).toBe(1)
})

it('the timeline counts a call that got no response as an error', async () => {
  await using control = openControl()
  const find = (email: string) =>
    control.app.send(`/v2/users?email=${email}`, { headers: { 'x-api-key': 'sandbox-key' } })
  for (const connection of ['reset', 'lost']) {
    await control.post('/faults', { on: 'api', then: { connection } })
    await expect(find('a@example.com')).rejects.toThrow('fetch failed')
  }
  await find('nonsense')
  await find('a@example.com')
  const failed = [
    { id: 'req_1', status: 0 },
    { id: 'req_2', status: 200 },
    { id: 'req_3', status: 400 },
  ]
  const rowsOf = ({ entries }: { entries: { row: object }[] }) => entries.map(({ row }) => row)
  expect(rowsOf(await control.get('/timeline?only=errors'))).toMatchObject(failed)
  expect(rowsOf(await control.get('/journal?failed=true'))).toMatchObject(failed)
  expect((await control.get('/requests?failed=true')).requests).toMatchObject(failed)
  expect((await control.get('/requests?failed=false')).requests).toMatchObject([{ id: 'req_4' }])
})
