import { startHelper } from '../processes.mjs'
import { measureRounds } from '../rounds.mjs'
import { openSandbox, toBuys } from '../sandbox.mjs'

const TASKS = 100_000
const USERS = 40_000
const ROUNDS = 3

export const advance = {
  name: `advance over ${TASKS.toLocaleString('en')} due expiries`,
  beside: 'a bare binary heap popping as many',
  unit: 'ms',
  aim: { most: 25 },
  async measure({ nodeArgs }) {
    // Spread over a quarter of an hour, as pending ones are: not all of them at one instant.
    const createdAt = (i) => `-${(i * 7919) % 1000}s`
    const transactions = toBuys({ count: TASKS, users: USERS, createdAt })
    const sandbox = await openSandbox({ users: USERS, transactions, nodeArgs })
    await sandbox.take()
    const heap = startHelper('server', 'heap.mjs')
    const measured = await measureRounds({
      rounds: ROUNDS,
      warmUps: 1,
      ours: () => expireAll(sandbox),
      bare: async () => (await heap.ask({ tasks: TASKS })).ms,
    })
    await Promise.all([sandbox.stop(), heap.stop()])
    return measured
  },
}

async function expireAll(sandbox) {
  await sandbox.restore()
  const startedAt = performance.now()
  const { json } = await sandbox.call('POST', '/_sandbox/clock/advance', { body: { by: '1h' } })
  const ms = performance.now() - startedAt
  if (json.firedCount !== TASKS) throw new Error(`${json.firedCount} tasks fired`)
  return ms
}
