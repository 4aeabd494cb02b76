import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { Stage } from '../../src/scenario/types.ts'
import { call } from '../examples/receivers/api.mjs'
import { clients, order } from '../examples/receivers/clients.mjs'
import { right } from '../examples/receivers/shop.mjs'
import { openReceiver, type Parts } from './receiver.ts'
import { Backend, serveBackend } from './strangers/backend.mjs'

/** Knows only what it ordered itself. */
const ownOrdersOnly: Parts = {
  ...right,
  apply(state, payload) {
    if (state.orders[payload.transactionId]) right.apply(state, payload)
  },
}

/** Explores a back end that orders once, and whose order may then complete. */
async function exploreClient(
  client: keyof typeof clients,
  { parts = right, isPaid = false }: { parts?: Parts; isPaid?: boolean } = {},
) {
  await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
  await using receiver = await openReceiver(parts)
  const { options, shop } = receiver
  const story = async ({ control, step }: Stage) => {
    step('She orders')
    const id = await order(shop, clients[client])
    if (!isPaid) return
    await control.post(`/simulate/transactions/${id}/funds-received`)
    await control.post(`/simulate/transactions/${id}/settled`)
  }
  return await sandbox.explore(story, { ...options, calls: true })
}

// Most of their time, they wait for slow responses.
describe.concurrent('a back end whose calls are disturbed', { timeout: 240_000 }, () => {
  it('is right where it asks before it orders again', async () => {
    const { findings, held, notTried } = await exploreClient('right', { isPaid: true })
    expect(findings).toEqual([])
    expect(held).toContainEqual({ name: 'your calls', held: 31, of: 31 })
    expect(notTried.join()).not.toMatch(/slow|calls|transaction ids/)
  })

  it('orders twice where it retries blindly', async () => {
    await expect(exploreClient('retries-blindly')).rejects.toThrow(
      /When the response of `createTransaction` \(step 1\) is lost, your backend orders again: 2 transactions for one step\./,
    )
  })

  it('loses an order where it forgets what it asked for', async () => {
    await expect(exploreClient('forgets', { parts: ownOrdersOnly })).rejects.toThrow(
      /When the response of `createTransaction` \(step 1\) (is lost|takes longer.*), transaction .* is orphaned/,
    )
  })

  it('asks its customer for another code where it logs in again', async () => {
    await expect(exploreClient('logs-in-again')).rejects.toThrow(
      /your backend logs in again: 3 logins instead of 2/,
    )
  })
})

it('names the slow response for which a client waits, because that proves nothing', async () => {
  await using sandbox = await createSandbox({ fixture: 'verified-user' })
  await using receiver = await openReceiver(right)
  const { options, shop } = receiver
  const story = async () => {
    const query = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'
    await call(shop.place, `/v2/quotes?${query}`).catch(() => undefined)
    shop.write({ ...shop.read(), wallet: 1 })
  }
  const { held, notTried } = await sandbox.explore(story, { ...options, calls: true })
  // What was not tried is not green: no webhook came.
  expect(held).toEqual([{ name: 'your calls', held: 6, of: 6 }])
  expect(notTried).toContain('1 slow response (your client waits longer than 2 s)')
})

const EMAIL = 'alice@example.com'
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'

describe.concurrent('a back end that was written by somebody who has not seen explore', {
  timeout: 240_000,
}, () => {
  it('withstands everything, and what its state does not tell is named', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
    const backend = new Backend({ url: '', apiKey: '', signingSecret: '' })
    const server = serveBackend(backend).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const story = async ({ control }: Stage) => {
      await backend.signIn({ email: EMAIL })
      const { messages } = await control.get('/inbox', { email: EMAIL, kind: 'login-code' })
      await backend.enterCode({ email: EMAIL, code: messages.at(-1).code })
      await backend.order({ email: EMAIL, cad: 100, wallet: WALLET })
      const { items } = await control.get('/transactions')
      await control.post(`/simulate/transactions/${items[0].id}/funds-received`)
      await control.post(`/simulate/transactions/${items[0].id}/settled`)
    }
    try {
      const { held, notTried } = await sandbox.explore(story, {
        webhookUrl: `http://127.0.0.1:${port}/hooks`,
        reset: (place) => backend.reset(place),
        state: () => backend.state(),
        reconcile: () => backend.reconcile(),
        settleMs: 20,
        calls: true,
      })
      expect(held).toContainEqual({ name: 'your calls', held: 31, of: 31 })
      expect(notTried).toContain(
        'orders that your backend does not know (its state shows no transaction ids)',
      )
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})
