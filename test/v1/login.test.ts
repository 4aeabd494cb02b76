import { afterEach, beforeEach, it } from 'vitest'
import { openApp, type TestApp } from '../helpers/app.ts'
import { readCode } from '../helpers/story.ts'
import { callV1, refusedV1 } from './legacy.ts'

const EMAIL = 'alice@example.com'
let app: TestApp

beforeEach(() => {
  app = openApp({ fixture: 'verified-user' })
})
afterEach(() => app.close())

it('logging in by v1 shares its codes with v2, in both directions', async () => {
  await callV1(app, 'POST /loginCodeSend', { query: { email: EMAIL } })
  const body = { email: EMAIL, code: await readCode(app, EMAIL) }
  const { accessToken } = await app.call('POST /v2/auth/login-codes/verify', { body })

  await app.call('POST /v2/auth/login-codes', { body: { email: EMAIL } })
  const query = { email: EMAIL, login_code: await readCode(app, EMAIL) }
  const { token } = await callV1(app, 'POST /loginCodeVerify', { query })

  for (const one of [accessToken, token]) {
    await app.call('GET /v2/limits', { token: one })
    await refusedV1(app, 'GET /transaction', { token: one }, [400])
  }
})

it('logging in by v1 accepts only the code that was sent, and only once', async () => {
  await callV1(app, 'POST /loginCodeSend', { query: { email: EMAIL } })
  const code = await readCode(app, EMAIL)
  const wrong = code === '0000' ? '1111' : '0000'
  const verify = (login_code: string) => ({ query: { email: EMAIL, login_code } })
  const refused = (login_code: string, words: string) =>
    refusedV1(app, 'POST /loginCodeVerify', verify(login_code), [401, words])
  await refused(wrong, 'The login code is wrong.')
  await callV1(app, 'POST /loginCodeVerify', verify(code))
  await refused(code, 'The login code has already been used.')
})

it.each(['POST /loginCodeSend', 'POST /loginCodeVerify'] as const)(
  'logging in by v1 reads only the query at %s',
  async (route) => {
    const body = { email: EMAIL, login_code: '1234' }
    const refused = [400, 'email is required in the query.'] as const
    await refusedV1(app, route, { body }, refused)
  },
)

it.each([
  [{ email: EMAIL, login_code: '12345' }, 400, 'login_code must be 4 digits.'],
  [{ email: EMAIL }, 400, 'login_code is required in the query.'],
  [{ email: 'nobody', login_code: '1234' }, 400, 'email must be an e-mail address.'],
  [{ email: 'bob@example.com', login_code: '1234' }, 404, 'No user is registered'],
  [{ email: EMAIL, login_code: '1234' }, 401, 'No login code was sent to this user.'],
])('logging in by v1 refuses the verification %o with %i', async (query, status, message) => {
  const call = { query: { ...query } }
  await refusedV1(app, 'POST /loginCodeVerify', call, [status, message])
})
