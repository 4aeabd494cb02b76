import { CALLERS, openSessions, toCreation, toRead, toRequests } from '../calls.mjs'
import { startHelper } from '../processes.mjs'
import { openSandbox } from '../sandbox.mjs'
import { compareServing } from '../serving.mjs'

export const read = {
  name: 'GET /v2/transactions/{id}',
  beside: 'bare Hono, same bytes',
  unit: 'requests/s',
  aim: { least: 0.75 },
  measure: (options) => measureBesideHono(options, toReads),
}

export const create = {
  name: 'POST /v2/transactions',
  beside: 'bare Hono + zod + Map insert, same bytes',
  unit: 'requests/s',
  aim: { least: 0.58 },
  measure: (options) => measureBesideHono(options, toCreations),
}

/** One transaction of each user: so many are being read. */
async function toReads(sandbox, sessions) {
  const reads = []
  for (const session of sessions) {
    const { json } = await sandbox.call(...toCreation(session))
    reads.push(toRead(session, json.data.id))
  }
  return reads
}

const toCreations = (_, sessions) => sessions.map(toCreation)

async function measureBesideHono({ rounds, nodeArgs }, toCalls) {
  const sandbox = await openSandbox({ users: CALLERS, nodeArgs })
  const hono = startHelper('server', 'bare.mjs')
  const load = startHelper('load', 'load.mjs')
  const calls = await toCalls(sandbox, await openSessions(sandbox))
  const { text: response } = await sandbox.call(...calls[0])
  const { port } = await hono.ask({ response })
  const requests = toRequests(calls)
  const measured = await compareServing({
    load,
    rounds,
    ours: { port: sandbox.port, requests },
    bare: { port, requests },
  })
  await Promise.all([sandbox.stop(), hono.stop(), load.stop()])
  return measured
}
