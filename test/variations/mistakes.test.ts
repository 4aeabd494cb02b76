import { describe, expect, it } from 'vitest'
import { right } from '../explore/shop.mjs'
import { exploreShop, type Parts, paidTwice, refusing } from './shop-receiver.ts'

const ORDER = '`orders.4187851a-04a8-41ad-a5e3-c653acc88768`'
const PROCESSING = '"processing request money transfer"'

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
    `When \`complete\` arrives twice, ${ORDER} is missing; expected "complete" (and 1 more difference).`,
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
    `When a copy of \`processing\` with a changed body arrives, ${ORDER} becomes "complete"; it should be missing (and 1 more difference).`,
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

describe.concurrent('a receiver with one mistake', () => {
  it.each(MISTAKES)(
    'explore finds the mistake of a receiver that %s',
    async (_, parts, only, sentence) => {
      await expect(exploreShop(parts, { ...(only && { only }) })).rejects.toMatchObject({
        code: 'findings',
        message: sentence,
      })
    },
  )

  it('a scenario that ends early reveals a bug that the full one hides', async () => {
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

it('explore has a receiver work on two webhooks at once so that one that loses updates loses the newer', async () => {
  const exploring = exploreShop(losingUpdates(), {
    story: 'buy-funded',
    only: 'arrive at the same time',
  })
  await expect(exploring).rejects.toThrow(
    /^When `pending` and `processing` arrive at the same time, .* ends as "pending request money transfer"/,
  )
})

it('explore sends two webhooks at once again if the older arrived after the response to the newer', async () => {
  const once = losingUpdates((arrivals) => arrivals === 5)
  const only = 'arrive at the same time'
  await expect(exploreShop(once, { story: 'buy-funded', only })).rejects.toThrow(
    /^When `pending` and `processing` arrive at the same time/,
  )
})

it('explore says that nothing was shown if the older always arrived after the response to the newer', async () => {
  const always = losingUpdates((arrivals) => arrivals > 4)
  const only = 'arrive at the same time'
  const { notes } = await exploreShop(always, { story: 'buy-funded', only })
  expect(notes).toEqual([
    'Not tested (`pending` and `processing` arrive at the same time): in every run, the receiver had already responded by then.',
  ])
})
