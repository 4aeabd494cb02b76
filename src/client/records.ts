import type {
  ActionRecord,
  CoinRates,
  RequestRecord,
  TransactionRecord,
  TransactionStatus,
  UserRecord,
} from '../http/control/wire.ts'
import type { ContractOperationId } from '../http/openapi/operations/index.ts'
import type { SettingValues } from '../world/settings/index.ts'
import type { UserStatus } from '../world/state.ts'
import type { ControlClient } from './control.ts'
import type { Query } from './http.ts'
import type { SettingChanges } from './types.ts'

const ROWS_PER_PAGE = 1_000

/** A call or an action that was read alone. */
export type WithCaused<Row extends { caused?: unknown }> = Row & Required<Pick<Row, 'caused'>>

export interface RequestFilter {
  /** HTTP status of the answer. */
  status?: number | undefined
  operation?: ContractOperationId | undefined
  refused?: boolean | undefined
}

export interface ActionFilter {
  kind?: ActionRecord['kind'] | undefined
  /** The transaction or user, as the call named it. */
  subject?: string | undefined
}

export interface RecordFilter<Status> {
  status?: Status | undefined
  /** The user's e-mail address. */
  email?: string | undefined
}

/** What the world holds, and what it is set to. Lists are whole, oldest first. */
export interface Records {
  readonly users: {
    list(filter?: RecordFilter<UserStatus>): Promise<UserRecord[]>
    /** By id or e-mail address. */
    get(user: string): Promise<UserRecord>
  }
  readonly transactions: {
    list(filter?: RecordFilter<TransactionStatus>): Promise<TransactionRecord[]>
    get(id: string): Promise<TransactionRecord>
  }
  /** The last 1,000 contract calls; `x-sandbox-request` of an answer is the id. */
  readonly requests: {
    list(filter?: RequestFilter): Promise<RequestRecord[]>
    /** With what it caused. */
    get(id: string): Promise<WithCaused<RequestRecord>>
  }
  /** The last 1,000 simulations, moves of the clock, changes and scheduled tasks. */
  readonly actions: {
    list(filter?: ActionFilter): Promise<ActionRecord[]>
    /** With what it caused. */
    get(id: string): Promise<WithCaused<ActionRecord>>
  }
  /** CAD per coin. A quote keeps the rate it was made at. */
  readonly rates: {
    get(): Promise<CoinRates>
    set(rates: Partial<CoinRates>): Promise<CoinRates>
  }
  /** What the contract leaves open, and the numbers it states. A reset undoes what was set. */
  readonly settings: {
    get(): Promise<SettingValues>
    set(changes: SettingChanges): Promise<SettingValues>
  }
}

export function createRecords({ call }: Pick<ControlClient, 'call'>): Records {
  return {
    users: {
      list: (filter) => readAll('/users', { ...filter }),
      get: (user) => call('GET', `/users/${encodeURIComponent(user)}`),
    },
    transactions: {
      list: (filter) => readAll('/transactions', { ...filter }),
      get: (id) => call('GET', `/transactions/${encodeURIComponent(id)}`),
    },
    requests: {
      list: ({ refused, ...filter } = {}) =>
        readJournal('requests', { ...filter, refused: refused?.toString() }),
      get: (id) => call('GET', `/requests/${encodeURIComponent(id)}`),
    },
    actions: {
      list: (filter) => readJournal('actions', { ...filter }),
      get: (id) => call('GET', `/actions/${encodeURIComponent(id)}`),
    },
    rates: {
      get: () => call('GET', '/rates'),
      set: (rates) => call('PUT', '/rates', { body: rates }),
    },
    settings: {
      get: () => call('GET', '/settings'),
      set: (changes) => call('PATCH', '/settings', { body: changes }),
    },
  }

  async function readAll<Row>(path: string, filter: Query) {
    const all: Row[] = []
    for (let after: string | undefined; ; ) {
      const query = { ...filter, after, limit: ROWS_PER_PAGE }
      const { items, cursor, more } = await call<RecordPage<Row>>('GET', path, { query })
      all.push(...items)
      if (!more) return all
      after = cursor
    }
  }

  /** A journal keeps no more than one page. */
  async function readJournal<Row>(name: string, filter: Query): Promise<Row[]> {
    const query = { ...filter, limit: ROWS_PER_PAGE }
    const page = await call<Record<string, Row[]>>('GET', `/${name}`, { query })
    return page[name] ?? []
  }
}

interface RecordPage<Row> {
  items: Row[]
  cursor: string
  more: boolean
}
