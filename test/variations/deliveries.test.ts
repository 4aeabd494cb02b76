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
import { exploreShop, openReceiver, type Parts, paidTwice } from './shop-receiver.ts'

const ORDER = '`orders.4187851a-04a8-41ad-a5e3-c653acc88768`'
const PROCESSING = '"processing request money transfer"'

const refusing = (
  status: number,
  isRefused: (event: { type: string; payload: object }) => unknown,
): Parts => ({
  ...right,
  async take(shop, headers, body) {
    const taken = await right.take.call(this, shop, headers, body)
    return isRefused(JSON.parse(body)) ? status : taken
  },
})

describe.concurrent('a receiver that is right', () => {
  it('is the wallet of the examples, which withstands a whole buy', async () => {
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
        'killing the receiver (no --run, or no --reset)',
        'your own calls (no --calls)',
      ])
    } finally {
      server.close()
      server.closeAllConnections()
    }
    // It mostly waits: some thirty runs, each until the state is at rest.
  }, 180_000)

  it('finds by asking what was lost', async () => {
    const { held } = await exploreShop(right, { only: 'is lost' })
    expect(held).toEqual([{ kind: 'lost', held: 2, of: 2 }])
  })

  it('may store every user and order that a signed event names', async () => {
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

  it('may go by the time of events, in seconds', async () => {
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

  it('may ask for the status of its orders at each signed event', async () => {
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

  it('may respond with 503 to an unknown type, which is a note', async () => {
    const parts = refusing(503, ({ type }) => type === 'account.note')
    const { findings, notes } = await exploreShop(parts, { story: settlement, only: 'unknown' })
    expect(findings).toEqual([])
    expect(notes).toEqual([
      'The receiver responds with 503 to an event with an unknown type, but its final state is correct. Respond with 2xx to avoid false alerts.',
    ])
  })

  it('may work after its response', async () => {
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

/** A receiver with one mistake, the variations that could show it, and what is said of it. */
const MISTAKES: readonly (readonly [string, Parts, string, string])[] = [
  [
    'pays for an event that arrives twice',
    paidTwice,
    'arrives twice',
    'When `complete` arrives twice, `wallet` ends as 1417.96 instead of 708.98.',
  ],
  [
    'loses an order whose event arrives twice',
    {
      ...paidTwice,
      apply(state, { transactionId: id, status }) {
        if (state.orders[id] === 'complete') delete state.orders[id]
        else state.orders[id] = status
      },
    },
    'complete arrives twice',
    `When \`complete\` arrives twice, ${ORDER} is missing; expected "complete" (and 1 more).`,
  ],
  [
    'keeps what arrives last',
    {
      ...right,
      apply(state, { transactionId: id, status, rightSideValue }) {
        if (status === 'complete' && state.orders[id] !== 'complete') state.wallet += rightSideValue
        state.orders[id] = status
      },
    },
    'arrives after',
    `When \`processing\` arrives after \`complete\`, ${ORDER} ends as ${PROCESSING} instead of "complete".`,
  ],
  [
    'keeps any status until the next one',
    {
      ...right,
      apply(state, { transactionId: id, status }) {
        state.orders[id] = status
      },
    },
    'an unknown status',
    `When \`processing\` is followed by another event with an unknown status, ${ORDER} becomes "under review by partner" instead of ${PROCESSING}.`,
  ],
  [
    'shows an event of an unknown type until the next one',
    {
      ...right,
      async take(shop, headers, body) {
        const status = await right.take.call(this, shop, headers, body)
        if (status === 204) shop.write({ ...shop.read(), latest: JSON.parse(body).type })
        return status
      },
    },
    'an unknown type',
    'When `processing` is followed by another event with an unknown type, `latest` becomes "account.note" instead of "transaction.update".',
  ],
  [
    'expects coins twice, until they arrive, for an event that arrives twice',
    {
      ...right,
      async store(shop, _, payload) {
        const state = shop.read()
        const { expected = 0 } = state
        if (state.orders[payload.transactionId] === 'complete') return
        right.apply(state, payload)
        const isComplete = payload.status === 'complete'
        shop.write({ ...state, expected: isComplete ? 0 : expected + payload.rightSideValue })
      },
    },
    'arrives again',
    'When `processing` arrives again, `expected` becomes 1417.96 instead of 708.98.',
  ],
  [
    'looks at the signature when the event is stored',
    {
      ...right,
      async take(shop, headers, body) {
        const { id, eventId = id, payload } = JSON.parse(body)
        await this.store(shop, eventId, payload)
        return this.isGenuine(shop, headers, body) ? 204 : 401
      },
    },
    'a changed body',
    `When a copy of \`processing\` with a changed body arrives, ${ORDER} becomes "complete" instead of nothing (and 1 more).`,
  ],
  [
    'credits again in its reconcile job',
    {
      ...right,
      async reconcile(shop) {
        await right.reconcile(shop)
        const { orders, wallet, ...state } = shop.read()
        const isPaid = Object.values(orders).includes('complete')
        shop.write({ ...state, orders, wallet: wallet + (isPaid ? 1 : 0) })
      },
    },
    'nothing was lost',
    'When the receiver reconciles though nothing was lost, `wallet` ends as 710.98 instead of 708.98.',
  ],
  [
    'refuses what it does not expect',
    refusing(400, (event) => 'sequence' in event),
    'an additional field',
    'When every event arrives with an additional field, the receiver responds with 400 to `processing`.',
  ],
  [
    'knows no order but its own, and says so',
    refusing(
      404,
      ({ payload }) =>
        'externalSessionId' in payload &&
        'email' in payload &&
        payload.email !== 'alice@example.com',
    ),
    'someone else',
    'When someone else places an order, the receiver responds with 404 to the order’s events.',
  ],
  [
    'refuses an event',
    refusing(500, ({ payload }) => 'status' in payload && payload.status === 'complete'),
    '',
    'In the unchanged run, the receiver responds with 500 to `complete`. The provider won’t resend that event.',
  ],
  [
    'verifies what it has written again',
    {
      ...right,
      isGenuine: (shop, headers, body) =>
        right.isGenuine(shop, headers, JSON.stringify(JSON.parse(body))),
    },
    '',
    'The receiver responds with 401 to every webhook, but accepts them in JSON.stringify’s format: it verifies a re-serialised body. Verify the bytes as received.',
  ],
]

describe.concurrent('a receiver that has one mistake', () => {
  it.each(MISTAKES)('is told when it %s', async (_, parts, only, sentence) => {
    await expect(exploreShop(parts, { ...(only && { only }) })).rejects.toMatchObject({
      code: 'findings',
      message: sentence,
    })
  })

  it('is told of what only a story that ends early shows', async () => {
    const FINAL = ['complete', 'expired', 'cancelled']
    const parts: Parts = {
      ...right,
      apply(state, payload) {
        const known = state.orders[payload.transactionId]
        if (known !== undefined && FINAL.includes(known)) return
        right.apply({ ...state, orders: {} }, payload)
        state.orders[payload.transactionId] = payload.status
      },
    }
    const only = 'pending arrives after processing'
    await expect(exploreShop(parts, { story: 'buy-funded', only })).rejects.toThrow(
      /^When `pending` arrives after `processing`, .* ends as "pending request money transfer" instead of "processing request money transfer"/,
    )
  })
})

/** Waiting for it blocks the thread, as a long computation does, without using the processor. */
const NEVER = new Int32Array(new SharedArrayBuffer(4))

/** Reads, works, and writes what it has read; of two that come at one instant, the first is stored last. */
const losingUpdates = (isBlocked: (arrivals: number) => boolean = () => false): Parts => {
  const arrivals: number[] = []
  return {
    ...right,
    async store(shop, eventId, payload) {
      const state = shop.read()
      const at = performance.now()
      arrivals.push(at)
      // On a machine that is busy for a while, nothing comes meanwhile.
      if (isBlocked(arrivals.length)) {
        Atomics.wait(NEVER, 0, 0, 600)
        return right.store.call(this, shop, eventId, payload)
      }
      // Long enough for the older one to come meanwhile, on a busy machine too.
      await shop.pause(600)
      if (arrivals.some((other) => other > at && other < at + 10)) await shop.pause(50)
      state.events.push(eventId)
      right.apply(state, payload)
      shop.write(state)
    },
  }
}

it('has a receiver work on two webhooks at once so that one that loses updates loses the newer', async () => {
  const exploring = exploreShop(losingUpdates(), {
    story: 'buy-funded',
    only: 'arrive at the same time',
  })
  await expect(exploring).rejects.toThrow(
    /^When `pending` and `processing` arrive at the same time, .* ends as "pending request money transfer"/,
  )
})

it('sends two webhooks at once again where the older came after the response to the newer', async () => {
  const once = losingUpdates((arrivals) => arrivals === 5)
  const only = 'arrive at the same time'
  await expect(exploreShop(once, { story: 'buy-funded', only })).rejects.toThrow(
    /^When `pending` and `processing` arrive at the same time/,
  )
})

it('says that nothing is shown where the older always came after the response to the newer', async () => {
  const always = losingUpdates((arrivals) => arrivals > 4)
  const only = 'arrive at the same time'
  const { notes } = await exploreShop(always, { story: 'buy-funded', only })
  expect(notes).toEqual([
    'When `pending` and `processing` arrive at the same time, the receiver had already responded in every run, so this shows nothing.',
  ])
})

describe.concurrent('nothing can be found out', () => {
  const exploring = (more: object, parts: Parts = right) =>
    exploreShop(parts, { story: settlement, ...more })

  it.each([
    [
      'the state never changes, most often because the receiver knows only its own orders',
      { state: () => ({}) },
      /^The state is the same before and after the scenario.* knows only orders that it placed itself.*--from SNAPSHOT --do COMMAND/,
    ],
    ['the story sends no webhook', { story: async () => {} }, 'sends no webhooks'],
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
  ])('where %s', async (_, more, message) => {
    await expect(exploring(more)).rejects.toThrow(message)
  })

  it('where the receiver refuses everything', async () => {
    await expect(
      exploring(
        {},
        refusing(401, () => true),
      ),
    ).rejects.toThrow('responds with 401 to every webhook')
  })

  it('where the reset clears nothing', async () => {
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

  it('where two unchanged runs differ, unless what differs is ignored', async () => {
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

  it('where an unchanged run no longer ends as the first one', async () => {
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

it.concurrent('plays a function from the present on, and leaves the world as it stands', async () => {
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

it.concurrent('does not try an order in which one webhook depends on another', async () => {
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
