import { CALLERS, createMany } from '../calls.mjs'
import { openSandbox, toBuys } from '../sandbox.mjs'

const OBJECTS = 10_000
/** Of the objects in a fixture; the others are their transactions. */
const USERS = 2_000
const RESETS = 40
const WARM_UPS = 5

const row = (name, under, measure) => ({ name, unit: 'ms', at: 0.95, aim: { under }, measure })

/** What a suite does between two tests that left much behind. */
export const resetGrown = row(
  'POST /_sandbox/reset, p95, 10,000 objects made since the start',
  10,
  async ({ nodeArgs }) => {
    const sandbox = await openSandbox({ users: CALLERS, nodeArgs })
    return measureResets(sandbox, () => createMany(sandbox, { count: OBJECTS }))
  },
)

/** The same objects, but all of them in the fixture: they have to be there again. */
export const resetFixture = row(
  'POST /_sandbox/reset, p95, to a fixture of 10,000 objects',
  40,
  async ({ nodeArgs }) => {
    const transactions = toBuys({ count: OBJECTS - USERS, users: USERS })
    const sandbox = await openSandbox({ users: USERS, transactions, nodeArgs })
    return measureResets(sandbox, () => undefined)
  },
)

async function measureResets(sandbox, prepare) {
  const measured = []
  for (let i = -WARM_UPS; i < RESETS; i++) {
    await prepare()
    const startedAt = performance.now()
    await sandbox.call('POST', '/_sandbox/reset', { body: {} })
    const ours = performance.now() - startedAt
    if (i >= 0) measured.push({ ours })
  }
  await sandbox.stop()
  return measured
}
