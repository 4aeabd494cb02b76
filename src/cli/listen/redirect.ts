import type { Sandbox } from '../../client/client.ts'
import type { WebhookSettings, WebhookSettingsList } from '../../http/control/wire.ts'
import type { WebhooksRequest } from '../../world/integrators.ts'
import { allLegacyWebhooks } from '../../world/legacy-webhooks.ts'
import { invalid } from '../option-values.ts'

/** Where somebody wants webhooks; what is undefined stays as it is. */
export interface Targets {
  v2: string | undefined
  v1: string | undefined
}

export type Redirect = Awaited<ReturnType<typeof redirectWebhooks>>

export interface RedirectOptions {
  control: Sandbox['control']
  integrator: string | undefined
  targets: Targets
  /** Whether the sandbox may reach them by itself; it is asked to try. */
  isDirect: boolean
}

/** Configures where the webhooks of an integrator go, for a while. */
export async function redirectWebhooks(options: RedirectOptions) {
  const { control, targets } = options
  const list = await readList()
  let previous = pick(list)
  const name = previous.integrator
  let current = previous
  let isDirect = options.isDirect
  await apply()
  return {
    integrator: name,
    get signingSecret() {
      return current.signingSecret
    },
    /** Whether the sandbox sends them to the targets by itself. */
    get isDirect() {
      return isDirect
    },
    /** Where the sandbox itself sends them. */
    get url() {
      return expected().v2
    },
    get v1Url() {
      return expected().v1
    },
    /** Sets them again in a world that was reset. */
    async renew() {
      const found = pick(await readList())
      if (isOurs(found)) return
      previous = found
      await apply()
    },
    /** Lets the sandbox keep them for readers of its feed. */
    async keepInFeed() {
      isDirect = false
      await apply()
    },
    /** Puts back what was configured, unless somebody has changed it since. */
    async restore() {
      if (isOurs(pick(await readList()))) await put(previous)
    },
  }

  function readList() {
    return control<WebhookSettingsList>('GET', '/webhooks/settings')
  }

  function pick({ integrators }: WebhookSettingsList): WebhookSettings {
    const { integrator: asked = integrators[0]?.integrator } = options
    const found = integrators.find(({ integrator }) => integrator === asked)
    if (found) return found
    const known = integrators.map(({ integrator }) => integrator).join(', ')
    const message = `There is no integrator ${asked}; there is ${known}.`
    throw invalid('--integrator', message)
  }

  function expected(): Targets {
    const receiver = `${list.receiverUrl}/listen`
    const { v2, v1 } = targets
    return isDirect ? targets : { v2: v2 && receiver, v1: v1 && receiver }
  }

  async function apply(): Promise<void> {
    const { v2, v1 } = expected()
    try {
      current = await put({ url: v2, legacy: v1 ? allLegacyWebhooks(v1) : undefined })
    } catch (error) {
      // A sandbox that others share sends nothing to its own machine.
      if (!isDirect || (error as { status?: number }).status !== 400) throw error
      isDirect = false
      await apply()
    }
  }

  /** Only what somebody wants to go elsewhere. */
  function put({ url, legacy }: WebhooksRequest) {
    const body = { url: targets.v2 && url, legacy: targets.v1 && legacy }
    return control<WebhookSettings>('PUT', '/webhooks/settings', {
      body: { ...body, integrator: name },
    })
  }

  function isOurs({ url, legacy }: WebhookSettings): boolean {
    const { v2, v1 } = expected()
    return (
      (v2 === undefined || url === v2) &&
      (v1 === undefined || legacy?.transactionComplete.url === v1)
    )
  }
}
