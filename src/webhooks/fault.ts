import { formatDuration } from '../world/duration.ts'

/** One more than a receiver should tolerate. */
export const STALE_SECONDS = 301

/** What goes wrong with a delivery. */
export interface WebhookEffect {
  /** Never leaves. */
  drop?: true | undefined
  /** Milliseconds of wall time; what is queued behind it for the same destination waits as well. */
  delayMs?: number | undefined
  /** Leaves twice. */
  duplicate?: true | undefined
  /** Leaves after the next one for the same destination. */
  reorder?: true | undefined
  signature?: 'bad' | undefined
  timestamp?: 'stale' | undefined
  envelopeId?: EnvelopeId | undefined
  /** Leaves, and is waited for, before the API call that caused it is answered. */
  beforeResponse?: true | undefined
}

/** The field, or fields, of a v2 envelope that carry the event's id. */
export type EnvelopeId = 'id' | 'eventId' | 'both'

/** The fault that a delivery met. */
export interface MetFault {
  id: string
  effect: WebhookEffect
}

/** What a fault does, for the reason of the delivery that met it. */
export function formatFault({ id, effect }: MetFault): string {
  const told = [
    effect.drop && 'it never left',
    effect.reorder && 'it leaves after the next one for the same destination',
    effect.delayMs !== undefined && `it leaves ${formatDuration(effect.delayMs)} late`,
    effect.duplicate && 'it leaves twice',
    effect.beforeResponse && 'it leaves before the call that caused it is answered',
    effect.envelopeId && `its id is named ${NAMED[effect.envelopeId]}`,
    effect.signature && 'it is signed with another secret',
    effect.timestamp && `its timestamp is ${STALE_SECONDS} seconds old, and signed as such`,
  ].filter((part) => typeof part === 'string')
  return `Met ${id}: ${told.join(', ')}.`
}

const NAMED: Record<EnvelopeId, string> = { id: 'id', eventId: 'eventId', both: 'id and eventId' }

/** The second of two deliveries that one fault asks for: as the first, and right behind it. */
export function toDuplicate({ id, effect }: MetFault): MetFault {
  return { id, effect: { ...effect, delayMs: undefined } }
}
