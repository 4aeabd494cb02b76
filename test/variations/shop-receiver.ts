import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { ExploredStory, ExploreOptions } from '../../src/variations/options.ts'
import payment from '../explore/payment.mjs'
import { openShop, right, serveShop } from '../explore/shop.mjs'

export const PAYMENT = join(import.meta.dirname, '../explore/payment.mjs')
export const SETTLEMENT = join(import.meta.dirname, '../explore/settlement.mjs')

export type Parts = typeof right & { order?(shop: Shop): Promise<string> }

export type Shop = ReturnType<typeof openShop>

/** Pays for each event that says so, also for one that it has taken before. */
export const paidTwice: Parts = {
  ...right,
  async store(shop, _, payload) {
    const state = shop.read()
    const { wallet } = state
    this.apply(state, payload)
    if (payload.status === 'complete') state.wallet = wallet + payload.rightSideValue
    shop.write(state)
  },
}

/** Does its work, but responds with another status to some events. */
export const refusing = (
  status: number,
  isRefused: (event: { type: string; payload: object }) => unknown,
): Parts => ({
  ...right,
  async take(shop, headers, body) {
    const taken = await right.take.call(this, shop, headers, body)
    return isRefused(JSON.parse(body)) ? status : taken
  },
})

/** A shop of this process, and how it is explored. */
export async function openReceiver(parts: Parts) {
  const shop = openShop(undefined, { url: '', apiKey: '', signingSecret: '' })
  const server = serveShop(shop, parts).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const options = {
    webhookUrl: `http://127.0.0.1:${port}/hooks`,
    reset: (place) => shop.reset(place),
    state: () => shop.state(),
    reconcile: () => parts.reconcile(shop),
  } satisfies ExploreOptions
  return {
    shop,
    options,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The options for a receiver behind URLs. */
export const toOptions = (url: string): string[] => [
  `--webhook-url=${url}/hooks`,
  `--reset=${url}/reset`,
  `--state=${url}/state`,
  `--reconcile=${url}/reconcile`,
  '--port=0',
]

export async function exploreShop(
  parts: Parts,
  { story = payment, ...more }: Partial<ExploreOptions> & { story?: ExploredStory } = {},
) {
  await using sandbox = await createSandbox({ listen: false })
  await using receiver = await openReceiver(parts)
  return await sandbox.explore(story, { ...receiver.options, ...more })
}
