import type {
  EventPage,
  EventPayloads,
  EventRecord,
  TransactionRecord,
  TransactionStatus,
  TransactionUpdate,
  UserUpdate,
} from '../control-api/wire.ts'
import type { UserStatus } from '../world/words.ts'
import type { ControlClient } from './control.ts'
import { JournalReader, type WaitOptions } from './journal-reader.ts'

export type EventType = EventRecord['type']

type EventOf<Type extends EventType> = EventRecord & {
  type: Type
  payload: EventPayloads[Type] & { status: StatusIn<EventPayloads[Type]> }
}
type StatusIn<Payload> = Payload extends UserUpdate
  ? UserStatus
  : Payload extends TransactionUpdate
    ? TransactionStatus
    : string

/** A fact in the world, whether or not a webhook was sent about it. */
export type SandboxEvent = { [Type in EventType]: EventOf<Type> }[EventType]
export type UserEvent = EventOf<'user.update'>
export type TransactionEvent = EventOf<'transaction.update'>

/** A status that a user or a transaction had, and since when. */
export type StatusRecord<Status> = Omit<TransactionRecord['history'][number], 'status'> & {
  status: Status
}

type Named<Type extends EventType> = Extract<SandboxEvent, { type: Type }>

export interface EventFilter<Type extends EventType = EventType> {
  /** Id of the event, as in its webhook. */
  id?: string | undefined
  type?: Type | undefined
  /** Id of the transaction or user. */
  ref?: string | undefined
  status?: UserStatus | TransactionStatus | undefined
  /** Name of the integrator it is for. */
  integrator?: string | undefined
  /** Text that it contains. */
  q?: string | undefined
  /** Any other condition. */
  where?: ((event: Named<Type>) => boolean) | undefined
}

export interface Events {
  /** Returns all events that match, or the last of them, oldest first, without waiting. */
  list<Type extends EventType = EventType>(
    filter?: EventFilter<Type> & { last?: number | undefined },
    options?: { after?: string | undefined },
  ): Promise<Named<Type>[]>
  /**
   * Returns the oldest matching event that no earlier `next` returned, as soon as there is one. The
   * search begins at the first event of the world, so no event is missed and the order of the calls
   * does not matter. Rejects with code `timeout`, naming what came closest.
   */
  next<Type extends EventType = EventType>(
    filter?: EventFilter<Type>,
    options?: WaitOptions,
  ): Promise<Named<Type>>
  /** Yields every matching event since the beginning of the world, and then each new one. */
  stream<Type extends EventType = EventType>(
    filter?: EventFilter<Type>,
    options?: { after?: string | undefined; signal?: AbortSignal | undefined },
  ): AsyncGenerator<Named<Type>, void, undefined>
  /** Makes `next` and `stream` ignore all events so far, for worlds that others have used. */
  skip(): Promise<void>
}

export function createEvents({ call }: Pick<ControlClient, 'call'>): Events & { restart(): void } {
  const reader = new JournalReader<EventRecord>({
    noun: 'event',
    async read(asked, { signal, ...page }) {
      const query = { ...asked, ...page }
      const response = await call<EventPage>('GET', '/events', { query, signal })
      return { ...response, rows: response.events }
    },
  })
  const events = {
    list: reader.list.bind(reader),
    next: reader.next.bind(reader),
    stream: reader.stream.bind(reader),
    skip: () => reader.skip(),
    restart: () => reader.restart(),
  }
  // The rows are of the type that the filter names, which a reader of all events cannot know.
  return events as unknown as Events & { restart(): void }
}
