import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { Stage } from '../../src/scenario/types.ts'
import { call, logIn } from '../examples/receivers/api.mjs'
import { right } from '../examples/receivers/shop.mjs'
import payment from './payment.mjs'
import { exploreShop, openReceiver, type Parts } from './receiver.ts'
import settlement from './settlement.mjs'

type Shop = Awaited<ReturnType<typeof openReceiver>>['shop']

const EMAIL = 'alice@example.com'
const QUOTE = '/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'

const BARE = 'the state is the same before and after it'

function sign(secret: string, { timestamp = '', body = '' }): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

/** Checks that are right for every webhook that somebody would send by mistake. */
const LAX: Record<string, Parts['isGenuine']> = {
  'without a signature': (shop, headers, body) =>
    headers['x-service-signature'] === undefined || right.isGenuine(shop, headers, body),
  'with an empty signature': ({ place }, headers, body) => {
    const { 'x-service-timestamp': timestamp = '', 'x-service-signature': given } = headers
    const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300
    const isAlike = sign(place.signingSecret, { timestamp, body }).startsWith(given ?? 'none')
    return isRecent && isAlike
  },
  'with a timestamp an hour ahead': ({ place }, headers, body) => {
    const { 'x-service-timestamp': timestamp = '', 'x-service-signature': given } = headers
    const isOld = Date.now() / 1_000 - Number(timestamp) > 300
    return !isOld && sign(place.signingSecret, { timestamp, body }) === given
  },
}

describe('a forged webhook that is taken', () => {
  it.each(Object.entries(LAX))('is found %s', async (flaw, isGenuine) => {
    const exploring = exploreShop({ ...right, isGenuine }, { story: settlement })
    const sentence = `When a copy of \`complete\` ${flaw} comes, `
    await expect(exploring).rejects.toThrow(sentence)
  })
})

it('finds a receiver that drops the second of two webhooks at the same time', async () => {
  let isBusy = false
  const dropping: Parts = {
    ...right,
    async store(shop, ...event) {
      if (isBusy) return
      isBusy = true
      for (let times = 0; times < 10; times++) await shop.pause(2)
      await right.store(shop, ...event)
      isBusy = false
    },
  }
  await expect(exploreShop(dropping)).rejects.toThrow(
    /^When `processing` and `complete` come at the same time, .* ends as "processing request money transfer" instead of "complete"/,
  )
})

describe('what the state does not show', () => {
  it('is named, and what rests on it does not count as held', async () => {
    await using sandbox = await createSandbox({ listen: false })
    await using receiver = await openReceiver(right)
    const { options, shop } = receiver
    const state = () => ({ orders: Object.keys(shop.read().orders).length })
    const { held, notTried } = await sandbox.explore('buy-completes', { ...options, state })
    const blind = ['processing', 'complete'].map((label) => `what \`${label}\` changes (${BARE})`)
    expect(notTried).toEqual(expect.arrayContaining(blind))
    // A changed body says that an order is complete, which its count cannot show either.
    const counts = Object.fromEntries(held.map(({ name, of }) => [name, of]))
    expect(counts).toMatchObject({ lost: 1, forged: 3, 'small print': 13 })
  })

  it('is no webhook at all', async () => {
    await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
    await using receiver = await openReceiver({ ...right, take: async () => 204 })
    const { options, shop } = receiver
    const story = async ({ login }: Stage) => {
      const alice = await login(EMAIL)
      const { data } = await alice.buy({ cad: 100 })
      shop.write({ ...shop.read(), orders: { [data.id]: data.status } })
    }
    const exploring = sandbox.explore(story, { ...options, reconcile: undefined })
    await expect(exploring).rejects.toMatchObject({
      code: 'not-shown',
      message: expect.stringContaining('No webhook changes the state'),
    })
  })

  it('is a Map, which JSON leaves out', async () => {
    await using sandbox = await createSandbox({ listen: false })
    await using receiver = await openReceiver(right)
    const { options, shop } = receiver
    const state = () => ({ ...shop.read(), orders: new Map(Object.entries(shop.read().orders)) })
    await expect(sandbox.explore(settlement, { ...options, state })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('orders'),
    })
  })
})

// Two of them wait for a slow response.
describe.concurrent('a disturbance that did not happen', () => {
  /** Acts in the two undisturbed runs; in all others something else leaves the same state. */
  async function exploreForgetful(
    act: (shop: Shop, stage: Stage) => Promise<unknown>,
    { otherwise = act, calls = false, max = 1 },
  ) {
    await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
    await using receiver = await openReceiver(right)
    const { options, shop } = receiver
    const story = async (stage: Stage) => {
      await (shop.resets <= 2 ? act : otherwise)(shop, stage)
      if (calls) shop.write({ ...shop.read(), wallet: 1 })
    }
    return await sandbox.explore(story, { ...options, reconcile: undefined, calls, max })
  }

  const buy = async (_: Shop, { login }: Stage) => (await login(EMAIL)).buy({ cad: 100 })
  const getQuote = (shop: Shop) => call(shop.place, QUOTE).catch(() => undefined)

  it('is not known where its webhook never came', async () => {
    let bought = {}
    const buyAndNote = async (shop: Shop, stage: Stage) => {
      await buy(shop, stage)
      await stage.control.post('/webhooks/drain')
      bought = shop.read()
    }
    const otherwise = async (shop: Shop) => shop.write(bought as ReturnType<Shop['read']>)
    await expect(exploreForgetful(buyAndNote, { otherwise })).rejects.toMatchObject({
      code: 'not-known',
      message: 'Not known whether it holds when `pending` comes twice (`pending` never came).',
    })
  })

  it('is not known where its call was never made', async () => {
    const otherwise = async () => undefined
    await expect(exploreForgetful(getQuote, { otherwise, calls: true })).rejects.toMatchObject({
      code: 'not-known',
      message: expect.stringContaining('(that call was never made)'),
    })
  })

  it('is not known where another call was made in its place', async () => {
    const otherwise = (shop: Shop) => logIn(shop.place, EMAIL).catch(() => undefined)
    await expect(exploreForgetful(getQuote, { otherwise, calls: true })).rejects.toMatchObject({
      code: 'not-known',
      message: expect.stringContaining('(that call was never made)'),
    })
  })

  it('is tried again where its call was not made once, as by a client that polls', async () => {
    const skipOnce = async (shop: Shop) => (shop.resets === 3 ? undefined : await getQuote(shop))
    const { held } = await exploreForgetful(skipOnce, { calls: true })
    expect(held).toContainEqual({ name: 'your calls', held: 1, of: 1 })
  })

  it('is not tried for a call that only one of two undisturbed runs makes', async () => {
    const pollLess = async (shop: Shop) => {
      for (let left = shop.resets === 1 ? 3 : 1; left > 0; left--) await getQuote(shop)
    }
    const { held, notTried } = await exploreForgetful(pollLess, { calls: true, max: 20 })
    expect(held).toContainEqual({ name: 'your calls', held: 6, of: 6 })
    expect(notTried).toContain('2 calls (not made in both undisturbed runs)')
  })

  it('is not known where the call itself failed, though it succeeds undisturbed', async () => {
    const otherwise = ({ place }: Shop) =>
      call({ ...place, apiKey: 'none' }, QUOTE).catch(() => undefined)
    await expect(exploreForgetful(getQuote, { otherwise, calls: true })).rejects.toMatchObject({
      code: 'not-known',
      message: expect.stringContaining('(it was 401 before that, and 200 undisturbed)'),
    })
  })

  it('is not tried where the clock could not jump, because the story was moving it', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
    await using receiver = await openReceiver({
      ...right,
      async take(shop, ...webhook) {
        const status = await right.take(shop, ...webhook)
        if (status === 204) await getQuote(shop)
        return status
      },
    })
    await sandbox.buy(EMAIL, { cad: 100 })
    const { reconcile: _, ...options } = receiver.options
    const story = async ({ control }: Stage) => {
      await control.post('/clock/advance', { by: '2h' })
    }
    const { held, notTried } = await sandbox.explore(story, { ...options, calls: true })
    expect(held).toContainEqual({ name: 'your calls', held: 5, of: 5 })
    expect(notTried).toContain('1 clock jump (the story was moving the clock itself)')
  })

  it('is not tried where a webhook comes only because of the one that it should precede', async () => {
    const settling: Parts = {
      ...right,
      async take(shop, headers, body) {
        const status = await right.take.call(this, shop, headers, body)
        const { payload } = JSON.parse(body)
        const path = `/_sandbox/simulate/transactions/${payload.transactionId}/settled`
        if (status === 204 && payload.status?.startsWith('processing'))
          await call(shop.place, path, { body: { deliver: 'async' } }).catch(() => undefined)
        return status
      },
    }
    const story = {
      ...settlement,
      fixture: payment.fixture as object,
      async play({ step, control }: Stage) {
        const { items } = await control.get('/transactions')
        step('The money comes')
        await control.post(`/simulate/transactions/${items[0].id}/funds-received`)
      },
    }
    const { held, notTried } = await exploreShop(settling, { story, max: 1 })
    expect(held).toEqual([])
    expect(notTried).toContain('1 order (one webhook comes only because of another)')
  })
})

it('does not blame a disturbance for what the reset does not restore', async () => {
  let isJammed = false
  const jamming: Parts = {
    ...right,
    async take(shop, headers, body) {
      isJammed ||= JSON.parse(body).type === 'account.note'
      if (isJammed) throw new Error('jammed')
      return await right.take.call(this, shop, headers, body)
    },
  }
  await expect(exploreShop(jamming)).rejects.toMatchObject({
    code: 'not-deterministic',
    message: expect.stringMatching(/^An undisturbed run no longer ends as the first one/),
  })
})
