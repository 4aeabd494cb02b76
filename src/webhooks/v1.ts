import { findLegacyUrl } from '../world/integrators.ts'
import type {
  LegacyHook,
  LegacyWebhooks,
  TransactionPayload,
  UserPayload,
  WorldEvent,
} from '../world/state.ts'
import { isShutDown } from '../world/sunset.ts'
import type { World } from '../world/world.ts'
import { writeBody } from './body.ts'
import type { DeliveryTarget, WebhookDialect } from './dialect.ts'

/** The legacy webhooks: bare payloads, each type with a flag and a URL of its own. */
export const v1: WebhookDialect = {
  name: 'v1',
  targetsOf(world, { legacyWebhooks, signingSecret }, event) {
    // Integrators that never configured legacy webhooks get no suppressed deliveries.
    if (legacyWebhooks === null) return NO_TARGETS
    const isSigned = signingSecret !== null
    return hooksFor(event).map((hook) => toTarget(world, legacyWebhooks, { hook, isSigned }))
  },
  render: renderPayload,
}

const NO_TARGETS: readonly DeliveryTarget[] = []

/** Lists the webhooks that an event causes (contract, Events: Legacy v1 webhooks). */
function hooksFor({ type, status, created }: WorldEvent): LegacyHook[] {
  if (type === 'user.update') return status === 'verified' ? ['verifiedEmail'] : []
  if (created) return ['transactionInitiated']
  return status === 'complete'
    ? ['transactionComplete', 'transactionStatusUpdate']
    : ['transactionStatusUpdate']
}

function toTarget(
  world: World,
  webhooks: LegacyWebhooks,
  { hook, isSigned }: { hook: LegacyHook; isSigned: boolean },
): DeliveryTarget {
  const toSuppressed = (reason: string): DeliveryTarget => ({ hook, url: null, reason })
  if (!webhooks[`${hook}Enabled`])
    return toSuppressed(`${hook}Enabled was false when this happened.`)
  const url = findLegacyUrl(webhooks, hook)
  if (url === undefined) return toSuppressed(`${hook}Url was empty when this happened.`)
  if (isShutDown(world)) return toSuppressed('v1 was shut down (the setting v1.sunset).')
  if (isSigned) return { hook, url, reason: null }
  const assumption = 'webhooks.withoutSecret'
  if (world.settings[assumption] === 'unsigned') return { hook, url, reason: null, assumption }
  return { hook, url: null, reason: NO_SECRET, assumption }
}

const NO_SECRET =
  'There was no signing secret when this happened, and webhooks.withoutSecret is suppressed.'

/** The exact body, which has no envelope. */
function renderPayload(world: World, { payload }: WorldEvent): string {
  return writeBody(world, 'userId' in payload ? toUser(payload) : toTransaction(world, payload))
}

const toUser = ({ email, status }: UserPayload) => ({ email, status })

function toTransaction(world: World, payload: TransactionPayload) {
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
    [world.settings['names.securityAnswerField']]: payload.etransferSecurityAnswer,
    externalSessionId: payload.externalSessionId,
  }
}
