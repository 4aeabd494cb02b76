import { formatDuration } from '../world/duration.ts'
import { MUTATION_WORDS, type Mutation } from './mutation.ts'

export interface WebhookEffect {
  drop?: true | undefined
  /** Milliseconds of wall time; later ones of the same webhook wait too. */
  delayMs?: number | undefined
  duplicate?: true | undefined
  /** Sends it after the next delivery to the same destination. */
  reorder?: true | undefined
  /** Changes it, as `webhook resend` can. */
  mutate?: Mutation | undefined
  /** Delivers it before the response to the call that caused it. */
  beforeResponse?: true | undefined
}

export interface AppliedFault {
  id: string
  effect: WebhookEffect
}

/** Describes a fault for the `reason` of its delivery. */
export const formatFault = ({ id, effect }: AppliedFault): string =>
  `${id}: ${describeWebhookEffect(effect)}.`

/** Words what a fault does to a webhook, such as `sent 5s late, sent twice`. */
export function describeWebhookEffect(effect: WebhookEffect): string {
  const parts = [
    effect.drop && 'not sent',
    effect.reorder && 'sent after the next one to the same destination',
    effect.delayMs !== undefined && `sent ${formatDuration(effect.delayMs)} late`,
    effect.duplicate && 'sent twice',
    effect.beforeResponse && 'sent before the response to the call that caused it',
    effect.mutate && MUTATION_WORDS[effect.mutate].done,
  ]
  return parts.filter((part) => typeof part === 'string').join(', ')
}

/** The fault of the second delivery of a duplicate, which follows right behind the first. */
export function toDuplicate({ id, effect }: AppliedFault): AppliedFault {
  const { delayMs: _, ...others } = effect
  return { id, effect: others }
}
