import { createMany, openSessions, readsOf, toCreation, toList, toRequests } from '../calls.mjs'
import { startHelper } from '../processes.mjs'
import { openSandbox, toBuys } from '../sandbox.mjs'
import { compareServing } from '../serving.mjs'

/** Of each user: the first come with the fixture, which takes no more than 200,000 in all. */
const EACH = 25
const EACH_IN_FIXTURE = 5
const MANY = 1_000_000
const FEW = 1_000

const many = MANY.toLocaleString('en')
const row = (what, toCalls) => ({
  name: `${what}, ${many} stored`,
  beside: `the same with ${FEW.toLocaleString('en')} stored`,
  unit: 'requests/s',
  aim: { least: 0.9 },
  measure: (options) => measureFull(options, toCalls),
  close,
})

const toReads = (sandbox, sessions) => readsOf(sandbox, sessions, { each: EACH })
const toLists = (_, sessions) => sessions.map(toList)
const toCreations = (_, sessions) => sessions.map(toCreation)

export const readFull = row('GET /v2/transactions/{id}', toReads)
export const listFull = row('GET /v2/transactions', toLists)
export const createFull = row('POST /v2/transactions', toCreations)

export const heap = {
  name: 'heap per stored transaction',
  unit: 'bytes',
  aim: { under: 1_500 },
  async measure(options) {
    const { bytesEach } = await openBoth(options)
    return [{ ours: bytesEach }]
  },
  close,
}

/** Filling takes a minute, so the rows here share what was filled, and only creation adds to it. */
let both

function openBoth({ nodeArgs }) {
  both ??= open()
  return both

  async function open() {
    const load = startHelper('load', 'load.mjs')
    const full = await fill({ count: MANY, nodeArgs })
    const small = await fill({ count: FEW, nodeArgs })
    await small.sandbox.take()
    return { load, full, small, bytesEach: full.bytesEach }
  }
}

async function fill({ count, nodeArgs }) {
  const users = count / EACH
  const inFixture = users * EACH_IN_FIXTURE
  const transactions = toBuys({ count: inFixture, users })
  const sandbox = await openSandbox({ users, transactions, nodeArgs, probe: true })
  const before = await sandbox.ask()
  await createMany(sandbox, { count: count - inFixture })
  const after = await sandbox.ask()
  const bytesEach = (after.bytes - before.bytes) / (count - inFixture)
  return { sandbox, sessions: await openSessions(sandbox), bytesEach }
}

async function measureFull({ rounds, nodeArgs }, toCalls) {
  const { load, full, small } = await openBoth({ nodeArgs })
  const toSide = async ({ sandbox, sessions }) => ({
    port: sandbox.port,
    requests: toRequests(await toCalls(sandbox, sessions)),
  })
  const ours = await toSide(full)
  // A million stay about a million; a thousand would grow to many times that with what is created.
  const bare = { ...(await toSide(small)), prepare: small.sandbox.restore }
  return compareServing({ load, rounds, ours, bare })
}

async function close() {
  if (both === undefined) return
  const { load, full, small } = await both
  both = undefined
  await Promise.all([load.stop(), full.sandbox.stop(), small.sandbox.stop()])
}
