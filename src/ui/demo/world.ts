import type { WebhookSettingsList, Wire } from '../../control-api/wire.ts'
import { control } from '../lib/api.ts'
import { change } from './store.ts'
import { isWalletOnly } from './view.ts'

/** Path of the world that the page was opened in. */
export const { prefix: opened = '' } = document.body.dataset
/** Name of the receiver of the sandbox that takes the place of the wallet's own server. */
const CATCH = 'demo-wallet'

/**
 * Enters a fork of the world that the page was opened in. What is played there changes nobody
 * else's data, clock or faults, and no receiver of theirs can hold it up. A phone enters the world
 * of its address, because the address comes from such a page.
 */
export async function enterWorld(): Promise<void> {
  const { integrators } = await call<'info'>(opened, 'GET', '/info')
  change({ app: { url: integrators[0]?.webhookUrl ?? '', isOn: false } })
  const prefix = isWalletOnly ? opened : await forkWorld()
  const webhooks = await call<'webhooks.settings'>(prefix, 'GET', '/webhooks/settings')
  if (!isWalletOnly) await prepare(prefix, webhooks)
  const { world: name, baseUrl, cursors, ...info } = await call<'info'>(prefix, 'GET', '/info')
  const { apiKey = '' } = info.integrators[0] ?? {}
  const catchUrl = `${webhooks.receiverUrl}/${CATCH}`
  change({ world: { name, prefix, baseUrl, apiKey, catchUrl, signingSecret: '' }, cursors })
}

async function forkWorld(): Promise<string> {
  const fork = { from: {}, seed: 'random' }
  const { baseUrl } = await call<'worlds.create'>(opened, 'POST', '/worlds', fork)
  return new URL(baseUrl).pathname
}

/** Keeps a fork from sending webhooks, and lets its users sign up. */
async function prepare(prefix: string, { integrators }: WebhookSettingsList): Promise<void> {
  const sending = integrators.filter(({ url, legacy }) => url !== null || legacy !== null)
  for (const { integrator } of sending) {
    const nowhere = { integrator, url: null, legacy: null }
    await call<'webhooks.set'>(prefix, 'PUT', '/webhooks/settings', nowhere)
  }
  await call<'settings.set'>(prefix, 'PATCH', '/settings', SETTINGS)
}

/** Without these, sign-up needs a token, which nobody has before the identity check. */
const SETTINGS = {
  'auth.updateUser': 'key-until-verified',
  'auth.createKycLink': 'key-until-verified',
  'auth.getRequirements': 'key',
}

const call = <Name extends keyof Wire>(
  prefix: string,
  method: string,
  path: string,
  body?: object,
) => control<Wire[Name]['response']>(method, `${prefix}/_sandbox${path}`, body)
