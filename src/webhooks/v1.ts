import type { LegacyHook } from '../world/legacy-webhooks.ts'
import type { Integrator, TransactionPayload, UserPayload, WorldEvent } from '../world/state.ts'
import { areLegacyHooksOver } from '../world/sunset.ts'
import type { World } from '../world/world.ts'
import type { DeliveryTarget, Generation } from './generation.ts'

/** The legacy webhooks: bare payloads, each type with a flag and a URL of its own. */
export const v1: Generation = {
  name: 'v1',
  targetsOf: (world, integrator, event) =>
    // An integrator that never configured them needs no rows that say so.
    integrator.legacyWebhooks === null
      ? NO_TARGETS
      : hooksFor(world, event).map((hook) => toTarget(world, integrator, hook)),
  render: renderPayload,
}

const NO_TARGETS: readonly DeliveryTarget[] = []

/** Which webhooks an event causes (contract, Events: Legacy v1 webhooks). */
function hooksFor(world: World, { type, status, created }: WorldEvent): LegacyHook[] {
  if (type === 'user.update') return status === 'verified' ? ['verifiedEmail'] : []
  if (created) {
    const isUpdate = world.settings['v1.statusUpdateOnCreate'] === 'yes'
    return isUpdate ? ['transactionInitiated', 'transactionStatusUpdate'] : ['transactionInitiated']
  }
  return status === 'complete'
    ? ['transactionComplete', 'transactionStatusUpdate']
    : ['transactionStatusUpdate']
}

function toTarget(world: World, { legacyWebhooks }: Integrator, hook: LegacyHook): DeliveryTarget {
  const { enabled = false, url = '' } = legacyWebhooks?.[hook] ?? {}
  const reason = findReason(world, hook, { enabled, url })
  return { hook, url: reason === null ? url : null, reason }
}

/** Why a webhook is not sent; null if it is. */
function findReason(world: World, hook: LegacyHook, { enabled, url }: Hook): string | null {
  if (!enabled) return `${hook}Enabled was false when this happened.`
  if (url === '') return `${hook}Url was empty when this happened.`
  if (areLegacyHooksOver(world)) return 'v1 was shut down, and v1.hooksAfterSunset is stop.'
  return null
}

interface Hook {
  enabled: boolean
  url: string
}

/** The exact body, which has no envelope. */
function renderPayload(world: World, { payload }: WorldEvent): string {
  return JSON.stringify('userId' in payload ? toUser(payload) : toTransaction(world, payload))
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
