import type {
  EventRecord,
  TransactionRecord,
  TransactionStatus,
  TransactionUpdate,
  UserUpdate,
} from '../http/control/wire.ts'
import type { Duration } from '../world/duration.ts'
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

/** A status that a user or a transaction had, and since when. */
export type StatusRecord<Status> = Omit<TransactionRecord['history'][number], 'status'> & {
  status: Status
}

/** A starting world that comes with the package, or the path of a file. */
export type FixtureName = 'default' | 'verified-user' | 'cast' | (string & {})

/** How time goes: `running`, `frozen`, an instant (frozen there) or `running@<instant>`. */
export type ClockText = 'running' | 'frozen' | (string & {})

/** What was given, where it is a length of time or no text; else a type whose name says what one is. */
export type DurationLike<Given> = Given extends string
  ? Given extends Duration
    ? Given
    : 'a length of time such as 500ms, 90s, 10m, 1h, 2d or PT1H'
  : Given
