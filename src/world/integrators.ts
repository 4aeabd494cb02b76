import { DomainError, type DomainErrorDetail } from './domain-error.ts'
import { hex, randomFor } from './random.ts'
import {
  allLegacyWebhooks,
  type Integrator,
  LEGACY_HOOKS,
  type LegacyHook,
  type LegacyWebhooks,
  type WebhookConfiguration,
} from './state.ts'
import { listFirst } from './word-list.ts'
import type { World } from './world.ts'

export function getIntegratorByKey(world: World, apiKey: string): Integrator {
  const integrator = world.integratorsByKey.get(apiKey)
  if (integrator) return integrator
  const keys = [...world.integratorsByKey.keys()]
  throw new DomainError('unknown-key', 'This API key is unknown.', {
    hint: `${keys.length === 1 ? 'The key' : 'Keys'} of this world: ${listFirst(keys, KEYS_SHOWN_MAX)}.`,
  })
}

/** Keys that a hint names. */
const KEYS_SHOWN_MAX = 5

/** Creates or replaces the destination; `signingSecret` only when this makes the first one. */
export function putWebhookConfiguration(world: World, integrator: Integrator, url: string) {
  const createdAt = integrator.webhook?.createdAt ?? world.now
  const first = integrator.signingSecret === null
  const updatedAt = world.now
  integrator.webhook = { url, createdAt, updatedAt }
  const signingSecret = first ? makeSigningSecret(world, integrator) : null
  world.touch('integrators', integrator)
  return { url, createdAt, updatedAt, signingSecret }
}

/** Returns null if there is none and the settings do not make that an error. */
export function getWebhookConfiguration(
  world: World,
  { webhook }: Integrator,
  detail: DomainErrorDetail = SET_ONE,
): WebhookConfiguration | null {
  if (!webhook) {
    world.assertAccepted(new DomainError('no-webhook-configuration', NO_CONFIGURATION, detail))
  }
  return webhook
}

const NO_CONFIGURATION = 'No webhook configuration exists.'
const SET_ONE = { remedy: 'set-webhook-url' } as const

export function assertTestable({ webhook }: Integrator): void {
  if (!webhook) throw new DomainError('no-webhook-to-test', NO_CONFIGURATION, SET_ONE)
}

export interface WebhooksRequest {
  /** URL of v2; null for none. */
  url?: string | null | undefined
  legacy?: LegacyWebhooks | null | undefined
}

/** Sets the URLs of both versions, and makes a secret if there is none. */
export function setWebhooks(world: World, integrator: Integrator, request: WebhooksRequest): void {
  const { url, legacy } = request
  if (url) putWebhookConfiguration(world, integrator, url)
  if (url === null) integrator.webhook = null
  if (legacy !== undefined) integrator.legacyWebhooks = legacy
  if (legacy && integrator.signingSecret === null) makeSigningSecret(world, integrator)
  world.touch('integrators', integrator)
}

/** The secret stays: it belongs to the integrator. */
export function deleteWebhookConfiguration(world: World, integrator: Integrator): void {
  getWebhookConfiguration(world, integrator, {})
  integrator.webhook = null
  world.touch('integrators', integrator)
}

export function rotateSigningSecret(world: World, integrator: Integrator): string {
  if (integrator.signingSecret === null) {
    const message = 'There is no signing secret to rotate; setting a webhook URL creates one.'
    throw new DomainError('no-signing-secret', message, SET_ONE)
  }
  return makeSigningSecret(world, integrator)
}

/** Generates the first secret or rotates it. */
export function makeSigningSecret(world: World, integrator: Integrator): string {
  const { name, signingSecret, previousSecret } = integrator
  const ordinal = integrator.secretCount + 1
  const random = randomFor(world.signingSeed, 'signing-secret', name, String(ordinal))
  const secret = `whsec_${hex(random, 48)}`
  integrator.secretCount = ordinal
  // A fixture may have given the integrator one that is yet to be drawn.
  if ([signingSecret, previousSecret].includes(secret)) return makeSigningSecret(world, integrator)
  integrator.previousSecret = signingSecret
  integrator.signingSecret = secret
  world.touch('integrators', integrator)
  return secret
}

export function patchLegacyWebhooks(
  world: World,
  integrator: Integrator,
  request: { [Field in keyof LegacyWebhooks]?: LegacyWebhooks[Field] | undefined },
): LegacyWebhooks {
  const patched = { ...(integrator.legacyWebhooks ?? allLegacyWebhooks()) }
  for (const hook of LEGACY_HOOKS) {
    const { [`${hook}Enabled` as const]: enabled, [`${hook}Url` as const]: url } = request
    if (enabled !== undefined) patched[`${hook}Enabled`] = enabled
    if (url !== undefined) patched[`${hook}Url`] = url
  }
  assertUrls(world, patched)
  integrator.legacyWebhooks = patched
  world.touch('integrators', integrator)
  return patched
}

function assertUrls(world: World, webhooks: LegacyWebhooks): void {
  const problems = LEGACY_HOOKS.filter(
    (hook) => webhooks[`${hook}Enabled`] && findLegacyUrl(webhooks, hook) === undefined,
  ).map((hook) => ({
    field: `${hook}Url`,
    message: `${hook}Url is required: ${hook}Enabled is true, and there is no URL to send it to.`,
  }))
  if (problems.length > 0)
    world.assertAccepted(DomainError.ofMany(problems, { code: 'webhook-without-url' }))
}

/** Destination of a webhook: its own URL, or the only one that is configured. */
export function findLegacyUrl(webhooks: LegacyWebhooks, hook: LegacyHook): string | undefined {
  const own = webhooks[`${hook}Url`]
  if (own !== '') return own
  const urls = new Set(LEGACY_HOOKS.map((each) => webhooks[`${each}Url`]).filter(Boolean))
  return urls.size === 1 ? [...urls][0] : undefined
}
