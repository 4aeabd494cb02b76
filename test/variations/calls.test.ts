import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { Stage } from '../../src/scenario/types.ts'
import { call, logIn } from '../explore/api.mjs'
import { clients, order } from '../explore/clients.mjs'
import { right } from '../explore/shop.mjs'
import { isFullDepth } from '../helpers/depth.ts'
import { openReceiver, type Shop } from './shop-receiver.ts'

const EMAIL = 'alice@example.com'
const PAIR = { leftSideLabel: 'CAD', leftSideValue: '100', rightSideLabel: 'USDC-ETH' }
const QUOTE = `/v2/quotes?${new URLSearchParams(PAIR)}`
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'

/** What one step of a back end does. */
type Step = (shop: Shop, stage: Stage) => Promise<unknown>

/** Explores the calls of a step; `story` is called once for each run. */
async function exploreCalls(step: Step, only?: string) {
  await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
  await using receiver = await openReceiver(right)
  const { reconcile: _, ...options } = receiver.options
  const story = async (stage: Stage) => {
    // Variations of webhooks would take most of the runs.
    await stage.api.delete('/v2/webhook-configurations')
    await step(receiver.shop, stage)
    receiver.shop.write({ ...receiver.shop.read(), wallet: 1 })
  }
  return await sandbox.explore(story, { ...options, calls: true, ...(only && { only }) })
}

async function createOrder({ place }: Shop, token: string, quoteId: unknown) {
  const body = { ...PAIR, leftSideValue: 100, wallet: WALLET, quoteId }
  return (await call(place, '/v2/transactions', { token, body })).data
}

const getQuote = async ({ place }: Shop) => (await call(place, QUOTE)).data.quoteId

describe.concurrent('a change to a call', () => {
  it('a back end passes every change to its calls if it asks before it orders again', async () => {
    const { findings, held, notTried } = await exploreCalls((shop) => order(shop, clients.right))
    expect(findings).toEqual([])
    expect(held).toEqual([{ kind: 'your calls', held: 22, of: 22 }])
    expect(notTried.join()).not.toContain('call')
  })

  it.each([
    [
      'orders again',
      'retries-blindly',
      'createTransaction (call 4) is lost',
      'When the response to `createTransaction` (call 4) is lost, your code orders again: 2 orders instead of 1.',
    ],
    [
      'asks its customer for another code',
      'logs-in-again',
      'createQuote (call 3) gets a 503',
      'When `createQuote` (call 3) gets a 503, your code logs in again: 3 logins instead of 1.',
    ],
  ] as const)('a change to a call reveals a back end that %s', async (_, client, only, message) => {
    const exploring = exploreCalls((shop) => order(shop, clients[client]), only)
    await expect(exploring).rejects.toMatchObject({ code: 'findings', message })
  })

  it('a change to a call reveals a back end that keeps an expired token', async () => {
    const tokens = new WeakMap<object, string>()
    const step: Step = async (shop) => {
      const token = tokens.get(shop.place) ?? (await logIn(shop.place, EMAIL))
      tokens.set(shop.place, token)
      await createOrder(shop, token, await getQuote(shop))
    }
    await expect(exploreCalls(step, 'token has expired')).rejects.toThrow(
      /^When the access token has expired before `createTransaction` \(call 4\), the step still fails when repeated with nothing changed: .*401\.$/,
    )
  })

  it('a change to a call reveals a back end that keeps an expired quote', async () => {
    const quotes = new WeakMap<object, unknown>()
    const step: Step = async (shop) => {
      const token = await logIn(shop.place, EMAIL)
      const quoteId = quotes.get(shop.place) ?? (await getQuote(shop))
      quotes.set(shop.place, quoteId)
      await createOrder(shop, token, quoteId)
    }
    await expect(exploreCalls(step, 'quote has expired')).rejects.toThrow(
      /^When the quote has expired before `createTransaction` \(call 4\), the step still fails when repeated.*40\d\.$/,
    )
  })

  it.each(['token has expired', 'quote has expired', 'all later calls'])(
    'a back end may give up when the %s, as long as it works when it is asked again',
    async (only) => {
      const step: Step = async (shop) => {
        const token = await logIn(shop.place, EMAIL)
        await createOrder(shop, token, await getQuote(shop))
      }
      const { held } = await exploreCalls(step, only)
      expect(held.every(({ held: kept, of }) => kept === of)).toBe(true)
    },
  )

  it('a change to a call reveals a back end that settles an order which it would otherwise cancel', async () => {
    const step: Step = async (shop, { control, login }) => {
      const alice = await login(EMAIL)
      const { id } = (await alice.buy({ cad: 100 })).data
      const isQuoted = await getQuote(shop).catch(() => undefined)
      if (isQuoted) await alice.put(`/v2/transactions/${id}/cancel`)
      else {
        for (const how of ['funds-received', 'settled'])
          await control.post(`/simulate/transactions/${id}/${how}`)
      }
    }
    await expect(exploreCalls(step, 'is lost')).rejects.toThrow(
      'When the response to `createQuote` (call 1) is lost, 100 CAD is settled instead of 0.',
    )
  })
})

describe.concurrent('a change to a call that is not tried', () => {
  it.runIf(isFullDepth)(
    'a change to a call is not tried if the code waits longer than twelve seconds',
    async () => {
      const { notTried, held } = await exploreCalls(
        (shop) => getQuote(shop).catch(() => undefined),
        'takes longer',
      )
      expect(held).toEqual([])
      expect(notTried).toContain(
        '`createQuote` (call 1) takes longer than your code waits (your code waits longer than 12 s)',
      )
    },
  )

  it('a change to a call is not tried if the call is not made again, for example by a client that polls', async () => {
    let runs = 0
    const step: Step = async (shop) => {
      runs++
      if (runs === 1) await getQuote(shop)
    }
    const { notTried } = await exploreCalls(step, 'gets a 429')
    expect(notTried).toContain('`createQuote` (call 1) gets a 429 (that call was not made again)')
  })

  it('a change to a call is not tried if no call reaches the sandbox', async () => {
    await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
    await using receiver = await openReceiver(right)
    const options = { ...receiver.options, calls: true, only: 'arrives twice' }
    const { notTried } = await sandbox.explore('buy-funded', options)
    expect(notTried).toContain('your own calls (none reached the sandbox)')
  })

  it('a change to a call is not tried if only one kind is requested, even if its word occurs in others', async () => {
    await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
    await using receiver = await openReceiver(right)
    const { held } = await sandbox.explore('buy-funded', { ...receiver.options, only: 'Order' })
    expect(held.map(({ kind }) => kind)).toEqual(['order'])
  })
})
