import { openSessions, toRequests } from '../calls.mjs'
import { startHelper } from '../processes.mjs'
import { openSandbox, toBuys } from '../sandbox.mjs'
import { compareServing } from '../serving.mjs'

const MANY = 50_000
const FEW = 50
const LIMIT = 20
/** Different offsets, from the newest page to the oldest. */
const PAGES = 128
/** Digits of `offset` and `total` by which two pages may differ. */
const SLACK = 10

export const offsets = {
  name: `GET /v2/transactions?limit=${LIMIT}&offset=N of a user with ${MANY.toLocaleString('en')}`,
  beside: `of a user with ${FEW}`,
  unit: 'requests/s',
  aim: { least: 0.85 },
  async measure({ rounds, nodeArgs }) {
    const fewOfSecond = toBuys({ count: 2 * FEW, users: 2 }).filter((_, i) => i % 2 === 1)
    const transactions = [...toBuys({ count: MANY, users: 1 }), ...fewOfSecond]
    const sandbox = await openSandbox({ users: 2, transactions, nodeArgs })
    const load = startHelper('load', 'load.mjs')
    const [first, second] = await openSessions(sandbox, 2)
    const { port } = sandbox
    const measured = await compareServing({
      load,
      rounds,
      ours: { port, requests: toPages(first, MANY) },
      bare: { port, requests: toPages(second, FEW) },
      slack: SLACK,
    })
    await Promise.all([sandbox.stop(), load.stop()])
    return measured
  },
}

function toPages({ token }, total) {
  const calls = Array.from({ length: PAGES }, (_, i) => {
    const offset = Math.floor((i * (total - LIMIT)) / (PAGES - 1))
    return ['GET', `/v2/transactions?limit=${LIMIT}&offset=${offset}`, { token }]
  })
  return toRequests(calls)
}
