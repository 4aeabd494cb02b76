import type { CallOptions, Reading } from './provider.ts'

/** What steps share: the way to the provider, and what earlier steps found out. */
export interface Context {
  /** An existing, verified user of the provider. */
  readonly user: string | undefined
  readonly known: Known
  /** This machine's clock. */
  now(): number
  send(route: string, options?: CallOptions): Promise<Reading>
  /** An address that nobody has registered, from the pattern that was given. */
  newEmail(tag: string): string
  /** Sends a login code and reads the one that arrives. */
  receiveCode(email: string, send: () => Promise<Reading>): Promise<{ sent: Reading; code: string }>
  /** What a run puts back at its end, however it ends; the last one first. */
  putBack(title: string, undo: () => Promise<void>): void
  readonly receiver: EventReceiver | undefined
}

/** Where the provider's webhooks arrive. */
export interface EventReceiver {
  /** The address by which the provider reaches it. */
  readonly url: string
  /** The first one that matches; undefined when none comes in time. */
  next(matches: (event: ArrivedEvent) => boolean): Promise<ArrivedEvent | undefined>
}

export interface ArrivedEvent {
  headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: what a provider sends may have any shape
  body: any
}

export interface Known {
  userId?: string
  accessibleBy?: readonly string[]
  token?: string
  created?: { id: string; email: string }
  transactionId?: string
  ordered?: Ordered
  isCancelled?: true
  /** Whether the webhook configuration will be put back. */
  isConfigurationKept?: true
}

/** An order, as unusual as the provider lets it be. */
export interface Ordered {
  withoutSession: boolean
  withBadWallet: boolean
  withOtherAmount: boolean
  /** The one transaction. */
  created: Reading | undefined
  quoteId: number
  label: string
  amount: number
  /** The largest amount that was rejected. */
  rejected: number | undefined
  /** The last answer that was no success. */
  error: Reading | undefined
}
