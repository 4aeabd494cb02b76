import type { Mutation } from '../webhooks/mutation.ts'
import type { Variation } from './loop.ts'

/** One thing that the receiver meets; `at` is the place of a webhook in the baseline. */
export type Action =
  | { do: 'send'; at: number; as?: Mutation | undefined; mustChangeNothing?: boolean }
  /** Sends a webhook and the next one at the same time. */
  | { do: 'together'; at: number }
  /** Sends a copy that must change nothing. */
  | { do: 'forge'; at: number; as: Forgery }
  | { do: 'kill'; at: number; moment: 'receipt' | 'change' }
  | { do: 'restart' }

/** Damages of `webhook resend --mutate`, and two that a sandbox with a secret never sends. */
export type Forgery =
  | Extract<Mutation, 'body' | 'signature' | 'timestamp' | 'timestamp-ahead'>
  | 'no signature'
  | 'empty signature'

/** A call of the integrator's own code that goes differently: the n-th with its method and path. */
export interface CallChange {
  how:
    | 'response lost'
    | 'slow'
    | '503 once'
    | '503 from then on'
    | '429'
    | 'token expired'
    | 'quote expired'
  call: string
  nth: number
}

/** A story with other deliveries, or with one of the integrator's own calls changed. */
export interface ReceiverVariation extends Variation {
  /** What the receiver gets; everything as it comes where there is no list. */
  actions?: readonly Action[]
  /** The receiver may have to ask for what it missed. */
  isLoss?: true
  /** Place of a webhook that is sent before the response to the call that causes it. */
  early?: number
  /** Somebody else orders after the story. */
  hasOthers?: true
  /** The receiver reconciles though nothing was lost. */
  reconciles?: true
  /** Webhooks are written as most programs write JSON. */
  isCompact?: true
  call?: CallChange
}
