/** A mishap of the delivery at this place of the story; `order` and `renamed` concern all deliveries. */
export type Disturbance =
  /** Places of the deliveries, in the order in which they arrive. */
  | { kind: 'order'; order: readonly number[] }
  | { kind: 'doubled'; at: number; when: 'at once' | 'at the end' }
  | { kind: 'lost'; at: number }
  /** Arrives before the response of the call that causes it. */
  | { kind: 'early'; at: number }
  /** Arrives only after the next step of the clock. */
  | { kind: 'late'; at: number }
  /** A copy that must change nothing comes first. */
  | { kind: 'forged'; at: number; how: Forgery }
  | { kind: 'killed'; at: number; when: 'before its response'; moment?: KillMoment | undefined }
  | { kind: 'killed'; at: number; when: 'after its response' }
  /** The same event serialised differently, with a signature to match. */
  | { kind: 'reworded'; at: number; how: Rewording }
  /** Every event has `eventId` in place of `id`. */
  | { kind: 'renamed' }
  /** Another event, which no document mentions, comes before it. */
  | { kind: 'unknown'; at: number; what: 'type' | 'status' }
  /** It comes at the same time as the next one, whose connection is the first unless this one's is. */
  | { kind: 'together'; at: number; first?: 'earlier' | undefined }
  /** A call of the integrator's own code, by its place among them, or the nth with that method and path. */
  | { kind: 'call'; at: number; how: CallMishap; call?: string; nth?: number }

/** The moment of a kill: when the receiver's state changes, half-way to its response, or at once. */
export type KillMoment = 'first change' | 'half-way' | 'receipt'

export type Forgery = 'signature' | 'timestamp' | 'body'

export type Rewording = 'wording' | 'field'

export const CALL_MISHAPS = [
  'response lost',
  'slow',
  '503 once',
  '503 for good',
  '429',
  'token expired',
  'quote expired',
  'clock jumped',
  'unknown status',
  'additional field',
] as const

export type CallMishap = (typeof CALL_MISHAPS)[number]

/** Kinds that the contract allows but that none of its examples show. */
export const SMALL_PRINT: readonly Disturbance['kind'][] = [
  'reworded',
  'renamed',
  'unknown',
  'together',
]

export const isSmallPrint = ({ kind }: Disturbance): boolean => SMALL_PRINT.includes(kind)

/** Recognises a loss that a receiver can only discover by asking. */
export const isLoss = (disturbance: Disturbance): boolean =>
  disturbance.kind === 'lost' ||
  disturbance.kind === 'call' ||
  (disturbance.kind === 'killed' && disturbance.when === 'before its response')

/** Recognises a disturbance that must not change the state after any step. */
export const keepsSteps = (disturbance: Disturbance): boolean =>
  !isLoss(disturbance) && !['order', 'late', 'together'].includes(disturbance.kind)

/** Reason why a disturbance did not happen, so that its run proves nothing. */
export type Missed = { why: 'never came'; at: number } | { why: 'depends' | 'not called' | 'clock' }

/** Says why a disturbance did not happen, where `nameOf` names a webhook by its place. */
export function describeMissed(missed: Missed, nameOf: (at: number) => string): string {
  if (missed.why === 'never came') return `${nameOf(missed.at)} never came`
  if (missed.why === 'depends') return 'one webhook comes only because of another'
  if (missed.why === 'clock') return 'the story was moving the clock itself'
  return 'that call was never made'
}
