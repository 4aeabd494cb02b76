import type { TransactionUpdate } from '../world/event-types.ts'
import { findLegacyUrl } from '../world/integrators.ts'
import type { Settings } from '../world/settings/index.ts'
import type { Integrator, LegacyHook, WorldEvent } from '../world/state.ts'
import { isShutDown } from '../world/sunset.ts'
import type { World } from '../world/world.ts'
import { writeBody } from './body.ts'
import type { About, Target, WebhookDialect } from './dialect.ts'

/** The legacy webhooks: bare payloads, each type with a flag and a URL of its own. */
export const v1: WebhookDialect = {
  name: 'v1',
  // Integrators that never configured legacy webhooks get no suppressed deliveries.
  hooksOf: ({ legacyWebhooks }, event) => (legacyWebhooks === null ? [] : hooksFor(event)),
  targetOf: findTarget,
  render: renderPayload,
}

/** Lists the webhooks that an event causes (contract, Events: Legacy v1 webhooks). */
function hooksFor({ type, status, created }: WorldEvent): LegacyHook[] {
  switch (type) {
    case 'user.update':
      return status === 'verified' ? ['verifiedEmail'] : []
    case 'transaction.update':
      if (created) return ['transactionInitiated']
      return status === 'complete'
        ? ['transactionComplete', 'transactionStatusUpdate']
        : ['transactionStatusUpdate']
  }
}

function findTarget(world: World, integrator: Integrator, { hook, event }: About): Target {
  const { legacyWebhooks: webhooks, signingSecret } = integrator
  if (webhooks === null || hook === null) {
    return { url: null, missing: 'No legacy webhooks were configured.' }
  }
  if (!webhooks[`${hook}Enabled`]) return { url: null, missing: `${hook}Enabled was false.` }
  const url = findLegacyUrl(webhooks, hook)
  if (url === undefined) return { url: null, missing: `${hook}Url was empty.` }
  if (isShutDown(world, event.at)) return { url: null, missing: SHUT_DOWN }
  if (signingSecret !== null) return { url }
  const assumption = 'webhooks.withoutSecret'
  if (world.settings[assumption] === 'unsigned') return { url, assumption }
  return { url: null, missing: NO_SECRET, assumption }
}

const SHUT_DOWN = 'v1 was shut down by the setting v1.sunset.'
const NO_SECRET = 'webhooks.withoutSecret is suppressed, and there was no signing secret.'

/** The exact body, which has no envelope. */
function renderPayload(settings: Settings, event: WorldEvent): string {
  return writeBody(settings, toPayload(settings, event))
}

function toPayload(settings: Settings, { type, payload }: WorldEvent): object {
  switch (type) {
    case 'user.update':
      return { email: payload.email, status: payload.status }
    case 'transaction.update':
      return toTransaction(settings, payload)
    default:
      throw new Error(`v1 has no webhook for ${type}`)
  }
}

function toTransaction(settings: Settings, payload: TransactionUpdate) {
  return {
    email: payload.email,
    txId: payload.transactionId,
    status: payload.status,
    wallet: payload.wallet,
    paymentId: payload.paymentId,
    leftSideLabel: payload.leftSideLabel,
    leftSideValue: payload.leftSideValue,
    rightSideLabel: payload.rightSideLabel,
    rightSideValue: payload.rightSideValue,
    [settings['names.securityAnswerField']]: payload.etransferSecurityAnswer,
    externalSessionId: payload.externalSessionId,
  }
}
