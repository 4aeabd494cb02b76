import { expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { logIn, receiveFunds, register } from '../helpers/story.ts'
import { type Control, openControl } from './control.ts'

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

async function journalsOf({ get }: Control) {
  const { requests } = await get('/requests')
  const { actions } = await get('/actions')
  const { deliveries } = await get('/webhooks/deliveries')
  return { requests: idsOf(requests), actions: idsOf(actions), deliveries: idsOf(deliveries) }
}

/** A buy and its payment; a snapshot, `paid`; another buy that a restore undoes. */
async function live(control: Control, url = 'http://127.0.0.1:1') {
  const { app, post } = control
  await app.call('PUT /v2/webhook-configurations', { body: { url } })
  const alice = await logIn(app)
  const kept = await alice.buy()
  await receiveFunds(app, kept.id)
  await post('/snapshots', { name: 'paid' })
  const undone = await alice.buy()
  await receiveFunds(app, undone.id)
  await post('/webhooks/drain')
  return { alice, kept, undone }
}

it('a restore leaves calls, actions and deliveries in place, and is itself listed as an action', async () => {
  await using control = openControl()
  await live(control)
  const before = await journalsOf(control)
  await control.post('/snapshots/paid/restore')
  const { actions } = await control.get('/actions?after=0')
  const restored = actions.at(-1)
  expect(restored).toMatchObject({ operation: 'restoreSnapshot', subject: 'paid', status: 200 })
  expect(await journalsOf(control)).toEqual({
    ...before,
    actions: [...before.actions, restored.id],
  })
})

it('a restore undoes events and messages, and does not link their successors to earlier calls', async () => {
  await using control = openControl()
  const { get, post } = control
  const { alice, undone } = await live(control)
  const { deliveries: first } = await get(`/webhooks/deliveries?ref=${undone.id}`)
  const calls = (await get('/requests?operation=createTransaction')).requests
  await post('/snapshots/paid/restore')
  expect((await get(`/events?ref=${undone.id}`)).events).toEqual([])
  const again = await alice.buy()
  expect(again.id).toBe(undone.id)
  const { deliveries } = await get(`/webhooks/deliveries?ref=${again.id}`)
  expect(deliveries.slice(0, -1)).toEqual(first)
  const last = deliveries.at(-1)
  expect(last.eventId).toBe(first[0].eventId)

  const former = await get(`/requests/${calls.at(-1).id}`)
  expect(former.caused).toMatchObject({ events: [], messages: [] })
  expect(idsOf(former.caused.deliveries)).toEqual([first[0].id])
  expect(first[0].cause).toMatchObject({ id: former.id })

  const { requests } = await get('/requests?operation=createTransaction')
  const { id, caused } = await get(`/requests/${requests.at(-1).id}`)
  expect(idsOf(requests)).toEqual([...idsOf(calls), id])
  expect(idsOf(caused.events)).toEqual([last.eventId])
  expect(idsOf(caused.deliveries)).toEqual([last.id])
  expect((await get(`/events?ref=${again.id}`)).events).toMatchObject([{ cause: { id } }])
})

it('a restore suppresses queued webhooks, and queues again those that were queued in the snapshot', async () => {
  await using receiver = await createReceiver()
  await using control = openControl()
  const { app, get, post } = control
  await app.call('PUT /v2/webhook-configurations', { body: { url: receiver.url } })
  await post('/faults', { on: 'webhook', times: 2, then: { reorder: true } })
  const alice = await logIn(app)
  const kept = await alice.buy()
  await post('/snapshots', { name: 'queued' })
  await alice.buy()
  await post('/snapshots/queued/restore')
  await post('/webhooks/drain')
  const { deliveries } = await get('/webhooks/deliveries')
  expect(deliveries).toMatchObject([
    {
      outcome: 'suppressed',
      reason: 'The snapshot queued was restored before this webhook was delivered.',
    },
    {
      outcome: 'suppressed',
      reason: 'The snapshot queued was restored before this webhook was delivered.',
    },
    { outcome: 'delivered', ref: kept.id },
  ])
  expect(receiver.received).toHaveLength(1)
})

it('a reset says how many rows it deletes, and later errors mention the reset', async () => {
  await using control = openControl()
  const { get, post, refused } = control
  await live(control)
  const { requests, deliveries } = await journalsOf(control)
  const { forgotten } = await post('/reset')
  expect(forgotten).toMatchObject({
    requests: requests.length,
    deliveries: deliveries.length,
  })
  const gone = await refused('GET', `/webhooks/deliveries/${deliveries.at(-1)}`)
  expect(gone.detail).toMatch(
    /^There is no delivery dlv_\d+; it was deleted when the world was reset at \S+Z\.$/,
  )
  expect((await refused('GET', '/requests/req_999')).detail).toBe(
    'There is no request req_999 yet.',
  )
  await register(control.app, { email: 'bob@example.com' })
  expect((await get('/requests')).requests).toMatchObject([{ id: 'req_1' }])
})
