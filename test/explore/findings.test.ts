import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { Scenario } from '../../src/scenario/types.ts'
import { bugs, careless, queued } from '../examples/receivers/bugs.mjs'
import { right } from '../examples/receivers/shop.mjs'
import { isFullDepth } from '../helpers/depth.ts'
import payment from './payment.mjs'
import { exploreShop, openReceiver, type Parts } from './receiver.ts'
import settlement from './settlement.mjs'

const ORDER = '`orders.4187851a-04a8-41ad-a5e3-c653acc88768`'
const PROCESSING = '"processing request money transfer"'

describe('a receiver that is right', () => {
  it.runIf(isFullDepth)('withstands a whole buy, and 32 runs take less than 3 s', async () => {
    // Processor time, because other programs take theirs of the clock on the wall.
    const before = process.cpuUsage()
    const { held, deliveries, runs } = await exploreShop(right, { story: 'buy-completes' })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000 / runs).toBeLessThan(3_000 / 32)
    expect(deliveries).toEqual(['pending', 'processing', 'complete'])
    expect(held.every(({ held: kept, of }) => kept === of)).toBe(true)
    expect(held.map(({ name, of }) => `${name} ${of}`)).toEqual([
      'orders 6',
      'doubled 6',
      'lost 3',
      'before the response 1',
      'forged 9',
      'small print 17',
    ])
  })

  it('withstands everything, and every pair', async () => {
    const max = isFullDepth ? 88 : 29
    const { held, runs, leftOut } = await exploreShop(right, { depth: 2, max })
    expect([runs, leftOut]).toEqual([max + 2, 88 - max])
    expect(held.every(({ held: kept, of }) => kept === of)).toBe(true)
    expect(held.map(({ name, of }) => `${name} ${of}`)).toEqual([
      'orders 2',
      'doubled 4',
      'lost 2',
      'forged 6',
      'small print 11',
      `pairs ${max - 24}`,
    ])
  })

  it('is not asked for what it cannot do: find what was lost without reconciling', async () => {
    const options = { story: settlement, reconcile: undefined, max: 3 }
    const { held } = await exploreShop(right, options)
    expect(held.map(({ name }) => name)).toEqual(['doubled', 'forged'])
  })

  it('is explored by a story of a few control operations, where the clock moves, from the present on', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
    await using receiver = await openReceiver(right)
    const { webhookUrl, ...others } = receiver.options
    const state = () => Object.fromEntries(Object.entries(others.state()).reverse())
    // The eighth disturbance is the webhook that comes after the clock.
    const options = { ...others, state, ...(isFullDepth ? {} : { max: 8 }) }
    await sandbox.webhooks.set(webhookUrl)
    const { transaction } = await sandbox.buy('alice@example.com', { cad: 100 })
    const { findings, deliveries, held, expected } = await sandbox.explore(async ({ control }) => {
      await control.post(`/simulate/transactions/${transaction.id}/funds-received`)
      await control.post('/clock/advance', { by: '1d' })
      await control.post(`/simulate/transactions/${transaction.id}/settled`)
    }, options)
    expect(findings).toEqual([])
    expect(deliveries).toEqual(['processing', 'complete'])
    expect(held).toContainEqual({ name: 'after the clock', held: 1, of: 1 })
    // The order of the fields is the same, however they come.
    const orders = { [transaction.id]: 'complete' }
    expect(JSON.stringify(expected)).toBe(JSON.stringify({ orders, wallet: 70.66 }))
    // The world that it began in stands where it stood.
    expect((await sandbox.transactions.get(transaction.id)).status).toBe(transaction.status)
  })
})

describe('a receiver that is right in a way of its own', () => {
  it('stores, responds, then works', async () => {
    const { held, notTried } = await exploreShop(queued(right, 30), {
      story: 'buy-completes',
      settleMs: 100,
    })
    expect(held.every(({ held: kept, of }) => kept === of)).toBe(true)
    expect(notTried).toEqual([
      'a receiver that is killed (no --run)',
      'your own calls (no --calls)',
    ])
  })

  it('stores every user whom a signed user.update names', async () => {
    await using sandbox = await createSandbox({ listen: false })
    let users: Record<string, string> = {}
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
    const { held } = await sandbox.explore(settlement, {
      ...options,
      reset(place) {
        users = {}
        shop.reset(place)
      },
      state: () => ({ ...shop.state(), users }),
    })
    expect(held.every(({ held: kept, of }) => kept === of)).toBe(true)
  })
})

it('finds a receiver that credits again in its reconcile job', async () => {
  await expect(exploreShop(bugs['credits-again'] as Parts)).rejects.toMatchObject({
    code: 'findings',
    message:
      'When the receiver reconciles though nothing was lost, `wallet` changes from 708.98 to 1417.96.',
  })
})

/** Mistakes of a kind each. By default, one receiver has most of them, and its scenarios are played. */
const AT_FULL_DEPTH: readonly [keyof typeof bugs, string, Scenario?][] = [
  [
    'no-deduplication',
    'When `complete` comes twice, `wallet` ends as 1417.96 instead of 708.98.',
    settlement,
  ],
  [
    'last-write-wins',
    `When \`complete\` comes before \`processing\`, ${ORDER} ends as ${PROCESSING} instead of "complete".`,
  ],
  [
    'checked-too-late',
    `When a copy of \`complete\` with a changed body comes, ${ORDER} changes from nothing to "expired".`,
    settlement,
  ],
  [
    'complete-never-found',
    `When \`complete\` is lost, ${ORDER} ends as ${PROCESSING} instead of "complete" (and 1 more difference).`,
  ],
  [
    'lost-update',
    `When \`processing\` and \`complete\` come at the same time, ${ORDER} ends as ${PROCESSING} instead of "complete" (and 1 more difference), until the receiver reconciles.`,
  ],
]

describe('explore', () => {
  it.each([
    [
      'complete-refused',
      'Undisturbed, the receiver responds to `complete` with 500: that event never comes again.',
    ],
    ...(isFullDepth ? AT_FULL_DEPTH : []),
  ] as const)(
    'says in a sentence what breaks a receiver with %s',
    async (bug, sentence, story = payment) => {
      // Nothing else is found.
      const exploring = exploreShop(bugs[bug] as Parts, { story })
      await expect(exploring).rejects.toMatchObject({ message: sentence })
    },
  )

  it('says of one that verifies a re-serialised body that it takes nothing, and what to look at', async () => {
    const exploring = exploreShop(bugs['re-serialised'] as Parts)
    await expect(exploring).rejects.toThrow(/401 to every webhook.* verify the bytes as received/)
  })

  it.runIf(isFullDepth)('says what breaks one that trusts the order of a whole buy', async () => {
    // What comes after five orders, six doubled webhooks and the loss of the first cannot show it.
    const options = { story: 'buy-completes', max: 12 }
    const exploring = exploreShop(bugs['order-trusted'] as Parts, options)
    const order = '`orders.e1df5443-08d3-4508-94c5-895e157e1d42`'
    await expect(exploring).rejects.toMatchObject({
      message: [
        `When \`pending\` comes after \`processing\` and \`complete\`, ${order} ends as "pending request money transfer" instead of "complete" (and 1 more difference), until the receiver reconciles.`,
        `When \`pending\` is lost, ${order} ends as nothing instead of "complete" (and 1 more difference).`,
      ].join('\n'),
    })
  })

  it('says first that a receiver is not deterministic, unless what differs is ignored', async () => {
    const odd = async (more: object) => {
      await using sandbox = await createSandbox({ listen: false })
      await using receiver = await openReceiver(right)
      const { options } = receiver
      let count = 0
      const state = () => ({ ...options.state(), log: [{ at: count++ }] })
      return await sandbox.explore(payment, { ...options, state, max: 1, ...more })
    }
    await expect(odd({})).rejects.toThrow(/^`log\[0\]\.at` is still changing after 20 ms/)
    for (const ignore of ['at', 'log.*.at'])
      expect((await odd({ ignore: [ignore] })).findings).toEqual([])
  })

  it('says what it needs', async () => {
    await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
    await using receiver = await openReceiver(right)
    const { webhookUrl: _, ...options } = receiver.options
    await expect(sandbox.explore('buy-completes', options)).rejects.toThrow('Webhooks go nowhere')
    const nobody = { ...options, webhookUrl: 'http://127.0.0.1:9/hooks' }
    await expect(sandbox.explore('buy-completes', nobody)).rejects.toThrow('took no webhook')
    await expect(sandbox.explore('no-such', nobody)).rejects.toThrow('There is no scenario no-such')
    const silent = sandbox.explore(async () => {}, receiver.options)
    await expect(silent).rejects.toThrow('sends no webhook')
  })
})

it('finds a response that is not 2xx, though the state ends right', async () => {
  const strict = {
    ...right,
    async take(...webhook: Parameters<typeof right.take>) {
      const status = await right.take(...webhook)
      return JSON.parse(webhook[2]).sequence === undefined ? status : 400
    },
  }
  const options = { story: settlement, max: 8 }
  await expect(exploreShop(strict as Parts, options)).rejects.toMatchObject({
    message: 'When `complete` has an additional field, the receiver responds with 400.',
  })
})

// Most of their time is the receiver's, so they wait together.
describe.concurrent('a receiver that works after its response', { timeout: 240_000 }, () => {
  it('is right with a queue of 30 ms a job, and nothing is found', async () => {
    // At first, its webhooks come in another order, and doubled.
    const max = isFullDepth ? 26 : 5
    const { held, unclear } = await exploreShop(queued(right, 30), {
      settleMs: undefined,
      depth: 2,
      max,
    })
    expect(unclear).toEqual([])
    expect(held.reduce((sum, row) => sum + row.held, 0)).toBe(max + 1)
  })

  const queues = isFullDepth
    ? ([
        [30, 0],
        [30, 50],
        [60, 90],
      ] as const)
    : []
  it.each(queues)(
    'is careless in a queue of %i ms a job, and it shows whatever it is given to settle, though its state takes %i ms to read',
    async (jobMs, readMs) => {
      await using sandbox = await createSandbox({ listen: false })
      await using receiver = await openReceiver(queued(careless, jobMs))
      const state = async () => {
        if (readMs > 0) await receiver.shop.pause(readMs)
        return receiver.shop.state()
      }
      const options = { ...receiver.options, state, settleMs: 2 * jobMs + 20, max: 4 }
      await expect(sandbox.explore(payment, options)).rejects.toMatchObject({
        message: [
          `When \`complete\` comes before \`processing\`, ${ORDER} ends as ${PROCESSING} instead of "complete".`,
          'When `complete` comes twice, `wallet` ends as 1417.96 instead of 708.98.',
        ].join('\n'),
      })
    },
  )
})

it.concurrent('says nothing of a receiver that still works when time is up', async () => {
  // What comes twice keeps it busy for longer than a story is waited for.
  const busied: Parts = {
    ...right,
    async store(shop, eventId, payload) {
      const isKnown = shop.read().events.includes(eventId)
      await right.store(shop, eventId, payload)
      if (isKnown) void beat(shop, 200)
    },
  }
  async function beat(shop: Parameters<typeof right.store>[0], times: number) {
    for (let count = 1; count <= times; count++) {
      shop.write({ ...shop.read(), wallet: count })
      await shop.pause(20)
    }
  }
  const exploring = exploreShop(busied, { settleMs: 200, max: 2 })
  await expect(exploring).rejects.toMatchObject({
    code: 'not-known',
    message:
      'Not known whether it holds when `processing` comes twice (still changing after 200 ms: --settle).',
  })
})

it('does not blame a receiver for a process that stands still', async () => {
  const parts = queued(right, 30)
  const stalled: Parts = {
    ...parts,
    async store(shop, ...event) {
      // Two runs are undisturbed.
      if (shop.resets > 2) setTimeout(standStill, 5)
      await parts.store(shop, ...event)
    },
  }
  const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)
  const { held } = await exploreShop(stalled, { settleMs: 100, max: 2 })
  expect(held).toContainEqual({ name: 'orders', held: 2, of: 2 })
})

describe('what would make every run look alike', () => {
  it('is a reset that clears nothing', async () => {
    await using sandbox = await createSandbox({ listen: false })
    await using receiver = await openReceiver(right)
    const { shop, options } = receiver
    const reset: typeof options.reset = (place) => {
      shop.place = place
    }
    const exploring = sandbox.explore('buy-completes', { ...options, reset })
    await expect(exploring).rejects.toMatchObject({ code: 'not-reset' })
  })

  it('is a state that shows nothing', async () => {
    await expect(exploreShop(right, { state: () => ({}) })).rejects.toMatchObject({
      code: 'not-shown',
    })
  })

  it('is an option that nobody knows, or that is missing', async () => {
    const wrong = { stat: () => ({}), state: undefined } as object
    await expect(exploreShop(right, wrong)).rejects.toThrow(
      'explore: state is missing; there is no option stat.',
    )
  })
})
