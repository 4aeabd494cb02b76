/** The webhooks of v1, each with its own switch and URL. */
export const LEGACY_HOOKS = [
  'verifiedEmail',
  'transactionInitiated',
  'transactionComplete',
  'transactionStatusUpdate',
] as const
export type LegacyHook = (typeof LEGACY_HOOKS)[number]
export type LegacyWebhooks = Record<LegacyHook, { enabled: boolean; url: string }>

export function noLegacyWebhooks(): LegacyWebhooks {
  const off = () => ({ enabled: false, url: '' })
  return {
    verifiedEmail: off(),
    transactionInitiated: off(),
    transactionComplete: off(),
    transactionStatusUpdate: off(),
  }
}
