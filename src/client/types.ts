import type { SettingId } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import type { ShareTokenKind } from '../world/share-token.ts'
import type { Coin, KnownTransactionStatus, UserStatus } from '../world/state.ts'

export type { ShareTokenKind, UserStatus }

/** A status that the sandbox knows, or any other that a test forced. */
export type TransactionStatus = KnownTransactionStatus | (string & {})
export type EventType = 'user.update' | 'transaction.update'

interface EventOf<Type extends EventType, Payload> {
  id: string
  /** Position among the events of the world; opaque. */
  cursor: string
  /** World time, ISO 8601. */
  at: string
  type: Type
  /** Id of the transaction or user it is about. */
  ref: string
  /** As in the payload. */
  status: string
  /** Name of the integrator it was told to. */
  integrator: string
  payload: Payload
}

export type UserEvent = EventOf<
  'user.update',
  { userId: string; email: string; status: UserStatus }
>

export type TransactionEvent = EventOf<
  'transaction.update',
  {
    transactionId: string
    status: TransactionStatus
    email: string
    wallet: string
    paymentId: string | null
    leftSideLabel: string
    leftSideValue: number
    rightSideLabel: string
    rightSideValue: number
    etransferSecurityAnswer: string | null
    externalSessionId: string | null
  }
>

/** A fact in the world, whether or not a webhook told of it. */
export type SandboxEvent = UserEvent | TransactionEvent

/** One POST of one event to one URL, or the record of why there was none. */
export interface Delivery {
  id: string
  eventId: string
  type: EventType
  ref: string
  generation: 'v2' | 'v1'
  /** Which of the legacy webhooks it is; null for v2. */
  hook: string | null
  integrator: string
  url: string | null
  outcome:
    | 'pending'
    | 'delivered'
    | 'rejected'
    | 'refused'
    | 'timeout'
    | 'tls'
    | 'blocked'
    | 'suppressed'
    | 'overflow'
  /** Why it was not sent, or was sent otherwise than it should be. */
  reason: string | null
  /** Exactly what was sent. */
  request: { headers: Record<string, string>; body: string }
  response: {
    status: number
    statusText: string
    headers: Record<string, string | string[]>
    body: string
  } | null
  error: string | null
  /** World time, ISO 8601. */
  occurredAt: string
  /** Wall time, ISO 8601. */
  sentAt: string | null
  durationMs: number | null
}

export type MessageKind =
  | 'login-code'
  | 'kyc-result'
  | 'money-request'
  | 'deposit-instructions'
  | 'bank-refusal'
  | 'payout'
  | 'transaction-closed'

/** What the service, or the bank, wrote to a user. */
export interface Message {
  id: string
  /** The user's e-mail address. */
  to: string
  kind: MessageKind
  subject: string
  text: string
  /** Of a login code: its four digits. */
  code?: string | null
  /** Of a money request: the page of the user's bank, where it is approved or refused. */
  url?: string
  /** Id of the transaction it is about, if any. */
  ref?: string | null
  /** World time, ISO 8601. */
  sentAt: string
}

/** What followed from a change: at most 1,000 rows of each kind, and how many there were. */
export interface Happened {
  events: SandboxEvent[]
  eventCount: number
  deliveries: Delivery[]
  deliveryCount: number
  /** Deliveries that had not ended when the wait for them did. */
  pending: number
}

/** Work that is due at a future instant, or was done at a past one. */
export interface DueTask {
  /** World time, ISO 8601. */
  at: string
  kind: string
  /** Id of the transaction or user it is about. */
  ref: string
}

export interface ClockState {
  /** World time, ISO 8601. */
  now: string
  mode: 'frozen' | 'running'
  /** Wall time, ISO 8601. */
  wallNow: string
  /** What falls due, soonest first; at most 1,000. */
  tasks: DueTask[]
  taskCount: number
}

export interface Advanced extends Happened {
  from: string
  to: string
  /** What fell due on the way; at most 1,000. */
  fired: DueTask[]
  firedCount: number
}

export interface TransactionMoved extends Happened {
  transactionId: string
  from: TransactionStatus
  to: TransactionStatus
}

export interface KycChanged extends Partial<Happened> {
  userId: string
  from: UserStatus
  to: UserStatus
  /** When a delayed decision falls due; world time, ISO 8601. */
  due?: string
}

/** What a world is. Times are ISO 8601, in world time. */
export interface WorldInfo {
  version: string
  world: string
  baseUrl: string
  controlUrl: string
  dashboardUrl: string
  seed: string
  fixture: string
  now: string
  mode: 'frozen' | 'running'
  taskCount: number
  integrators: {
    name: string
    apiKey: string
    actsWithoutToken: boolean
    webhookUrl: string | null
  }[]
  /** Names that the contract leaves open. */
  names: {
    timestampHeader: string
    signatureHeader: string
    securityAnswerField: string
    envelopeId: string
  }
  /** On which side of its sunset v1 stands. */
  v1: { deprecatedAt: string; sunsetAt: string; side: string; answers: boolean; sentence: string }
}

/** CAD per coin. */
export type Rates = Record<Coin, { cad: number }>
/** Settings by name, as `GET /_sandbox/settings` lists them. */
export type Settings = Record<SettingId, SettingValue>
/** Settings to change; null is the default. */
export type SettingChanges = { [Id in SettingId]?: SettingValue | null | undefined }
