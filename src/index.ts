export { createSandbox, type SandboxOptions } from './create-sandbox.ts'
export type { FixtureDocument } from './fixture/format.ts'
export type { CatchAnswer, Catcher, CaughtRequest } from './library/catcher.ts'
export type { ResetOptions, Sandbox } from './library/client.ts'
export type { Clock, Duration, Target } from './library/clock.ts'
export { type ConnectOptions, connectSandbox } from './library/connect.ts'
export { type FieldProblem, SandboxError } from './library/error.ts'
export type { EventFilter, Events } from './library/events.ts'
export type { ApiFault, Fault, Faults, OrderedFault, WebhookFault } from './library/faults.ts'
export type { Inbox, MessageFilter } from './library/inbox.ts'
export type { WaitOptions } from './library/journal-reader.ts'
export type { StatusChange, TransactionRecord, UserRecord } from './library/record-types.ts'
export type { RecordFilter, Records, RequestFilter, RequestRecord } from './library/records.ts'
export type {
  AccountChange,
  DeliverOptions,
  KycOptions,
  SettledOptions,
  Simulate,
} from './library/simulate.ts'
export type { Snapshot, Snapshots } from './library/snapshots.ts'
export type * from './library/types.ts'
export type {
  DeliveryFilter,
  ReceivedWebhook,
  ResendOptions,
  SignatureExplanation,
  Webhooks,
} from './library/webhooks.ts'
export {
  createReceiver,
  type Received,
  type Receiver,
  type ReceiverOptions,
  type Reply,
  type Responder,
} from './receiver.ts'
export type { Scenario, Stage } from './scenario/types.ts'
export { type Verification, type VerifyRequest, verifySignature } from './webhooks/sign.ts'
