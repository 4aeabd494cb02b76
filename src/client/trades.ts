import type { SimulateTransaction, TransactionCreated } from '../http/control/wire.ts'
import type { LoggedIn } from './api.ts'
import type { ControlClient } from './control.ts'

type TradeOptions = Omit<SimulateTransaction, 'side' | 'amount'>
export type BuyOptions = TradeOptions & { cad: number }
export type SellOptions = TradeOptions & { coins: number }

/** What users do, who are named by e-mail address or id. */
export interface Trades {
  /**
   * The user asks for a quote and buys, with the checks of the API; with `settle` the transaction
   * completes, too. Answers once the webhooks of all that are delivered.
   */
  buy(user: string, options: BuyOptions): Promise<TransactionCreated>
  sell(user: string, options: SellOptions): Promise<TransactionCreated>
  /** Logs a verified user in, with the code from the inbox, and answers a client with the token. */
  login(email: string): Promise<LoggedIn>
}

export function createTrades({ call }: ControlClient): Pick<Trades, 'buy' | 'sell'> {
  const create = (user: string, body: SimulateTransaction): Promise<TransactionCreated> =>
    call('POST', `/simulate/users/${encodeURIComponent(user)}/transactions`, { body })
  return {
    buy: (user, { cad, ...rest }) => create(user, { side: 'buy', amount: cad, ...rest }),
    sell: (user, { coins, ...rest }) => create(user, { side: 'sell', amount: coins, ...rest }),
  }
}
