import type {
  EventRecord,
  TransactionRecord,
  TransactionStatus,
  TransactionUpdate,
  UserUpdate,
} from '../http/control/wire.ts'
import type { SettingValues } from '../world/settings/index.ts'
import type { UserStatus } from '../world/state.ts'

export type UserEvent = EventRecord & {
  type: 'user.update'
  payload: UserUpdate & { status: UserStatus }
}

export type TransactionEvent = EventRecord & {
  type: 'transaction.update'
  payload: TransactionUpdate & { status: TransactionStatus }
}

/** A fact in the world, whether or not a webhook was sent about it. */
export type SandboxEvent = UserEvent | TransactionEvent

/** Settings to change; null is the default. */
export type SettingChanges = { [Id in keyof SettingValues]?: SettingValues[Id] | null | undefined }

/** A status that a user or a transaction had, and since when. */
export type StatusRecord<Status> = Omit<TransactionRecord['history'][number], 'status'> & {
  status: Status
}
