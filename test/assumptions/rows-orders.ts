import { logIn, PENDING } from '../helpers/story.ts'
import type { Rows } from './rows.ts'

/** The rows about quotes, what is ordered with them, and KYC links. */
export const ORDER_ROWS: Rows = {
  'quotes.bareLabels': {
    async see(scene) {
      const { breakdown } = (await scene.quote({ rightSideLabel: 'CADC' })).data
      const { data } = await scene.order(await scene.alice(), { rightSideLabel: 'USDC' })
      return [breakdown.gas, data.paymentType, data.rightSideLabel]
    },
    under: {
      ETH: [0.375, 'eth network', 'USDC'],
      POLY: [0.05, 'poly network', 'USDC'],
      ARB: [0.05, 'arb network', 'USDC'],
      BASE: [0.05, 'base network', 'USDC'],
    },
  },
  'requests.null': {
    async see(scene) {
      const { token, id } = await scene.alice()
      const patch = { token, body: { firstName: null } }
      const body = { email: 'bob@example.com', dob: null, surprise: null }
      return [
        (await scene.ask('POST /v2/users', { body })).status,
        (await scene.ask(`PATCH /v2/users/${id}`, patch)).status,
        (await scene.order(await logIn(scene.app), {}, { ethCost: null })).status,
        (await scene.ask('PATCH /webhooks', { body: { verifiedEmailUrl: null } })).status,
      ]
    },
    under: { absent: [200, 200, 200, 200], refused: [400, 400, 400, 400] },
  },
  'transactions.quoteId': {
    async see(scene) {
      const alice = await scene.alice()
      const { quoteId } = (await scene.quote()).data
      return (await scene.order(alice, {}, { quoteId: String(quoteId) })).status
    },
    under: { either: 200, number: 400 },
  },
  'transactions.externalSessionId.max': {
    async see(scene) {
      const alice = await scene.alice()
      const order = async (length: number) =>
        (await scene.order(alice, {}, { externalSessionId: 'x'.repeat(length) })).status
      return [await order(8), await order(9), await order(255), await order(256)]
    },
    under: { 255: [200, 200, 200, 400], 8: [200, 400, 400, 400], 10000: [200, 200, 200, 400] },
  },
  'transactions.list.order': {
    async see(scene) {
      const alice = await scene.alice()
      const ids = [(await scene.order(alice)).data.id, (await scene.order(alice)).data.id]
      const { data } = await scene.ask('GET /v2/transactions', { token: alice.token })
      return data.items.map(({ id }: { id: string }) => ids.indexOf(id))
    },
    under: { newest: [1, 0], oldest: [0, 1] },
  },
  'transactions.list.scope': {
    async see(scene) {
      await scene.order(await scene.alice())
      const { app, ask } = scene
      const state = await app.control('GET', '/state')
      if (!state.users[0].integrators.includes('second')) state.users[0].integrators.push('second')
      await app.control('PUT', '/state', state)
      const { token } = await logIn(app, { key: 'sandbox-key-2' })
      const { data } = await ask('GET /v2/transactions', { key: 'sandbox-key-2', token })
      return [data.total, data.items.map(({ status }: { status: string }) => status)]
    },
    under: { integrator: [0, []], user: [1, [PENDING]] },
  },
}
