export type { CatchAnswer, Catcher, CaughtRequest } from './client/catcher.ts'
export type { ResetOptions, Sandbox } from './client/client.ts'
export type { Clock, Duration, Target } from './client/clock.ts'
export { type ConnectOptions, connectSandbox } from './client/connect.ts'
export { type FieldProblem, SandboxError } from './client/error.ts'
export type { EventFilter, Events } from './client/events.ts'
export type { ApiFault, Fault, Faults, OrderedFault, WebhookFault } from './client/faults.ts'
export type { Inbox, MessageFilter } from './client/inbox.ts'
export type { WaitOptions } from './client/journal-reader.ts'
export {
  createReceiver,
  type Received,
  type Receiver,
  type ReceiverOptions,
  type Reply,
  type Responder,
} from './client/receiver.ts'
export type { StatusChange, TransactionRecord, UserRecord } from './client/record-types.ts'
export type { RecordFilter, Records, RequestFilter, RequestRecord } from './client/records.ts'
export type {
  AccountChange,
  DeliverOptions,
  KycOptions,
  SettledOptions,
  Simulate,
} from './client/simulate.ts'
export type { Snapshot, Snapshots } from './client/snapshots.ts'
export type * from './client/types.ts'
export type {
  DeliveryFilter,
  ReceivedWebhook,
  ResendOptions,
  SignatureExplanation,
  Webhooks,
} from './client/webhooks.ts'
export type { FixtureDocument } from './fixture/format.ts'
export { createSandbox, type SandboxOptions } from './host/create-sandbox.ts'
export type { Scenario, Stage } from './scenario/types.ts'
export { type Verification, type VerifyRequest, verifySignature } from './webhooks/sign.ts'
