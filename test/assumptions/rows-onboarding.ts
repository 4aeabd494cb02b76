import { KEY, KEY_2, NOWHERE } from '../helpers/app.ts'
import { claimsOf, readCode, review } from '../helpers/story.ts'
import type { Rows } from './rows.ts'
import { EMAIL, type Scene } from './scene.ts'

const create = ({ ask }: Scene, more: object = {}) =>
  ask('POST /v2/users', { body: { email: EMAIL, ...more } })

/** The status of a login with the code that was sent, a while later. */
async function logInLate(scene: Scene, by: string) {
  const { data } = await create(scene)
  await review(scene.app, data.id)
  const status = async (code: string) =>
    (await scene.ask('POST /v2/auth/login-codes/verify', { body: { email: EMAIL, code } })).status
  await scene.ask('POST /v2/auth/login-codes', { body: { email: EMAIL } })
  const { messages } = await scene.app.control('GET', '/inbox')
  const code: string = messages.at(-1).code
  await scene.app.advance(by)
  return status(code)
}

export const ONBOARDING_ROWS: Rows = {
  'users.create.required': {
    see: async (scene) => (await create(scene)).status,
    under: { email: 200, all: 400, none: 200, 'email,dob': 400 },
  },
  'users.visibility': {
    async see(scene) {
      await create(scene)
      const query = { email: EMAIL }
      return (await scene.ask('GET /v2/users', { key: KEY_2, query })).data.length
    },
    under: { platform: 1, integrator: 0 },
  },
  'users.initialStatus': {
    see: async (scene) => (await create(scene)).data.status,
    under: { initial: 'initial', active: 'active' },
  },
  'status.created': {
    see: async (scene) => (await create(scene)).status,
    under: { 200: 200, 201: 201 },
  },
  'requirements.shape': {
    async see(scene) {
      const { data } = await create(scene)
      return Array.isArray((await scene.ask(`GET /v2/users/${data.id}/requirements`)).data)
    },
    under: { object: false, array: true },
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
    see: async (scene) => logInLate(scene, '5m'),
    under: { '10m': 200, '5m': 401, '300001ms': 200 },
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
  'kyc.linkTtl': {
    async see(scene) {
      const { data } = await create(scene)
      return (await scene.ask(`GET /v2/users/${data.id}/kyc-url`)).data.expiresAt
    },
    under: { '30m': '2026-07-01T12:30:00.000Z', '1h': '2026-07-01T13:00:00.000Z' },
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
