/**
 * Everything that the control API takes and answers, as types. Each is inferred from the schema of
 * the same name. `npm run build:types` writes the same types without zod, for the package.
 */
export type { ActionRecord } from './actions.ts'
export type { CatchAnswer, CaughtPage, CaughtRequest } from './catch.ts'
export type {
  ChainBalances,
  ChainNetwork,
  ChainSent,
  ChainStatus,
} from './chain.ts'
export type { Advanced, ClockState, DueTask } from './clock.ts'
export type { Happened, KycChanged, TransactionMoved } from './effects.ts'
export type { EventPage, EventRecord, TransactionUpdate, UserUpdate } from './events.ts'
export type { CreateApiFault, CreateWebhookFault } from './fault-shapes.ts'
export type { FaultRecord } from './faults.ts'
export type { MessagePage, MessageRecord } from './inbox.ts'
export type { Wire } from './index.ts'
export type { WorldInfo } from './info.ts'
export type { CoinRates } from './rates.ts'
export type { RequestRecord } from './requests.ts'
export type { SettingChanges } from './settings.ts'
export type { TransactionStatus, WorldState } from './shapes.ts'
export type { TransactionCreated } from './simulate-user-transactions.ts'
export type { SnapshotRecord } from './snapshots.ts'
export type { TransactionRecord } from './transactions.ts'
export type { UserAdded, UserRecord } from './users.ts'
export type { WebhookSettings, WebhookSettingsList } from './webhook-settings.ts'
export type {
  DeliveryRecord,
  SignatureExplanation,
} from './webhooks.ts'
export type { CreatedWorld } from './worlds.ts'
