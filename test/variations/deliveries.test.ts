import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { Stage } from '../../src/scenario/types.ts'
import { call } from '../explore/api.mjs'
import payment from '../explore/payment.mjs'
import { serveExample } from '../explore/receivers/example.mjs'
import settlement from '../explore/settlement.mjs'
import { right } from '../explore/shop.mjs'
import { exploreShop, openReceiver, type Parts, refusing } from './shop-receiver.ts'

describe.concurrent('a correct receiver', () => {
  it('the example wallet passes every variation of a complete buy', async () => {
    await using sandbox = await createSandbox({ listen: false })
    const server = serveExample('wallet').listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const { held, notTried, title } = await sandbox.explore('buy-completes', {
        webhookUrl: `${url}/hooks`,
        reset: (place) => fetch(`${url}/reset`, { method: 'POST', body: JSON.stringify(place) }),
        state: async () => (await fetch(`${url}/state`)).json(),
      })
      expect(title).toBe('buy-completes: 3 webhooks (`pending`, `processing`, `complete`)')
      expect(held.map(({ kind, held, of }) => `${kind} ${held} of ${of}`)).toEqual([
        'order 4 of 4',
        'twice 7 of 7',
        'early 1 of 1',
        'together 2 of 2',
        'forged 6 of 6',
        'other form 5 of 5',
        'unknown event 2 of 2',
        'orders by others 1 of 1',
      ])
      expect(notTried).toEqual([
        'lost webhooks (no --reconcile)',
        'killing the receiver (needs --run and --reset)',
        'your own calls (no --calls)',
      ])
    } finally {
      server.close()
      server.closeAllConnections()
    }
    // It mostly waits: some thirty runs, each until the state is at rest.
  }, 180_000)

  it('a correct receiver recovers lost events by asking for the status', async () => {
    const { held } = await exploreShop(right, { only: 'is lost' })
    expect(held).toEqual([{ kind: 'lost', held: 2, of: 2 }])
  })

  it('a correct receiver may store every user and order that a signed event names', async () => {
    let users: Record<string, string> = {}
    await using sandbox = await createSandbox({ listen: false })
    await using receiver = await openReceiver({
      ...right,
      async take(shop, headers, body) {
        const status = await right.take.call(this, shop, headers, body)
        const { type, payload } = JSON.parse(body)
        if (status === 204 && type === 'user.update') users[payload.email] = payload.status
        return status
      },
    })
    const { options, shop } = receiver
    const { held } = await sandbox.explore('buy-funded', {
      ...options,
      reset(place) {
        users = {}
        shop.reset(place)
      },
      state: () => ({ ...shop.state(), users, count: Object.keys(shop.read().orders).length }),
      only: 'someone else places an order',
    })
    expect(held).toEqual([{ kind: 'orders by others', held: 1, of: 1 }])
    expect(users).toEqual({ 'somebody.else@example.org': 'verified' })
  })

  it('a correct receiver may order events by their time in seconds', async () => {
    const times: Record<string, number> = {}
    const newest: Parts = {
      ...right,
      async take(shop, headers, body) {
        if (!this.isGenuine(shop, headers, body)) return 401
        const { type, occurredAt, payload } = JSON.parse(body)
        const { transactionId: id, status } = payload
        const seconds = Math.floor(Date.parse(occurredAt) / 1_000)
        const state = shop.read()
        if (type !== 'transaction.update' || (id in state.orders && seconds <= (times[id] ?? 0)))
          return 204
        times[id] = seconds
        shop.write({ ...state, orders: { ...state.orders, [id]: status } })
        return 204
      },
    }
    const { findings } = await exploreShop(newest, { only: 'unknown', reconcile: undefined })
    expect(findings).toEqual([])
  })

  it('a correct receiver may ask for the status of its orders at each signed event', async () => {
    const taken = new EventEmitter()
    const asking: Parts = {
      ...right,
      async take(shop, headers, body) {
        if (!this.isGenuine(shop, headers, body)) return 401
        const { items } = await call(shop.place, '/_sandbox/transactions')
        const state = shop.read()
        for (const { id, ...order } of items) this.apply(state, { transactionId: id, ...order })
        shop.write(state)
        taken.emit('event')
        return 204
      },
    }
    const story = async ({ login, control }: Stage) => {
      const alice = await login('alice@example.com')
      const [{ data }] = await Promise.all([alice.buy({ cad: 100 }), once(taken, 'event')])
      await control.post(`/simulate/transactions/${data.id}/funds-received`)
      await control.post(`/simulate/transactions/${data.id}/settled`)
    }
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
    await using receiver = await openReceiver(asking)
    const { options } = receiver
    const held = async (only: string) => (await sandbox.explore(story, { ...options, only })).held
    expect(await held('each webhook is followed by')).toEqual([
      { kind: 'unknown event', held: 2, of: 2 },
    ])
    expect(await held('each webhook arrives again')).toEqual([{ kind: 'twice', held: 1, of: 1 }])
  })

  it('a correct receiver may respond with 503 to an unknown type, which gets a note', async () => {
    const parts = refusing(503, ({ type }) => type === 'account.note')
    const { findings, notes } = await exploreShop(parts, { story: settlement, only: 'unknown' })
    expect(findings).toEqual([])
    expect(notes).toEqual([
      'The receiver responds with 503 to an event with an unknown type, but its final state is correct. Respond with 2xx to avoid false alerts.',
    ])
  })

  it('a correct receiver may do its work after its response', async () => {
    let working = Promise.resolve()
    const queued: Parts = {
      ...right,
      async store(shop, ...event) {
        working = working.then(() => shop.pause(150)).then(() => right.store(shop, ...event))
      },
    }
    const { held } = await exploreShop(queued, { only: 'complete arrives' })
    expect(held.every(({ held: kept, of }) => kept === of)).toBe(true)
  })
})

describe.concurrent('explore without a verdict', () => {
  const exploring = (more: object, parts: Parts = right) =>
    exploreShop(parts, { story: settlement, ...more })

  it.each([
    [
      'the state never changes, most often because the receiver knows only its own orders',
      { state: () => ({}) },
      /^The state is the same before and after the run.* knows only orders that it placed itself.*--from SNAPSHOT --do COMMAND/,
    ],
    ['the story sends no webhook', { story: async () => {} }, 'caused no webhooks'],
    ['nothing listens', { webhookUrl: 'http://127.0.0.1:9/hooks' }, 'refused the connection'],
    ['there is no such scenario', { story: 'no-such' }, 'There is no scenario no-such'],
    [
      'no variation has these words',
      { only: 'no such' },
      'matches “no such”. These exist:\n  complete arrives twice',
    ],
    [
      'the state is a Map',
      { state: () => ({ orders: new Map() }) },
      'is a Map, which JSON cannot represent',
    ],
    [
      'an option is missing',
      { stat: () => ({}), state: undefined },
      'state is missing; there is no option stat.',
    ],
  ])('explore has no verdict if %s', async (_, more, message) => {
    await expect(exploring(more)).rejects.toThrow(message)
  })

  it('explore has no verdict if the receiver refuses everything', async () => {
    await expect(
      exploring(
        {},
        refusing(401, () => true),
      ),
    ).rejects.toThrow('responds with 401 to every webhook')
  })

  it('explore has no verdict if the reset clears nothing', async () => {
    await using sandbox = await createSandbox({ listen: false })
    await using receiver = await openReceiver(right)
    const { shop, options } = receiver
    const reset: typeof options.reset = (place) => {
      shop.place = place
    }
    await expect(sandbox.explore(settlement, { ...options, reset })).rejects.toThrow(
      'was not reset',
    )
  })

  it('explore has no verdict if two unchanged runs differ, unless the difference is ignored', async () => {
    const odd = async (more: object) => {
      await using sandbox = await createSandbox({ listen: false })
      await using receiver = await openReceiver(right)
      const { options, shop } = receiver
      const state = () => ({ ...options.state(), log: [{ at: shop.resets }] })
      return await sandbox.explore(settlement, { ...options, state, only: 'twice', ...more })
    }
    await expect(odd({})).rejects.toThrow('was not reset')
    for (const ignore of ['at', 'log.*.at']) {
      expect((await odd({ ignore: [ignore] })).findings).toEqual([])
    }
  })

  it('explore has no verdict if an unchanged run no longer ends as the first one did', async () => {
    let isJammed = false
    const jamming: Parts = {
      ...right,
      async take(shop, headers, body) {
        isJammed ||= JSON.parse(body).type === 'account.note'
        return isJammed ? 500 : await right.take.call(this, shop, headers, body)
      },
    }
    await expect(exploring({ story: payment, only: 'unknown type' }, jamming)).rejects.toThrow(
      /^An unchanged run no longer ends as the first one did/,
    )
  })
})

it.concurrent('explore runs a function from the current state, and leaves the world as it was', async () => {
  await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
  await using receiver = await openReceiver(right)
  const { webhookUrl, ...options } = receiver.options
  await sandbox.webhooks.set(webhookUrl)
  const { transaction } = await sandbox.buy('alice@example.com', { cad: 100 })
  const story = async ({ control }: Stage) => {
    await control.post(`/simulate/transactions/${transaction.id}/funds-received`)
    await control.post('/clock/advance', { by: '1d' })
    await control.post(`/simulate/transactions/${transaction.id}/settled`)
  }
  const { title } = await sandbox.explore(story, { ...options, only: 'arrives after' })
  expect(title).toBe('story: 2 webhooks (`processing`, `complete`)')
  expect((await sandbox.transactions.get(transaction.id)).status).toBe(transaction.status)
})

it.concurrent('explore does not try an order that is impossible because one webhook depends on another', async () => {
  const settling: Parts = {
    ...right,
    async take(shop, headers, body) {
      const status = await right.take.call(this, shop, headers, body)
      const { payload } = JSON.parse(body)
      if (status === 204 && payload.status?.startsWith('processing')) {
        const path = `/_sandbox/simulate/transactions/${payload.transactionId}/settled`
        await fetch(shop.place.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ deliver: 'async' }),
        })
      }
      return status
    },
  }
  const story = async ({ login, control }: Stage) => {
    const { data } = await (await login('alice@example.com')).buy({ cad: 100 })
    await control.post(`/simulate/transactions/${data.id}/funds-received`)
  }
  await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
  await using receiver = await openReceiver(settling)
  const options = { ...receiver.options, only: 'processing arrives after' }
  const { notTried } = await sandbox.explore(story, options)
  expect(notTried).toContain(
    '`processing` arrives after `complete` (one webhook depends on another)',
  )
})
