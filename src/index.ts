export type { Api, ApiAnswer, LoggedIn } from './client/api.ts'
export type { Catcher } from './client/catcher.ts'
export type { Chain } from './client/chain.ts'
export type { ResetOptions, Sandbox } from './client/client.ts'
export type { Clock, Target } from './client/clock.ts'
export { type ConnectOptions, connectSandbox } from './client/connect.ts'
export { type FieldProblem, SandboxError } from './client/error.ts'
export type { EventFilter, Events } from './client/events.ts'
export type {
  AnyFault as Fault,
  CallFault as ApiFault,
  Faults,
  OrderedFault,
} from './client/faults.ts'
export type { Inbox, MessageFilter } from './client/inbox.ts'
export {
  createReceiver,
  type Received,
  type Receiver,
  type ReceiverOptions,
  type Reply,
  type Responder,
} from './client/receiver.ts'
export type { RecordFilter, Records, RequestFilter } from './client/records.ts'
export type {
  AccountChange,
  DeliverOptions,
  FundsReceivedOptions,
  KycOptions,
  SettledOptions,
  Simulate,
} from './client/simulate.ts'
export type { Snapshots } from './client/snapshots.ts'
export type { BuyOptions, SellOptions, Trades } from './client/trades.ts'
export type {
  SandboxEvent,
  SettingChanges,
  StatusRecord as StatusChange,
  TransactionEvent,
  UserEvent,
} from './client/types.ts'
export type { WaitOptions } from './client/wait.ts'
export type { DeliveryFilter, ReceivedWebhook, ResendOptions, Webhooks } from './client/webhooks.ts'
export type { FixtureDocument } from './fixture/format.ts'
export { createSandbox, type SandboxOptions } from './host/create-sandbox.ts'
export type {
  Advanced,
  CatchAnswer,
  CaughtRequest,
  ChainBalances,
  ChainNetwork,
  ChainSent,
  ChainStatus,
  ClockState,
  CoinRates as Rates,
  CreateWebhookFault as WebhookFault,
  DeliveryRecord as Delivery,
  DueTask,
  Happened,
  KycChanged,
  MessageRecord as Message,
  RequestRecord,
  SignatureExplanation,
  SnapshotRecord as Snapshot,
  TransactionCreated,
  TransactionMoved,
  TransactionRecord,
  TransactionStatus,
  UserRecord,
  WorldInfo,
} from './http/control/wire.ts'
export type { ContractOperationId } from './http/openapi/operations/index.ts'
export type { Scenario, Stage } from './scenario/types.ts'
export { type Verification, type VerifyRequest, verifySignature } from './webhooks/sign.ts'
export type { Duration } from './world/duration.ts'
export type { SettingId, SettingValues as Settings } from './world/settings/index.ts'
export type { ShareTokenKind } from './world/share-token.ts'
export type { EventType, MessageKind, UserStatus } from './world/state.ts'
