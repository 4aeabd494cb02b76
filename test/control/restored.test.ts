import { describe, expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { logIn, receiveFunds, register } from '../helpers/story.ts'
import { type Control, openControl } from './control.ts'

interface Row {
  id: string
  life: number
  undone: boolean
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

async function journalsOf({ get }: Control, query = '') {
  const { requests } = await get(`/requests${query}`)
  const { actions } = await get(`/actions${query}`)
  const { deliveries } = await get(`/webhooks/deliveries${query}`)
  return { requests, actions, deliveries } as Record<string, Row[]>
}

/** A buy and its payment; a snapshot, `paid`; another buy that a restore undoes. */
async function live(control: Control, url = 'http://127.0.0.1:1') {
  const { app, post } = control
  await app.call('PUT /v2/webhook-configurations', { body: { url } })
  const alice = await logIn(app)
  const kept = await alice.buy()
  await receiveFunds(app, kept.id)
  await post('/snapshots', { name: 'paid' })
  const before = await journalsOf(control)
  const undone = await alice.buy()
  await receiveFunds(app, undone.id)
  await post('/webhooks/drain')
  return { alice, before, kept, undone }
}

describe('a restore', () => {
  it('keeps calls, actions and deliveries; those that it undoes are listed on demand', async () => {
    await using control = openControl()
    const { before } = await live(control)
    const all = await journalsOf(control)
    await control.post('/snapshots/paid/restore')
    const left = await journalsOf(control)
    expect(idsOf(left.requests ?? [])).toEqual(idsOf(before.requests ?? []))
    expect(idsOf(left.deliveries ?? [])).toEqual(idsOf(before.deliveries ?? []))
    expect(left.actions?.at(-1)).toMatchObject({
      operation: 'restoreSnapshot',
      subject: 'paid',
      life: 2,
      undone: false,
    })
    const shown = await journalsOf(control, '?undone=true')
    for (const name of ['requests', 'deliveries'])
      expect(idsOf(shown[name] ?? [])).toEqual(idsOf(all[name] ?? []))
    const undone = (shown.deliveries ?? []).filter((row) => row.undone)
    expect(undone.map(({ life }) => life)).toEqual([1, 1])
    expect(await control.get(`/webhooks/deliveries/${undone[0]?.id}`)).toMatchObject({
      undone: true,
      life: 1,
    })
  })

  it('goes on with the ids, and joins nothing of two lives', async () => {
    await using control = openControl()
    const { app, get, post } = control
    const { alice, undone } = await live(control)
    const { deliveries: first } = await get(`/webhooks/deliveries?ref=${undone.id}`)
    const { requests: calls } = await get('/requests?operation=createTransaction')
    await post('/snapshots/paid/restore')
    const again = await alice.buy()
    expect(again.id).toBe(undone.id)
    const { deliveries } = await get(`/webhooks/deliveries?ref=${again.id}`)
    expect(deliveries).toHaveLength(1)
    expect(deliveries[0].eventId).toBe(first[0].eventId)
    const last = calls.at(-1)
    const ended = await get(`/requests/${last.id}`)
    expect(ended).toMatchObject({ undone: true, caused: { events: [] } })
    expect(idsOf(ended.caused.deliveries)).toEqual([first[0].id])
    const { requests: now } = await get('/requests?operation=createTransaction')
    expect(Number(now.at(-1).id.slice(4))).toBeGreaterThan(Number(last.id.slice(4)))
    const { caused } = await get(`/requests/${now.at(-1).id}`)
    expect(idsOf(caused.deliveries)).toEqual(idsOf(deliveries))
    expect(caused.events).toMatchObject([{ id: first[0].eventId }])
    const { events } = await get(`/events?ref=${again.id}`)
    expect(events).toMatchObject([{ cause: { id: now.at(-1).id } }])
    expect((await get(`/webhooks/deliveries/${first[0].id}`)).cause).toMatchObject({ id: last.id })
    await receiveFunds(app, again.id)
  })

  it('of a later snapshot, after one of an earlier one, brings its rows back', async () => {
    await using control = openControl()
    const { get, post } = control
    const { alice } = await live(control)
    await post('/snapshots', { name: 'later' })
    const later = await journalsOf(control)
    await post('/snapshots/paid/restore')
    await alice.buy({ leftSideValue: 100 })
    const other = (await get('/webhooks/deliveries')).deliveries.at(-1)
    await post('/snapshots/later/restore')
    const now = await journalsOf(control)
    expect(idsOf(now.requests ?? [])).toEqual(idsOf(later.requests ?? []))
    expect(idsOf(now.deliveries ?? [])).toEqual(idsOf(later.deliveries ?? []))
    expect(now.deliveries?.at(-1)).toMatchObject({ undone: false, cause: { kind: 'simulation' } })
    expect(await get(`/webhooks/deliveries/${other.id}`)).toMatchObject({ undone: true, life: 2 })
  })

  it('does not send again what belongs to the future that it undid', async () => {
    await using receiver = await createReceiver()
    await using control = openControl()
    const { undone } = await live(control, receiver.url)
    const { deliveries } = await control.get(`/webhooks/deliveries?ref=${undone.id}`)
    await control.post('/snapshots/paid/restore')
    const count = receiver.received.length
    const path = `/webhooks/deliveries/${deliveries[0].id}/resend`
    expect(await control.refused('POST', path, { body: {} })).toMatchObject({
      status: 409,
      code: 'undone',
    })
    expect(receiver.received.length).toBe(count)
  })
})

describe('a reset', () => {
  it('says how many rows it forgets, and later errors name it', async () => {
    await using control = openControl()
    const { get, post, refused } = control
    await live(control)
    const { requests, deliveries } = await journalsOf(control)
    const { forgotten } = await post('/reset')
    expect(forgotten).toMatchObject({
      requests: requests?.length,
      deliveries: deliveries?.length,
    })
    const gone = await refused('GET', `/webhooks/deliveries/${deliveries?.at(-1)?.id}`)
    expect(gone.detail).toMatch(
      /^There is no delivery dlv_\d+; the reset of the world at \S+Z forgot it\.$/,
    )
    expect((await refused('GET', '/requests/req_999')).detail).toBe(
      'There is no request req_999 yet.',
    )
    await register(control.app, { email: 'bob@example.com' })
    expect((await get('/requests')).requests).toMatchObject([{ id: 'req_1', life: 2 }])
  })
})
