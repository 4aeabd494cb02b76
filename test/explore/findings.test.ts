import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { bugs } from '../examples/receivers/bugs.mjs'
import { right } from '../examples/receivers/shop.mjs'
import { isFullDepth } from '../helpers/depth.ts'
import { exploreShop, openReceiver, type Parts } from './receiver.ts'

const ORDER = '`orders.e1df5443-08d3-4508-94c5-895e157e1d42`'
const PENDING = '"pending request money transfer"'
const PROCESSING = '"processing request money transfer"'

describe.concurrent('a receiver that is right', () => {
  it('withstands everything, and every pair', async () => {
    // All 259 runs take a third of the time of the other tests.
    const max = isFullDepth ? 2_000 : 60
    const { findings, held, deliveries, runs, leftOut } = await exploreShop(right, {
      depth: 2,
      max,
    })
    expect(findings).toEqual([])
    expect(runs + leftOut).toBe(259)
    expect(deliveries).toEqual(['pending', 'processing', 'complete'])
    expect(held.every(({ held: kept, of }) => kept === of)).toBe(true)
    expect(held.map(({ name, of }) => `${name} ${of}`)).toEqual([
      ...['orders 6', 'doubled 6', 'lost 3', 'before the response 1', 'forged 9'],
      `pairs ${isFullDepth ? 233 : 36}`,
    ])
  }, 120_000)

  it('is not asked for what it cannot do: find what was lost without reconciling', async () => {
    const { held } = await exploreShop(right, { reconcile: undefined })
    expect(held.map(({ name }) => name)).not.toContain('lost')
  })

  it('is explored by a story of a few levers, where the clock moves, from the present on', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
    await using receiver = await openReceiver(right)
    const { webhookUrl, ...options } = receiver.options
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
    expect(expected).toEqual({ orders: { [transaction.id]: 'complete' }, wallet: 70.66 })
    // The world that it began in stands where it stood.
    expect((await sandbox.transactions.get(transaction.id)).status).toBe(transaction.status)
  })
})

describe.concurrent('explore', () => {
  it.each<[keyof typeof bugs, string[]]>([
    [
      'no-deduplication',
      ['When `complete` comes twice, `wallet` ends as 1417.96 instead of 708.98.'],
    ],
    [
      'last-write-wins',
      [
        `When \`complete\` comes before \`processing\`, ${ORDER} ends as ${PROCESSING} instead of "complete".`,
      ],
    ],
    [
      'order-trusted',
      [
        `When \`pending\` comes after \`processing\` and \`complete\`, ${ORDER} ends as ${PENDING} instead of "complete" (and 1 more difference), until the receiver reconciles.`,
        `When \`pending\` is lost, ${ORDER} ends as nothing instead of "complete" (and 1 more difference).`,
      ],
    ],
    [
      'checked-too-late',
      [
        `When a copy of \`complete\` with a changed body comes, ${ORDER} changes from ${PROCESSING} to "expired".`,
      ],
    ],
    [
      'complete-never-found',
      [
        `When \`complete\` is lost, ${ORDER} ends as ${PROCESSING} instead of "complete" (and 1 more difference).`,
      ],
    ],
  ])(
    'says in a sentence what breaks a receiver with %s',
    async (bug, sentences) => {
      const exploring = exploreShop(bugs[bug] as Parts)
      await expect(exploring).rejects.toMatchObject({ message: sentences.join('\n') })
    },
    60_000,
  )

  it('says first that a receiver is not deterministic, unless what differs is ignored', async () => {
    let count = 0
    const odd = (more: object) =>
      exploreShop(right, { ...more, state: () => ({ ok: true, log: [{ at: count++ }] }) })
    await expect(odd({})).rejects.toThrow(/^Two undisturbed runs differ.*`log\[0\].at` is 0, then/)
    for (const ignore of ['at', 'log.*.at'])
      expect((await odd({ ignore: [ignore] })).findings).toEqual([])
  }, 60_000)

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
