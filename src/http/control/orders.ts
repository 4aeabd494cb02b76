import type { Order } from '../../control-api/orders.ts'
import { toGiven } from '../../world/fields.ts'
import { settleTransaction } from '../../world/lifecycle.ts'
import type { Side } from '../../world/money.ts'
import { getIntegratorFor, placeOrder } from '../../world/orders.ts'
import { renameFields } from '../../world/rename-fields.ts'
import { getAnyUser } from '../../world/users.ts'
import type { AuthenticatedCall } from '../operation.ts'
import { implement } from './dialect.ts'
import { observe } from './events.ts'
import { presentTransaction } from './transactions.ts'

export const orders = [
  implement('buy', (call) => trade(call, 'buy', call.input.body.cad)),
  implement('sell', (call) => trade(call, 'sell', call.input.body.coins)),
]

type TradeCall = AuthenticatedCall<unknown, unknown, Order>

async function trade({ services, param, input: { body } }: TradeCall, side: Side, amount: number) {
  const { world } = services
  const { integrator: name, settle, coin, wallet } = body
  const order = { side, amount, coin, wallet, ...toGiven(body) }
  const user = getAnyUser(world, param('user'))
  const integrator = getIntegratorFor(world, user, name)
  return await observe(services, body, () => {
    const created = renameFields(toOwnNames(side), () =>
      placeOrder(world, { integrator, user }, order),
    )
    if (settle) settleTransaction(world, created, { through: true })
    // Presented now, because a receiver of the webhook may move it on before the response.
    return { transaction: presentTransaction(world, created) }
  })
}

/** The names in this request's body of the fields that errors of the contract name. */
const toOwnNames = (side: Side) => ({
  leftSideValue: side === 'buy' ? 'cad' : 'coins',
  leftSideLabel: 'coin',
  rightSideLabel: 'coin',
})
