import { KEY, KEY_2, NOWHERE } from '../helpers/app.ts'
import { validKyb } from '../helpers/kyb.ts'
import { claimsOf, PROFILE, readCode, review } from '../helpers/story.ts'
import { API_LINK } from '../v1/legacy.ts'
import type { Rows } from './rows.ts'
import { EMAIL, type Scene } from './scene.ts'

const create = ({ ask }: Scene, more: object = {}) =>
  ask('POST /v2/users', { body: { email: EMAIL, ...more } })

/** Responses of v2, v1 and KYB to a person of whom one thing is unusual. */
async function createEverywhere(scene: Scene, unusual: Record<string, string>) {
  const { ask } = scene
  const v2 = await create(scene, { ...PROFILE, ...unusual })
  const legacy = { ...API_LINK, email: 'bob@example.com', ...unusual }
  const v1 = await ask('POST /generateApiLink', { body: legacy })
  const kyb = validKyb()
  const authorized_user_data = { ...kyb.authorized_user_data, ...unusual }
  const submitted = await ask('POST /submitKYB', { body: { ...kyb, authorized_user_data } })
  return [v2.status, v1.status, submitted.status]
}

/** The status of a login with the code that was sent, a while later, after some wrong ones. */
async function logInLate(scene: Scene, { by = '0s', wrong = 0 } = {}) {
  const { data } = await create(scene)
  await review(scene.app, data.id)
  const status = async (code: string) =>
    (await scene.ask('POST /v2/auth/login-codes/verify', { body: { email: EMAIL, code } })).status
  await scene.ask('POST /v2/auth/login-codes', { body: { email: EMAIL } })
  const { messages } = await scene.app.control('GET', '/inbox')
  const code: string = messages.at(-1).code
  for (let i = 0; i < wrong; i++) await status(code === '0000' ? '1111' : '0000')
  if (by !== '0s') await scene.app.advance(by)
  return status(code)
}

const shareTokenOf = async ({ app }: Scene) =>
  (await app.control('POST', '/simulate/share-tokens', { email: EMAIL })).shareToken

export const ONBOARDING_ROWS: Rows = {
  'users.create.required': {
    see: async (scene) => (await create(scene)).status,
    under: { email: 200, all: 400, none: 200, 'email,dob': 400 },
  },
  'users.create.event': {
    async see(scene) {
      await create(scene)
      const { events } = await scene.app.control('GET', '/events')
      return events.map(({ type, status }: Record<string, string>) => `${type} ${status}`)
    },
    under: { none: [], sent: ['user.update initial'] },
  },
  'users.visibility': {
    async see(scene) {
      await create(scene)
      const query = { email: EMAIL }
      return (await scene.ask('GET /v2/users', { key: KEY_2, query })).data.length
    },
    under: { platform: 1, integrator: 0 },
  },
  'users.minimumAge': {
    // Eighteen on the day of the world, and nineteen a year later.
    see: (scene) => createEverywhere(scene, { dob: '2008-07-01' }),
    under: { 18: [200, 200, 200], 19: [400, 400, 400] },
  },
  'users.formats': {
    see: (scene) => createEverywhere(scene, { province: 'Bavaria' }),
    under: {
      'province,postalCode,phone': [400, 400, 200],
      province: [400, 400, 200],
      'postalCode,phone': [200, 200, 200],
      none: [200, 200, 200],
      all: [400, 400, 200],
    },
  },
  'users.initialStatus': {
    see: async (scene) => (await create(scene)).data.status,
    under: { initial: 'initial', active: 'active' },
  },
  'requirements.shape': {
    async see(scene) {
      const { data } = await create(scene)
      return Array.isArray((await scene.ask(`GET /v2/users/${data.id}/requirements`)).data)
    },
    under: { object: false, array: true },
  },
  'requirements.olderAge': {
    async see(scene) {
      // Sixty today.
      const { data } = await create(scene, { ...PROFILE, dob: '1966-07-01' })
      const { outstanding } = (await scene.ask(`GET /v2/users/${data.id}/requirements`)).data
      return outstanding.some(({ field }: { field: string }) => field === 'olderUserInfo')
    },
    under: { 60: true, 61: false },
  },
  'login.eligible': {
    async see(scene) {
      await create(scene)
      return (await scene.ask('POST /v2/auth/login-codes', { body: { email: EMAIL } })).status
    },
    under: { verified: 403, registered: 200 },
  },
  'tokens.afterStatusChange': {
    async see(scene) {
      const { id, token } = await scene.alice()
      await review(scene.app, id, 'inactive')
      return (await scene.ask('GET /v2/limits', { token })).status
    },
    under: { keep: 200, revoke: 401 },
  },
  'tokens.time': {
    async see(scene) {
      const { token } = await scene.alice()
      const { iat, exp } = claimsOf(token)
      return [Math.abs(iat - Date.now() / 1000) < 60, exp - iat]
    },
    under: { world: [false, 3600], wall: [true, 3600] },
  },
  'login.code.resend': {
    async see(scene) {
      const { app, ask } = scene
      await scene.alice()
      const codes: string[] = []
      for (let mail = 1; mail <= 2; mail++) {
        await ask('POST /v2/auth/login-codes', { body: { email: EMAIL } })
        codes.push(await readCode(app, EMAIL))
      }
      const statuses: number[] = []
      for (const code of codes) {
        const body = { email: EMAIL, code }
        statuses.push((await ask('POST /v2/auth/login-codes/verify', { body })).status)
      }
      return [...statuses, codes[0] === codes[1]]
    },
    under: { replace: [401, 200, false], keep: [200, 200, false], same: [200, 401, true] },
  },
  'login.code.ttl': {
    see: async (scene) => logInLate(scene, { by: '5m' }),
    under: { '10m': 200, '5m': 401, '300001ms': 200 },
  },
  'login.code.attempts': {
    see: async (scene) => logInLate(scene, { wrong: 2 }),
    under: { 5: 200, 3: 200, 2: 401 },
  },
  'login.token.ttl': {
    async see(scene) {
      const { token, id } = await scene.alice()
      await scene.app.advance('1m')
      return (await scene.ask(`GET /v2/users/${id}/requirements`, { token })).status
    },
    under: { '1h': 200, '1m': 401, '61s': 200 },
  },
  'access.subject': {
    async see(scene) {
      const { id } = await scene.alice()
      const { app } = scene
      const users = await app.control('GET', '/state')
      users.users[0].integrators.push('second')
      users.users[0].keyAccess = true
      const { status } = await app.send('/_sandbox/state', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(users),
      })
      const limits = await scene.ask('GET /v2/limits', {
        key: 'sandbox-key-2',
        query: { userId: id },
      })
      return [status, limits.status]
    },
    under: { 'query-or-body': [200, 200], refuse: [200, 401] },
  },
  'kyc.import.body': {
    async see(scene) {
      const { data } = await create(scene)
      const token = await shareTokenOf(scene)
      const put = async (body: object) =>
        (await scene.ask(`PUT /v2/users/${data.id}/kyc`, { body })).status
      return [await put({ shareToken: token }), await put({ share_token: token })]
    },
    under: { either: [200, 200], shareToken: [200, 400], share_token: [400, 200] },
  },
  'kyc.linkTtl': {
    async see(scene) {
      const { data } = await create(scene)
      return (await scene.ask(`GET /v2/users/${data.id}/kyc-url`)).data.expiresAt
    },
    under: { '30m': '2026-07-01T12:30:00.000Z', '1h': '2026-07-01T13:00:00.000Z' },
  },
  'errors.v1': {
    async see(scene) {
      const { status } = await scene.ask('GET /apiFindUser', { query: { email: EMAIL } })
      const withoutKey = await scene.ask('GET /webhooks', { key: null })
      return [status, withoutKey.status]
    },
    under: { 'as-v2': [404, 401], 400: [400, 400] },
  },
  cors: {
    see: async ({ app }) => {
      const headers = { 'x-api-key': KEY, origin: 'http://localhost:5173' }
      const { headers: seen } = await app.send('/v2/users?email=a@example.com', { headers })
      return seen.get('access-control-allow-origin')
    },
    under: { none: null, 'http://localhost:5173': 'http://localhost:5173' },
  },
  'requests.perMinute': {
    async see({ ask, app }) {
      const status = async () => (await ask(`GET /v2/users/${NOWHERE}/requirements`)).status
      const first = [await status(), await status(), await status()]
      await app.advance('1m')
      return [...first, await status()]
    },
    under: { 0: [404, 404, 404, 404], 2: [404, 404, 429, 404] },
  },
}
