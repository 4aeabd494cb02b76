import {
  CALLERS,
  createMany,
  openSessions,
  readsOf,
  toCreation,
  toList,
  toRequests,
} from '../calls.mjs'
import { startHelper } from '../processes.mjs'
import { openSandbox } from '../sandbox.mjs'
import { compareServing } from '../serving.mjs'

/** As many as may wait for one receiver: whatever comes after them meets a full line. */
const WAITING = 10_000
const READ_EACH = 25

const row = (what, toCalls) => ({
  name: `${what}, a receiver hangs`,
  beside: 'the same without a receiver',
  unit: 'requests/s',
  aim: { least: 0.9 },
  measure: (options) => measureHanging(options, toCalls),
})

const toReads = (sandbox, sessions) => readsOf(sandbox, sessions, { each: READ_EACH })
const toLists = (_, sessions) => sessions.map(toList)
const toCreations = (_, sessions) => sessions.map(toCreation)

export const readHanging = row('GET /v2/transactions/{id}', toReads)
export const listHanging = row('GET /v2/transactions', toLists)
export const createHanging = row('POST /v2/transactions', toCreations)

/** Two sandboxes with the same in them; the webhooks of one lead to a receiver that never answers. */
async function measureHanging({ rounds, nodeArgs }, toCalls) {
  const receiver = startHelper('load', 'receiver.mjs')
  const load = startHelper('load', 'load.mjs')
  const { port } = await receiver.ask({ open: 'hang' })
  const hung = await openSandbox({ users: CALLERS, nodeArgs })
  const calm = await openSandbox({ users: CALLERS, nodeArgs })
  const body = { url: `http://127.0.0.1:${port}/` }
  await hung.call('PUT', '/v2/webhook-configurations', { body })
  const toSide = async (sandbox) => {
    await createMany(sandbox, { count: WAITING })
    const calls = await toCalls(sandbox, await openSessions(sandbox))
    return { port: sandbox.port, requests: toRequests(calls) }
  }
  const [ours, bare] = [await toSide(hung), await toSide(calm)]
  const measured = await compareServing({ load, rounds, ours, bare })
  await assertUnanswered(hung)
  await Promise.all([hung.stop(), calm.stop(), load.stop(), receiver.stop()])
  return measured
}

/** Nothing was measured if the line moved on. */
async function assertUnanswered(sandbox) {
  const path = '/_sandbox/webhooks/deliveries?outcome=delivered'
  const { json } = await sandbox.call('GET', path)
  if (json.deliveries.length > 0) throw new Error('the hanging receiver answered')
}
