import type { ErrorCode } from '../../src/world/settings/errors.ts'
import { type Asked, EMAIL, type Scene, SELL } from '../assumptions/scene.ts'
import { NOWHERE } from '../helpers/app.ts'
import { validKyb } from '../helpers/kyb.ts'
import { logIn, review } from '../helpers/story.ts'

type Provoke = (scene: Scene) => Promise<Asked>

const LOGIN = 'POST /v2/auth/login-codes'
const HOOKS = '/v2/webhook-configurations'

const create = ({ ask }: Scene, more: object = {}) =>
  ask('POST /v2/users', { body: { email: EMAIL, ...more } })

const verifyCode = ({ ask }: Scene, code: string) =>
  ask(`${LOGIN}/verify`, { body: { email: EMAIL, code } })

/** An order under the one that a scene makes, with a quote that fits. */
const order = async (scene: Scene, more: object = {}) => scene.order(await scene.alice(), {}, more)

const submit = ({ ask }: Scene, more: object = {}) =>
  ask('POST /submitKYB', { body: { ...validKyb(), ...more } })

/** Orders as many as may be, and then one more. */
async function orderUntil(scene: Scene, { max, cancel }: { max: number; cancel: boolean }) {
  const alice = await scene.alice()
  for (let made = 0; made < max; made++) {
    const { data } = await scene.order(alice)
    const { token } = alice
    if (cancel) await scene.ask(`PUT /v2/transactions/${data.id}/cancel`, { token })
  }
  return scene.order(alice)
}

/** A call that is refused for each reason there is. */
export const PROVOKE: Readonly<Record<ErrorCode, Provoke>> = {
  'missing-key': ({ ask }) => ask('GET /v2/users', { key: null, query: { email: EMAIL } }),
  'unknown-key': ({ ask }) => ask('GET /v2/users', { key: 'nobody', query: { email: EMAIL } }),
  'missing-token': ({ ask }) => ask('GET /v2/transactions'),
  'invalid-token': ({ ask }) => ask('GET /v2/transactions', { token: 'a.b.c' }),
  async 'expired-token'(scene) {
    const { token } = await scene.alice()
    await scene.app.advance('1h')
    return scene.ask('GET /v2/transactions', { token })
  },
  async 'revoked-token'(scene) {
    await scene.app.control('PATCH', '/settings', { 'tokens.afterStatusChange': 'revoke' })
    const { id, token } = await scene.alice()
    await review(scene.app, id, 'inactive')
    return scene.ask('GET /v2/transactions', { token })
  },
  async 'other-user'(scene) {
    const { token } = await scene.alice()
    const { data } = await create(scene, { email: 'bob@example.com' })
    return scene.ask(`GET /v2/users/${data.id}/requirements`, { token })
  },
  'user-not-found': ({ ask }) => ask(`GET /v2/users/${NOWHERE}/requirements`),
  'malformed-json': ({ ask }) => ask('POST /v2/users', { text: '{"email":' }),
  'invalid-body': (scene) => create(scene, { dob: 'yesterday' }),
  'unknown-field': (scene) => create(scene, { surprise: 'x' }),
  'body-too-large': (scene) => create(scene, { city: 'x'.repeat(1024 * 1024) }),
  'unsupported-media-type': ({ ask }) =>
    ask('POST /v2/users', { text: 'a=b', headers: { 'content-type': 'text/plain' } }),
  'invalid-query': ({ ask }) => ask('GET /v2/users'),
  'unknown-path': ({ ask }) => ask('GET /v2/nothing'),
  'method-not-allowed': ({ ask }) => ask('DELETE /v2/users'),
  async 'too-many-requests'({ ask, app }) {
    await app.control('PATCH', '/settings', { 'requests.perMinute': 1 })
    await ask('GET /v2/users', { query: { email: EMAIL } })
    return ask('GET /v2/users', { query: { email: EMAIL } })
  },
  'unknown-user': ({ ask }) => ask(LOGIN, { body: { email: EMAIL } }),
  async 'unverified-login'(scene) {
    await create(scene)
    return scene.ask(LOGIN, { body: { email: EMAIL } })
  },
  async 'wrong-code'(scene) {
    const { data } = await create(scene)
    await review(scene.app, data.id)
    return verifyCode(scene, '0000')
  },
  async 'duplicate-user'(scene) {
    await create(scene)
    return create(scene, { email: EMAIL.toUpperCase() })
  },
  async 'verified-field'(scene) {
    const { id, token } = await scene.alice()
    return scene.ask(`PATCH /v2/users/${id}`, { token, body: { firstName: 'Zoë' } })
  },
  async 'already-verified'(scene) {
    const { id, token } = await scene.alice()
    return scene.ask(`GET /v2/users/${id}/kyc-url`, { token })
  },
  async 'invalid-share-token'(scene) {
    const { data } = await create(scene)
    return scene.ask(`PUT /v2/users/${data.id}/kyc`, { body: { shareToken: 'nonsense' } })
  },
  async 'not-verified'(scene) {
    const alice = await scene.alice()
    await review(scene.app, alice.id, 'inactive')
    return scene.order(alice)
  },
  'requirements-outstanding': async (scene) => scene.order(await scene.alice({})),
  'unknown-quote': (scene) => order(scene, { quoteId: 7 }),
  async 'quote-expired'(scene) {
    const { quoteId } = (await scene.quote()).data
    await scene.alice()
    await scene.app.advance('30m')
    return scene.order(await logIn(scene.app), {}, { quoteId })
  },
  async 'quote-spent'(scene) {
    const alice = await scene.alice()
    const { quoteId } = (await scene.quote()).data
    await scene.order(alice, {}, { quoteId })
    return scene.order(alice, {}, { quoteId })
  },
  async 'quote-labels'(scene) {
    const { quoteId } = (await scene.quote({ rightSideLabel: 'CADC' })).data
    return order(scene, { quoteId })
  },
  async 'quote-amount'(scene) {
    const { quoteId } = (await scene.quote()).data
    return order(scene, { quoteId, leftSideValue: 200 })
  },
  'too-many-decimals': (scene) => scene.quote({ leftSideValue: 33.333 }),
  'limit-minimum': async (scene) => scene.order(await scene.alice(), { leftSideValue: 9.99 }),
  'limit-maximum': async (scene) => scene.order(await scene.alice(), { leftSideValue: 9999.01 }),
  'limit-active': (scene) => orderUntil(scene, { max: 3, cancel: false }),
  'limit-cancelled': (scene) => orderUntil(scene, { max: 10, cancel: true }),
  async 'page-too-large'(scene) {
    const { token } = await scene.alice()
    return scene.ask('GET /v2/transactions', { token, query: { limit: 101 } })
  },
  async 'unknown-transaction'(scene) {
    const { token } = await scene.alice()
    return scene.ask(`GET /v2/transactions/${NOWHERE}`, { token })
  },
  async 'not-cancellable'(scene) {
    const alice = await scene.alice()
    const { data } = await scene.order(alice, SELL)
    const cancel = () => scene.ask(`PUT /v2/transactions/${data.id}/cancel`, { token: alice.token })
    await cancel()
    return cancel()
  },
  'invalid-url': ({ ask }) => ask(`PUT ${HOOKS}`, { body: { url: 'ftp://example.com' } }),
  'no-webhook-configuration': ({ ask }) => ask(`GET ${HOOKS}`),
  'no-webhook-to-test': ({ ask }) => ask(`POST ${HOOKS}/test`),
  'no-signing-secret': ({ ask }) => ask(`POST ${HOOKS}/signing-secret/rotate`),
  async 'duplicate-business'(scene) {
    await create(scene, { email: validKyb().paytrie_email })
    await submit(scene)
    return submit(scene)
  },
  'unknown-account': (scene) => submit(scene),
  async 'v1-shut-down'(scene) {
    await scene.app.control('PATCH', '/settings', { 'v1.sunset': '2026-07-01T00:00:00Z' })
    return scene.ask('GET /webhooks')
  },
  'unknown-email': ({ ask }) => ask('GET /apiFindUser', { query: { email: EMAIL } }),
  async 'unknown-applicant'(scene) {
    const { shareToken } = await scene.app.control('POST', '/simulate/share-tokens', {
      email: EMAIL,
    })
    return scene.ask('POST /sumsubImportUser', { body: { share_token: shareToken } })
  },
  'webhook-without-url': ({ ask }) =>
    ask('PATCH /webhooks', { body: { verifiedEmailEnabled: true } }),
}
