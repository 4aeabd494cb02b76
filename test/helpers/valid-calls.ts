import type { Route } from '../contract.ts'
import { type Call, KEY, type TestApp } from './app.ts'
import { EVM_WALLET, logIn, type Person, PROFILE, quote, readCode, review } from './story.ts'

/** One call of every operation that succeeds, whichever others were made before. */
export interface ValidCalls {
  calls: Record<Route, Call>
  alice: Person
  txId: string
}

/** Two verified users, alice with a pending transaction, bob with a login code that waits. */
export async function prepareCalls(app: TestApp): Promise<ValidCalls> {
  const bob = { email: 'bob@example.com' }
  for (const email of ['alice@example.com', bob.email]) {
    const { id } = await app.call('POST /v2/users', { body: { email, ...PROFILE } })
    await review(app, id)
  }
  const alice = await logIn(app)
  await app.call('POST /v2/auth/login-codes', { body: bob })
  const code = await readCode(app, bob.email)
  const { shareToken } = await app.control('POST', '/simulate/share-tokens', {
    email: alice.email,
  })
  await app.call('PUT /v2/webhook-configurations', { body: { url: 'http://127.0.0.1:9/hooks' } })
  const order = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  const { quoteId } = await quote(app, order)
  const { id: txId } = await alice.buy()
  const access = { key: KEY, token: alice.token }
  const user = { ...access, path: { userId: alice.id } }
  const transaction = { ...access, path: { txId } }
  const calls: Record<Route, Call> = {
    'POST /v2/auth/login-codes': { body: { email: alice.email } },
    'POST /v2/auth/login-codes/verify': { body: { ...bob, code } },
    'POST /v2/users': { body: { email: 'carol@example.com', ...PROFILE } },
    'GET /v2/users': { query: { email: alice.email } },
    'PATCH /v2/users/{userId}': { ...user, body: { city: 'Ottawa', pep: true } },
    'GET /v2/users/{userId}/requirements': user,
    'GET /v2/users/{userId}/kyc-url': user,
    'PUT /v2/users/{userId}/kyc': { ...user, body: { shareToken } },
    'GET /v2/quotes': { query: order },
    'GET /v2/limits': access,
    'POST /v2/transactions': {
      ...access,
      body: { ...order, wallet: EVM_WALLET, quoteId, externalSessionId: 'session-1' },
    },
    'GET /v2/transactions': { ...access, query: { limit: 5, offset: 0 } },
    'GET /v2/transactions/{txId}': transaction,
    'PUT /v2/transactions/{txId}/cancel': transaction,
    'PUT /v2/webhook-configurations': { body: { url: 'https://example.com/hooks' } },
    'GET /v2/webhook-configurations': {},
    'POST /v2/webhook-configurations/test': {},
    'DELETE /v2/webhook-configurations': {},
    'POST /v2/webhook-configurations/signing-secret/rotate': {},
  }
  return { calls, alice, txId }
}
