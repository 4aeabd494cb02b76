import { OPERATIONS } from '../../src/host/operations.ts'
import { exampleOf } from '../../src/http/openapi/examples.ts'
import { openApp, type RawCall, sendTo } from '../helpers/app.ts'
import { PROFILE } from '../helpers/story.ts'

// biome-ignore lint/suspicious/noExplicitAny: examples are of every shape
type Json = any

const EMAIL = 'alice@example.com'
const ORDER = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
const USER = { email: EMAIL, status: 'verified', profile: PROFILE } as const
/** Its example changes a user who is not verified yet, or a sandbox that has none. */
const OWN_USER = ['createUser', 'v1GenerateApiLink']

/** Operations of the contract whose documents show a request. */
export const EXAMPLES = OPERATIONS.filter(
  ({ id, dialect }) => dialect.isContract && exampleOf(id)?.request !== undefined,
)

/** A sandbox in which the request example of an operation succeeds, and what to send to it. */
export async function openExample(id: string) {
  const operation = OPERATIONS.find((row) => row.id === id)
  if (!operation) throw new Error(id)
  const users = OWN_USER.includes(id) ? [] : [USER]
  const app = openApp({ fixture: { users } })
  const around = users.length > 0 ? await prepare(app) : undefined
  const { path, query, body } = fill(exampleOf(id)?.request ?? {}, around)
  const target = operation.path.replace(/:(\w+)/g, (_, name: string) => path?.[name] ?? '')
  const takesToken = operation.auth.takes.flat().includes('accessToken')
  const token = takesToken ? around?.token : undefined
  const sent: RawCall = { query, body, ...(token && { token }) }
  return { app, operation, target, sent }
}

/** What an example names that is another one in each world. */
async function prepare(app: ReturnType<typeof openApp>) {
  const send = async (route: string, call: RawCall = {}) =>
    JSON.parse((await sendTo(app, route, call)).text)
  const codeOf = async () => {
    await send('POST /v2/auth/login-codes', { body: { email: EMAIL } })
    return (await send('GET /_sandbox/inbox?kind=login-code')).messages.at(-1).code as string
  }
  const verified = { email: EMAIL, code: await codeOf() }
  const { data: login } = await send('POST /v2/auth/login-codes/verify', { body: verified })
  const token: string = login.accessToken
  const quote = () => send(`GET /v2/quotes?${new URLSearchParams(ORDER as Json)}`)
  const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
  const { quoteId } = (await quote()).data
  const body = { ...ORDER, wallet, quoteId, externalSessionId: 'one' }
  const { data: made } = await send('POST /v2/transactions', { token, body })
  const { items } = await send('GET /_sandbox/users')
  const { shareToken } = await send('POST /_sandbox/simulate/share-tokens', {
    body: { email: EMAIL },
  })
  const fresh = (await quote()).data.quoteId
  const code = await codeOf()
  return { token, userId: items[0].id, txId: made.id, quoteId: fresh, code, shareToken }
}

/** An example whose ids, codes and tokens are those of this world. */
function fill(request: Json, around: Awaited<ReturnType<typeof prepare>> | undefined): Json {
  if (around === undefined) return request
  const { userId, txId, quoteId, code, shareToken } = around
  const own: Json = {
    ...{ userId, txId, quoteId, code, shareToken },
    ...{ tx_id: txId, login_code: code, share_token: shareToken, email: EMAIL },
    ...ORDER,
  }
  const part = (fields: Json) =>
    fields &&
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, own[name] ?? value]))
  const { path, query, body } = request
  return { path: part(path), query: part(query), body: part(body) }
}
