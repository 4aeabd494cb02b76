import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ExploredStory, ExploreOptions } from '../../src/explore/in-process.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { openShop, type right, serveShop } from '../examples/receivers/shop.mjs'
import payment from './payment.mjs'

export const PAYMENT = join(import.meta.dirname, 'payment.mjs')

export type Parts = typeof right & { order?(shop: Shop): Promise<string> }

type Shop = ReturnType<typeof openShop>

/** A shop of this process, and how it is explored. */
export async function openReceiver(parts: Parts) {
  const shop = openShop(undefined, { url: '', apiKey: '', signingSecret: '' })
  const served = { ...parts }
  const server = serveShop(shop, served).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const options = {
    webhookUrl: `http://127.0.0.1:${port}/hooks`,
    reset: (place) => shop.reset(place),
    state: () => shop.state(),
    reconcile: () => parts.reconcile(shop),
    // It stores before it responds.
    settleMs: 20,
  } satisfies ExploreOptions
  return {
    shop,
    options,
    url: `http://127.0.0.1:${port}`,
    /** Takes other parts from now on. */
    become: (other: Parts) => Object.assign(served, other),
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The options for a receiver behind URLs; it stores before it responds. */
export const toOptions = (url: string, settle = '20ms'): string[] => [
  `--webhook-url=${url}/hooks`,
  `--reset=${url}/reset`,
  `--state=${url}/state`,
  `--reconcile=${url}/reconcile`,
  `--settle=${settle}`,
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
