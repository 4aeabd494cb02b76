import type { Sandbox } from '../client/client.ts'
import type { WebhookSettings, WebhookSettingsList } from '../http/control/wire.ts'
import { allLegacyWebhooks } from '../world/state.ts'
import { invalid } from './option-values.ts'

/** Where somebody wants webhooks; what is undefined stays as it is. */
export interface Targets {
  v2: string | undefined
  v1: string | undefined
}

export interface Redirect {
  readonly integrator: string
  readonly signingSecret: string | null
  /** Whether the sandbox sends them to the targets by itself. */
  readonly isDirect: boolean
  /** Where the sandbox itself sends them. */
  readonly urls: Targets
  /** Sets them again in a world that was reset. */
  renew(): Promise<void>
  /** Lets the sandbox keep them for readers of its feed. */
  keepInFeed(): Promise<void>
  /** Puts back what was configured, unless somebody has changed it since. */
  restore(): Promise<void>
}

/** Configures where the webhooks of an integrator go, for a while. */
export async function redirectWebhooks(
  control: Sandbox['control'],
  targets: Targets,
  asked: string | undefined,
): Promise<Redirect> {
  const { receiverUrl } = await readList()
  let previous = await find()
  let current = previous
  const { integrator } = previous
  let isDirect = true
  await apply()
  return {
    integrator,
    get signingSecret() {
      return current.signingSecret
    },
    get isDirect() {
      return isDirect
    },
    get urls() {
      return urlsNow()
    },
    async renew() {
      const found = await find()
      if (isOurs(found)) return
      previous = found
      await apply()
    },
    async keepInFeed() {
      isDirect = false
      await apply()
    },
    async restore() {
      const { url, legacy } = previous
      if (isOurs(await find())) await put(url, legacy)
    },
  }

  function readList() {
    return control<WebhookSettingsList>('GET', '/webhooks/settings')
  }

  async function find(): Promise<WebhookSettings> {
    const { integrators } = await readList()
    const names = integrators.map(({ integrator: name }) => name)
    const found = integrators[asked === undefined ? 0 : names.indexOf(asked)]
    if (found) return found
    const message = `There is no integrator ${asked}; there is ${names.join(', ')}.`
    throw invalid('--integrator', message)
  }

  function urlsNow(): Targets {
    const receiver = `${receiverUrl}/listen`
    const { v2, v1 } = targets
    return isDirect ? targets : { v2: v2 && receiver, v1: v1 && receiver }
  }

  async function apply(): Promise<void> {
    const { v2, v1 } = urlsNow()
    try {
      current = await put(v2, v1 && allLegacyWebhooks(v1))
    } catch (error) {
      // A sandbox that others share sends nothing to its own machine.
      if (!isDirect || (error as { status?: number }).status !== 400) throw error
      isDirect = false
      await apply()
    }
  }

  /** Only what somebody wants to go elsewhere. */
  function put(url: unknown, legacy: unknown) {
    const body = { integrator, url: targets.v2 && url, legacy: targets.v1 && legacy }
    return control<WebhookSettings>('PUT', '/webhooks/settings', { body })
  }

  function isOurs({ url, legacy }: WebhookSettings): boolean {
    const { v2, v1 } = urlsNow()
    const isV1Ours = v1 === undefined || legacy?.transactionComplete.url === v1
    return isV1Ours && (v2 === undefined || url === v2)
  }
}
