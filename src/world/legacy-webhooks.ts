/** The webhooks of v1, each with its own switch and URL. */
export const LEGACY_HOOKS = [
  'verifiedEmail',
  'transactionInitiated',
  'transactionComplete',
  'transactionStatusUpdate',
] as const
export type LegacyHook = (typeof LEGACY_HOOKS)[number]
export type LegacyWebhooks = Record<LegacyHook, { enabled: boolean; url: string }>

export const noLegacyWebhooks = (): LegacyWebhooks => alike({ enabled: false, url: '' })

/** All four on, and to one URL. */
export const allLegacyWebhooks = (url: string): LegacyWebhooks => alike({ enabled: true, url })

const alike = (hook: { enabled: boolean; url: string }): LegacyWebhooks => ({
  verifiedEmail: { ...hook },
  transactionInitiated: { ...hook },
  transactionComplete: { ...hook },
  transactionStatusUpdate: { ...hook },
})
