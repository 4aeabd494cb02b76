import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { connectSandbox } from '../../src/host/explorable.ts'
import type { Stage } from '../../src/scenario/types.ts'
import { call, logIn } from '../examples/receivers/api.mjs'
import { clients, order } from '../examples/receivers/clients.mjs'
import { right } from '../examples/receivers/shop.mjs'
import { isFullDepth } from '../helpers/depth.ts'
import { openReceiver, type Parts } from './receiver.ts'
import { Backend, serveBackend } from './strangers/backend.mjs'

const EMAIL = 'alice@example.com'
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'
const quote = '/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'

/** Knows only what it ordered itself. */
const ownOrdersOnly: Parts = {
  ...right,
  apply(state, payload) {
    if (state.orders[payload.transactionId]) right.apply(state, payload)
  },
}

/** What is said of each mistake. */
const MISTAKES = {
  'orders twice':
    /When the response of `createTransaction` \(step 1\) is lost, your backend orders again: 2 transactions for one step/,
  'loses an order':
    /When the response of `createTransaction` \(step 1\) (is lost|takes longer.*), transaction .* is orphaned/,
  'asks its customer for another code': /your backend logs in again: 3 logins instead of 2/,
}

/** Their disturbances would take most of the runs. */
const leaveOutWebhooks = async ({ api }: Stage) => {
  await api.delete('/v2/webhook-configurations')
}

/** Completes a buy at once: a webhook fewer leaves out a quarter of the runs. */
async function complete({ control }: Stage, id: string) {
  const status = 'complete'
  await control.post(`/simulate/transactions/${id}/status`, { status })
}

/** Explores a back end that orders once. */
async function exploreClient(
  client: keyof typeof clients,
  { parts = right }: { parts?: Parts } = {},
) {
  await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
  await using receiver = await openReceiver(parts)
  const { options, shop } = receiver
  const story = async (stage: Stage) => {
    await leaveOutWebhooks(stage)
    stage.step('She orders')
    await order(shop, clients[client])
  }
  return await sandbox.explore(story, { ...options, calls: true })
}

/** Names the mistakes that a back end is told of; without any, what it is told. */
async function findMistakes(client: keyof typeof clients, parts: Parts): Promise<string[]> {
  const message = await exploreClient(client, { parts }).then(() => 'nothing', String)
  const found = Object.entries(MISTAKES).filter(([, sentence]) => sentence.test(message))
  return found.length > 0 ? found.map(([name]) => name) : [message]
}

// Most of their time, they wait for slow responses.
describe.concurrent('a back end whose calls are disturbed', { timeout: 240_000 }, () => {
  it('is right where it asks before it orders again', async () => {
    const { findings, held, notTried } = await exploreClient('right')
    expect(findings).toEqual([])
    expect(held).toContainEqual({ name: 'your calls', held: 31, of: 31 })
    expect(notTried.join()).not.toMatch(/slow|calls|transaction ids/)
  })

  it.runIf(isFullDepth).each([
    ['orders twice', 'retries-blindly', right],
    ['loses an order', 'forgets', ownOrdersOnly],
    ['asks its customer for another code', 'logs-in-again', right],
  ] as const)('%s where it %s', async (mistake, client, parts) => {
    expect(await findMistakes(client, parts)).toEqual([mistake])
  })

  it('withstands everything where somebody wrote it who has not seen explore, and what its state does not tell is named', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
    const backend = new Backend({ url: '', apiKey: '', signingSecret: '' })
    const server = serveBackend(backend).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const story = async (stage: Stage) => {
      const { control } = stage
      if (!isFullDepth) await leaveOutWebhooks(stage)
      await backend.signIn({ email: EMAIL })
      const { messages } = await control.get('/inbox', { email: EMAIL, kind: 'login-code' })
      await backend.enterCode({ email: EMAIL, code: messages.at(-1).code })
      await backend.order({ email: EMAIL, cad: 100, wallet: WALLET })
      const { items } = await control.get('/transactions')
      if (isFullDepth) await complete(stage, items[0].id)
    }
    try {
      const { held, notTried } = await sandbox.explore(story, {
        webhookUrl: `http://127.0.0.1:${port}/hooks`,
        reset: (place) => backend.reset(place),
        state: () => backend.state(),
        reconcile: () => backend.reconcile(),
        settleMs: 20,
        calls: true,
        ...(isFullDepth ? {} : { max: 1 }),
      })
      const count = isFullDepth ? 31 : 1
      expect(held).toContainEqual({ name: 'your calls', held: count, of: count })
      expect(notTried).toContain(
        'orders that your backend does not know (its state shows no transaction ids)',
      )
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})

// It waits for a slow response, together with those above.
it.concurrent('names the slow response for which a client waits, because that proves nothing', async () => {
  await using sandbox = await createSandbox({ fixture: 'verified-user' })
  await using receiver = await openReceiver(right)
  const { options, shop } = receiver
  const story = async () => {
    await call(shop.place, quote).catch(() => undefined)
    shop.write({ ...shop.read(), wallet: 1 })
  }
  const { held, notTried } = await sandbox.explore(story, { ...options, calls: true })
  // What was not tried is not green: no webhook came.
  expect(held).toEqual([{ name: 'your calls', held: 6, of: 6 }])
  expect(notTried).toContain('1 slow response (your client waits longer than 2 s)')
})

it('finds an order that is settled where it should have been cancelled', async () => {
  await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
  await using receiver = await openReceiver(right)
  const { options, shop } = receiver
  const play = async ({ api, control, login }: Stage) => {
    await api.delete('/v2/webhook-configurations')
    const alice = await login(EMAIL)
    const { id } = (await alice.buy({ cad: 100 })).data
    const isQuoted = await call(shop.place, quote).catch(() => undefined)
    if (isQuoted) await alice.put(`/v2/transactions/${id}/cancel`)
    else
      for (const how of ['funds-received', 'settled'])
        await control.post(`/simulate/transactions/${id}/${how}`)
    shop.write({ ...shop.read(), wallet: 1 })
  }
  await expect(
    sandbox.explore(play, { ...options, reconcile: undefined, calls: true, max: 1 }),
  ).rejects.toThrow(
    /^When the response of `createQuote` \(call 1\) is lost, 100 CAD is settled instead of 0\.$/,
  )
})

it('finds what a step does twice, though a later step that fails makes up for it', async () => {
  await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
  await using receiver = await openReceiver(right)
  const { options, shop } = receiver
  const play = async ({ step }: Stage) => {
    step('She signs in')
    const isQuoted = await call(shop.place, quote).catch(() => undefined)
    await logIn(shop.place, EMAIL)
    if (!isQuoted) await logIn(shop.place, EMAIL)
    step('She signs in elsewhere')
    if (!isQuoted) throw new Error('The back end is in disorder.')
    await logIn(shop.place, EMAIL)
    shop.write({ ...shop.read(), wallet: 1 })
  }
  await expect(sandbox.explore(play, { ...options, calls: true, max: 1 })).rejects.toThrow(
    'When the response of `createQuote` (step 1) is lost, your backend logs in again: 2 logins instead of 1 after the step “She signs in”',
  )
})

describe('on a busy machine, what belongs to a step', () => {
  it('are the calls that were made in it, however late the world is asked', async () => {
    await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
    await using receiver = await openReceiver(right)
    const { options, shop } = receiver
    const story = new EventEmitter()
    let isUnderWay = false
    const play = async ({ step }: Stage) => {
      step('She signs in')
      isUnderWay = true
      await call(shop.place, quote).catch(() => undefined)
      await logIn(shop.place, EMAIL)
      shop.write({ ...shop.read(), wallet: 1 })
      isUnderWay = false
      story.emit('end')
    }
    const fetch = async (request: Request) => {
      const isReading = /_sandbox\/(webhooks\/drain|requests|transactions)/.test(request.url)
      // Two runs are undisturbed.
      if (isReading && isUnderWay && shop.resets > 2) await once(story, 'end')
      return await sandbox.fetch(request)
    }
    const { explore } = connectSandbox(sandbox.url, { fetch })
    const { held } = await explore(play, { ...options, calls: true, max: 1 })
    expect(held).toEqual([{ name: 'your calls', held: 1, of: 1 }])
  })

  it.runIf(isFullDepth)('are the calls that its webhooks make, however late', async () => {
    await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
    let goOn = () => {}
    const isOver = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await using receiver = await openReceiver({
      ...right,
      async take(shop, ...webhook) {
        // Undisturbed, it handles the webhook of a step in the next one.
        if (shop.resets === 1) await isOver
        await logIn(shop.place, EMAIL)
        return await right.take(shop, ...webhook)
      },
    })
    const { options, shop } = receiver
    const play = async ({ control, step }: Stage) => {
      step('She orders')
      await call(shop.place, quote).catch(() => undefined)
      await order(shop, clients.right)
      if (shop.resets > 1) await call(shop.place, '/_sandbox/webhooks/drain', { body: {} })
      step('She waits')
      goOn()
      await control.get('/clock')
    }
    // After 13 disturbances of its webhook comes that of the first call.
    const { held } = await sandbox.explore(play, { ...options, calls: true, max: 14 })
    expect(held.at(-1)).toEqual({ name: 'your calls', held: 1, of: 1 })
  })

  it('is the state before the story calls on, however late it is read', async () => {
    await using sandbox = await createSandbox({ listen: false, fixture: 'verified-user' })
    await using receiver = await openReceiver(right)
    const { shop } = receiver
    const story = new EventEmitter()
    let isUnderWay = false
    const { transaction } = await sandbox.buy(EMAIL, { cad: 100 })
    const path = `/simulate/transactions/${transaction.id}`
    const play = async ({ control, step }: Stage) => {
      step('The money comes')
      await control.post(`${path}/funds-received`)
      step('She signs in')
      isUnderWay = true
      for (let times = 0; times < 5; times++) await logIn(shop.place, EMAIL)
      shop.write({ ...shop.read(), wallet: 1 })
      isUnderWay = false
      story.emit('end')
      await control.post(`${path}/settled`)
    }
    const options = {
      ...receiver.options,
      async state() {
        // The second run is the one that the others are compared with.
        if (isUnderWay && shop.resets === 2) await once(story, 'end')
        return shop.state()
      },
    }
    const { held } = await sandbox.explore(play, { ...options, max: 3 })
    expect(held).toContainEqual({ name: 'doubled', held: 2, of: 2 })
  })
})
