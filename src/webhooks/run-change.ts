import { writeBody } from './body.ts'
import type { WebhookDialect } from './dialect.ts'
import type { AppliedFault, WebhookEffect } from './webhook-fault.ts'

/** Change that a run of variations makes to every webhook. */
export const DELIVERY_CHANGES = ['twice', 'again', 'field', 'type', 'chunked'] as const
export type DeliveryChange = (typeof DELIVERY_CHANGES)[number]

export const RESOURCES = ['transaction', 'quote', 'limits', 'user', 'configuration'] as const
export type Resource = (typeof RESOURCES)[number]

export interface LeftOut {
  readonly resource: Resource
  readonly field: string
}

const EFFECTS: Readonly<Partial<Record<DeliveryChange, WebhookEffect>>> = {
  twice: { duplicate: true },
  field: { mutate: 'field' },
  chunked: { mutate: 'chunked' },
}

/** Joins a change of the run with the fault of a delivery, which wins where both say something. */
export function withChange(
  fault: AppliedFault | null,
  change: DeliveryChange | undefined,
): AppliedFault | null {
  const effect = change && EFFECTS[change]
  if (effect === undefined) return fault
  return { id: fault?.id ?? CHANGED, effect: { ...effect, ...fault?.effect } }
}

/** Stands for the id of a fault where the run changes a webhook. */
const CHANGED = 'of this run'
/** An event of an unknown type, which comes beside each one of v2. */
export const UNKNOWN_TYPE: AppliedFault = { id: CHANGED, effect: { mutate: 'unknown-type' } }

/** Part of the run that the outbox needs. */
export interface WebhookChange {
  change?: { readonly deliveries?: DeliveryChange; readonly leftOut?: LeftOut } | undefined
  /** Called when it has changed a webhook. */
  onChanged?: () => void
}

/** Writes the bodies of webhooks without the field that the run leaves out. */
export function renderWith(
  { change, onChanged }: WebhookChange,
  { name, render }: WebhookDialect,
): WebhookDialect['render'] {
  const { leftOut } = change ?? {}
  if (leftOut === undefined) return render
  const { resource, field } = leftOut
  return (settings, event) => {
    const body = render(settings, event)
    if (!event.type.startsWith(`${resource}.`)) return body
    const written = JSON.parse(body)
    const holder = name === 'v1' ? written : written.payload
    if (!(field in holder)) return body
    delete holder[field]
    onChanged?.()
    return writeBody(settings, written)
  }
}
