export type { Api, ApiResponse, LoggedIn } from './client/api.ts'
export type { Clock, ResetOptions, Sandbox, Target } from './client/client.ts'
export type { ConnectOptions } from './client/connect.ts'
export type { ControlApi } from './client/control-api.ts'
export { type FieldProblem, SandboxError } from './client/error.ts'
export type {
  EventFilter,
  Events,
  EventType,
  SandboxEvent,
  StatusRecord as StatusChange,
  TransactionEvent,
  UserEvent,
} from './client/events.ts'
export type { Inbox, MessageFilter, MessageKind } from './client/inbox.ts'
export type { WaitOptions } from './client/journal-reader.ts'
export {
  createReceiver,
  type Received,
  type Receiver,
  type ReceiverOptions,
  type Reply,
  type Responder,
} from './client/receiver.ts'
export type { Catcher, ReceivedWebhook, Webhooks } from './client/webhooks.ts'
export type {
  Advanced,
  CatchResponse,
  CaughtRequest,
  ClockState,
  CoinRates as Rates,
  CreateApiFault as ApiFault,
  CreateWebhookFault as WebhookFault,
  DeliveryRecord as Delivery,
  DueTask,
  FaultRecord as Fault,
  Happened,
  KycChanged,
  MessageRecord as Message,
  RequestRecord,
  SettingChanges,
  SignatureExplanation,
  SnapshotRecord as Snapshot,
  TransactionCreated,
  TransactionMoved,
  TransactionRecord,
  TransactionStatus,
  UserRecord,
  WorldInfo,
} from './control-api/wire.ts'
export type { FixtureDocument } from './fixture/format.ts'
export { createSandbox } from './host/create-sandbox.ts'
export { connectSandbox, type ExplorableSandbox } from './host/explorable.ts'
export type { SandboxOptions } from './host/start-options.ts'
export type { Scenario, Stage } from './scenario/types.ts'
export type { ExploredStory, ExploreOptions } from './variations/options.ts'
export type { Finding, Report } from './variations/report.ts'
export { type Verification, type VerifyRequest, verifySignature } from './webhooks/sign.ts'
export type { Duration } from './world/duration.ts'
export type { SettingId, SettingValues as Settings } from './world/settings/index.ts'
export type { ContractOperationId } from './world/settings/operations.ts'
export type { ShareTokenKind, UserStatus } from './world/words.ts'
