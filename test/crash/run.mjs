import { existsSync, mkdtempSync, readdirSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectSandbox } from '../../dist/index.js'
import { ask, killAll, spawnSandbox, startSandbox, stop } from '../helpers/sandbox.mjs'

const CRASHES = Number(process.env.CRASHES ?? 100)
const CLIENTS = 8
const WRITES_MAX = 120
/** Every so many times the next start is killed while it reads, too. */
const READING_EVERY = 2
const READING_MS = 400
/** A world that takes long to write, and is replaced again and again. */
const BULK = { users: Array.from({ length: 2_000 }, (_, i) => ({ email: `${i}@example.com` })) }
const WRITING_MS = 30

const root = mkdtempSync(join(tmpdir(), 'ramp-sandbox-crash-'))
const folder = join(root, 'worlds')
const draw = createDice(Number(process.env.CRASH_SEED ?? 1))
/** What was acknowledged: users by id, transactions by id with the last status that was acknowledged. */
const acknowledged = { users: new Set(), transactions: new Map() }
let made = 0
/** How many kills left a file half written behind, and how many came before the first response. */
let duringWriting = 0
let duringReading = 0

try {
  for (let crash = 1; crash <= CRASHES; crash++) {
    await liveAndDie(crash)
    if (readdirSync(folder).some((name) => name.endsWith('.tmp'))) duringWriting++
    if (crash % READING_EVERY === 0) await dieReading()
  }
  const { child, url } = await startSandbox(argsNow())
  await findAll(url)
  await stop(child)
  const { users, transactions } = acknowledged
  if (users.size === 0) throw new Error('No write was acknowledged, so none could be lost.')
  console.log(
    `crash: ${CRASHES} kills, ${duringWriting} of them during a write, and ` +
      `${duringReading} while reading; ` +
      `${users.size} users and ${transactions.size} transactions, none lost`,
  )
} finally {
  killAll()
  rmSync(root, { recursive: true, force: true })
}

async function liveAndDie(crash) {
  const { child, url } = await startSandbox(argsNow())
  await findAll(url)
  const killAfter = 1 + Math.floor(draw() * WRITES_MAX)
  let writes = 0
  const dead = new Promise((resolve) => child.once('exit', resolve))
  const onWrite = () => ++writes === killAfter && child.kill('SIGKILL')
  // In every second life nothing but the writes decides when it ends.
  const isOrdinary = crash % 2 === 0
  const watcher = watch(folder, (_, name) => {
    if (isOrdinary || !name?.endsWith('.tmp')) return
    setTimeout(() => child.kill('SIGKILL'), draw() * WRITING_MS)
  })
  const clients = Array.from({ length: CLIENTS }, () => work(url, onWrite))
  await Promise.all(isOrdinary ? clients : [...clients, replaceBulk(url)])
  await dead
  watcher.close()
  if (crash % 20 === 0) console.log(`crash: ${crash} of ${CRASHES}`)
}

/** Ends a start that may not have come to its first response yet. */
async function dieReading() {
  const child = spawnSandbox(argsNow())
  const dead = new Promise((resolve) => child.once('exit', resolve))
  let hasStarted = false
  child.stdout.once('data', () => {
    hasStarted = true
  })
  setTimeout(() => child.kill('SIGKILL'), draw() * READING_MS)
  await dead
  if (!hasStarted) duringReading++
}

/** One client: it registers users and trades for them until nobody responds any more. */
async function work(url, onWrite) {
  const world = draw() < 0.5 ? url : `${url}/w/other`
  try {
    for (;;) {
      const email = `user-${made++}@example.com`
      const user = await send('POST', `${world}/v2/users`, { email })
      acknowledged.users.add(`${world.slice(url.length)} ${user.data.id}`)
      onWrite()
      await send('POST', `${world}/_sandbox/simulate/users/${email}/kyc`, { status: 'verified' })
      onWrite()
      await trade(world, world.slice(url.length), { email, onWrite })
    }
  } catch (error) {
    if (!isBroken(error)) throw error
  }
}

async function replaceBulk(url) {
  try {
    for (;;) await send('POST', `${url}/w/bulk/_sandbox/reset`, { fixture: BULK })
  } catch (error) {
    if (!isBroken(error)) throw error
  }
}

async function trade(world, name, { email, onWrite }) {
  const sandbox = connectSandbox(world)
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
  const { transaction } = await sandbox.buy(email, { cad: 100, wallet })
  acknowledged.transactions.set(`${name} ${transaction.id}`, transaction.status)
  onWrite()
  const { to } = await sandbox.simulate.settled(transaction.id, { through: true })
  acknowledged.transactions.set(`${name} ${transaction.id}`, to)
  onWrite()
}

function send(method, url, body) {
  return ask(method, url, { key: 'sandbox-key', body })
}

/** A connection that the killed process left. */
function isBroken(error) {
  return [error.name, error.code].some((it) =>
    ['TypeError', 'SyntaxError', 'unreachable'].includes(it),
  )
}

/** Everything that was acknowledged is there, and no transaction stands before its response. */
async function findAll(url) {
  const { total } = await send('GET', `${url}/w/bulk/_sandbox/users?limit=1`)
  if (total !== 0 && total !== BULK.users.length) throw new Error(`${total} users of a reset`)
  for (const name of ['', '/w/other']) {
    const state = await send('GET', `${url}${name}/_sandbox/state`)
    const users = new Set(state.users.map(({ id }) => `${name} ${id}`))
    for (const user of acknowledged.users) {
      if (user.startsWith(`${name} `) && !users.has(user)) throw new Error(`lost user ${user}`)
    }
    const statuses = new Map(state.transactions.map(({ id, status }) => [`${name} ${id}`, status]))
    for (const [id, status] of acknowledged.transactions) {
      if (!id.startsWith(`${name} `)) continue
      const found = statuses.get(id)
      if (found === undefined) throw new Error(`lost transaction ${id}`)
      if (status === 'complete' && found !== status) throw new Error(`${id} fell back to ${found}`)
    }
  }
}

/** The clock of a world that was kept goes on. */
function argsNow() {
  const isKept = existsSync(join(folder, 'default.json'))
  return ['--data', folder, ...(isKept ? [] : ['--clock', '2026-07-01T12:00:00Z'])]
}

/** The same numbers from 0 to 1 for the same seed. */
function createDice(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
