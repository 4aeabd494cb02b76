import { startHelper } from './processes.mjs'
import { BUY, idOf, toRequest } from './sandbox.mjs'

/** Users who call, and connections they call by: more users would only log in for longer. */
export const CALLERS = 32

/** So many users of a sandbox, logged in, and a buy that each of them could make. */
export async function openSessions(sandbox, count = CALLERS) {
  const quoteId = await sandbox.quote()
  const sessions = []
  for (const email of sandbox.emails.slice(0, count)) {
    sessions.push({ token: await sandbox.logIn(email), body: { ...BUY, quoteId } })
  }
  return sessions
}

/** What can be called, as `[method, path, options]` for `sandbox.call` and `toRequest`. */
export const toCreation = ({ token, body }) => ['POST', '/v2/transactions', { token, body }]
export const toRead = ({ token }, id) => ['GET', `/v2/transactions/${id}`, { token }]

export const toRequests = (calls) => calls.map((call) => toRequest(...call))

/** Creates many for all users in turn, fast: by the key alone, and several at once on a connection. */
export async function createMany(sandbox, { count }) {
  const quoteId = await sandbox.quote()
  const requests = sandbox.emails.map((_, i) => {
    const body = { ...BUY, quoteId, userId: idOf(i) }
    return toRequest('POST', '/v2/transactions', { body })
  })
  const order = { port: sandbox.port, requests, connections: CALLERS, depth: 16, count }
  const load = startHelper('load', 'load.mjs')
  const { result } = await load.ask(order)
  await load.stop()
  if (result.received !== count) throw new Error(`${result.received} of ${count} were created`)
}
