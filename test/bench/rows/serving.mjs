import { startHelper } from '../processes.mjs'
import { measureRounds } from '../rounds.mjs'
import { BUY, openSandbox, toRequest } from '../sandbox.mjs'

const CONNECTIONS = 32
const USERS = 32
const ROUND_MS = 800
/** The first seconds of a process are several times slower than what follows. */
const WARM_UPS = 3

export const read = {
  name: 'GET /v2/transactions/{id}',
  beside: 'bare Hono, same bytes',
  unit: 'requests/s',
  aim: { least: 0.75 },
  measure: (options) => measureServing(options, toRead),
}

export const create = {
  name: 'POST /v2/transactions',
  beside: 'bare Hono + zod + Map insert, same bytes',
  unit: 'requests/s',
  aim: { least: 0.7 },
  measure: (options) => measureServing(options, toCreation),
}

/** One transaction for each user, and a token for each: so many are being read, and no limit met. */
async function prepare(sandbox) {
  const quoteId = await sandbox.quote()
  const sessions = []
  for (const email of sandbox.emails) {
    const token = await sandbox.logIn(email)
    const created = { token, body: { ...BUY, quoteId } }
    const { json } = await sandbox.call('POST', '/v2/transactions', created)
    sessions.push({ ...created, path: `/v2/transactions/${json.data.id}` })
  }
  return sessions
}

const toRead = ({ path, token }) => ['GET', path, { token }]
const toCreation = ({ token, body }) => ['POST', '/v2/transactions', { token, body }]

async function measureServing({ rounds, nodeArgs }, toCall) {
  const sandbox = await openSandbox({ users: USERS, nodeArgs })
  const bare = startHelper('server', 'bare.mjs')
  const load = startHelper('load', 'load.mjs')
  const calls = (await prepare(sandbox)).map(toCall)
  const { text: answer } = await sandbox.call(...calls[0])
  const { port } = await bare.ask({ answer })
  const requests = calls.map((call) => toRequest(...call))
  const sizes = new Set()
  const run = async (to) => {
    const order = { port: to, requests, connections: CONNECTIONS, ms: ROUND_MS }
    const { result } = await load.ask(order)
    sizes.add(result.bodyBytes)
    return result.perSecond
  }
  const measured = await measureRounds({
    rounds,
    warmUps: WARM_UPS,
    ours: () => run(sandbox.port),
    bare: () => run(port),
  })
  if (sizes.size > 1) throw new Error(`answers of ${[...sizes].join(' and ')} bytes`)
  await Promise.all([sandbox.stop(), bare.stop(), load.stop()])
  return measured
}
