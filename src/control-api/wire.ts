/**
 * Everything that the control API takes and returns, as types. Each is inferred from the schema of
 * the same name. `npm pack` writes the same types without zod, for the package.
 */

export type { EventPayloads, TransactionUpdate, UserUpdate } from '../world/event-types.ts'
export type { CatchResponse, CaughtRequest } from './catches.ts'
export type { Advanced, ClockState, DueTask } from './clock.ts'
export type { DeliveryRecord } from './deliveries.ts'
export type {
  EventPage,
  EventRecord,
  Happened,
  MessagePage,
  MessageRecord,
} from './events.ts'
export type { CreateApiFault, CreateWebhookFault, FaultRecord } from './faults.ts'
export type { InputOf, Wire } from './index.ts'
export type { Coverage, WorldInfo } from './info.ts'
export type { TransactionCreated } from './orders.ts'
export type { ActionRecord, RequestRecord, TimelineEntry } from './requests.ts'
export type { CoinRates, SettingChanges } from './settings.ts'
export type { TransactionStatus } from './shapes.ts'
export type { TransactionMoved, TransactionRecord } from './transactions.ts'
export type { KycChanged, UserRecord } from './users.ts'
export type {
  SignatureExplanation,
  WebhookSettings,
  WebhookSettingsList,
} from './webhooks.ts'
export type { SnapshotRecord } from './worlds.ts'
