import type { WebhooksRequest } from '../world/integrators.ts'
import { allLegacyWebhooks } from '../world/legacy-webhooks.ts'
import { toWebhookUrl } from './option-values.ts'

interface WebhookValues {
  'webhook-url': string | undefined
  'v1-webhook-url': string | undefined
}

interface WebhookUrls {
  webhookUrl?: string
  v1WebhookUrl?: string
}

/** Only those that are given. */
export function toWebhookUrls(values: WebhookValues): WebhookUrls {
  const v2 = values['webhook-url'] ?? (process.env.RAMP_SANDBOX_WEBHOOK_URL || undefined)
  const v1 = values['v1-webhook-url']
  return {
    ...(v2 !== undefined && { webhookUrl: toWebhookUrl('--webhook-url', v2) }),
    ...(v1 !== undefined && { v1WebhookUrl: toWebhookUrl('--v1-webhook-url', v1) }),
  }
}

export const toWebhooks = ({ webhookUrl, v1WebhookUrl }: WebhookUrls): WebhooksRequest => ({
  url: webhookUrl,
  legacy: v1WebhookUrl === undefined ? undefined : allLegacyWebhooks(v1WebhookUrl),
})

export const toHostname = (url: string) => new URL(url).hostname
