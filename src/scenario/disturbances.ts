/** A mishap of one delivery, by its place in the undisturbed story; `order` is of all of them. */
export type Disturbance =
  /** The places in the order in which they come. */
  | { kind: 'order'; order: readonly number[] }
  | { kind: 'doubled'; at: number; when: 'at once' | 'at the end' }
  | { kind: 'lost'; at: number }
  /** Before the response of the call that causes it. */
  | { kind: 'early'; at: number }
  /** Only after the next step of the clock. */
  | { kind: 'late'; at: number }
  /** A copy that must change nothing comes first. */
  | { kind: 'forged'; at: number; how: Forgery }
  | { kind: 'killed'; at: number; when: 'before its response' | 'after its response' }

export type Forgery = 'signature' | 'timestamp' | 'body'

/** Whether a receiver can only find out by asking. */
export const isLoss = (disturbance: Disturbance): boolean =>
  disturbance.kind === 'lost' ||
  (disturbance.kind === 'killed' && disturbance.when === 'before its response')

/** A scenario of a disturbed story: what is done to it, and how its receiver is asked. */
export interface Disturbed {
  disturbances: readonly Disturbance[]
  /** Where the receiver takes webhooks; `play --webhook-url` wins. */
  webhookUrl: string
  /** Commands, or URLs: `reset` and `reconcile` are posted, `state` is read. */
  reset?: string | undefined
  state: string
  reconcile?: string | undefined
  /** Starts the receiver. */
  run?: string | undefined
  /** The port at which the receiver finds the API. */
  port?: number | undefined
  /** What the receiver must end with. */
  expected: unknown
  ignore?: readonly string[] | undefined
  killAfterMs?: number | undefined
}
