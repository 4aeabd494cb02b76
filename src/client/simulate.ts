import type {
  AccessState,
  AccountState,
  KycChanged,
  SimulateAccount,
  SimulateFundsReceived,
  SimulateKyc,
  SimulateMove,
  SimulateSettled,
  TransactionMoved,
} from '../http/control/wire.ts'
import type { ShareTokenKind } from '../world/share-token.ts'
import type { UserStatus } from '../world/state.ts'
import type { ControlClient } from './control.ts'

/** Whether to wait for the webhooks of a change. */
export type DeliverOptions = SimulateMove
export type KycOptions = Omit<SimulateKyc, 'status'>
export type FundsReceivedOptions = SimulateFundsReceived
export type SettledOptions = SimulateSettled
export type AccountChange = SimulateAccount

/**
 * What the outside world does: reviewers, banks, users, the blockchain. A user is named by e-mail
 * address or id, a transaction by id. Each call answers when its consequences have happened, the
 * delivery of webhooks included.
 */
export interface Simulate {
  /** A reviewer decides. */
  kyc(user: string, status: UserStatus, options?: KycOptions): Promise<KycChanged>
  /** A user grants key-only access (`['jwt', 'apiKey']`) or takes it back (`['jwt']`). */
  access(user: string, accessibleBy: AccessState['accessibleBy']): Promise<AccessState>
  /** Sets what differs per account. */
  account(user: string, change: AccountChange): Promise<AccountState>
  /** A share token of the shared-KYC provider, as a user of theirs would bring it. */
  shareToken(email: string, kind?: ShareTokenKind): Promise<string>
  /** The e-transfer was approved (buy), or the coins arrived (sell): pending becomes processing. */
  fundsReceived(transactionId: string, options?: FundsReceivedOptions): Promise<TransactionMoved>
  /** The money is finished: processing becomes complete. */
  settled(transactionId: string, options?: SettledOptions): Promise<TransactionMoved>
  /** The bank of the user refused to pay a buy. */
  bankRefused(transactionId: string, options?: DeliverOptions): Promise<TransactionMoved>
  /** The window of a pending transaction ran out, whatever the clock says. */
  expired(transactionId: string, options?: DeliverOptions): Promise<TransactionMoved>
  /** The user withdrew from a pending transaction. */
  cancelled(transactionId: string, options?: DeliverOptions): Promise<TransactionMoved>
  /** Forces any status, for what the contract leaves open. */
  status(transactionId: string, status: string, options?: DeliverOptions): Promise<TransactionMoved>
}

export function createSimulate({ call }: ControlClient): Simulate {
  return {
    kyc: (user, status, options) => toUser(user, 'kyc', { status, ...options }),
    access: (user, accessibleBy) => toUser(user, 'access', { accessibleBy }),
    account: (user, change) => toUser(user, 'account', change),
    async shareToken(email, kind) {
      const body = { email, kind }
      return (await call<{ shareToken: string }>('POST', '/simulate/share-tokens', { body }))
        .shareToken
    },
    fundsReceived: (id, options) => move(id, 'funds-received', options),
    settled: (id, options) => move(id, 'settled', options),
    bankRefused: (id, options) => move(id, 'bank-refused', options),
    expired: (id, options) => move(id, 'expired', options),
    cancelled: (id, options) => move(id, 'cancelled', options),
    status: (id, status, options) => move(id, 'status', { status, force: true, ...options }),
  }

  function toUser<Answer>(user: string, what: string, body: object): Promise<Answer> {
    return call('POST', `/simulate/users/${encodeURIComponent(user)}/${what}`, { body })
  }

  function move(id: string, what: string, body: object = {}): Promise<TransactionMoved> {
    return call('POST', `/simulate/transactions/${encodeURIComponent(id)}/${what}`, { body })
  }
}
