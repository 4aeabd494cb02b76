/**
 * Kills a sandbox that keeps its worlds in a file, at random points under load, and looks for
 * every write that was answered. `CRASHES` and `CRASH_SEED` change how often and where.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const CRASHES = Number(process.env.CRASHES ?? 100)
const CLIENTS = 8
const WRITES_MAX = 120
const KEY = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'ramp-sandbox-crash-'))
const file = join(folder, 'worlds.json')
const draw = createDice(Number(process.env.CRASH_SEED ?? 1))
/** What was answered: users by id, transactions by id with the last status that was answered. */
const answered = { users: new Set(), transactions: new Map() }
let made = 0

try {
  for (let crash = 1; crash <= CRASHES; crash++) await liveAndDie(crash)
  const { child, url } = await start()
  await findAll(url)
  await stop(child, 'SIGTERM')
  const { users, transactions } = answered
  console.log(
    `crash: ${CRASHES} kills, ${users.size} users and ${transactions.size} transactions, none lost`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function liveAndDie(crash) {
  const { child, url } = await start()
  await findAll(url)
  const killAfter = 1 + Math.floor(draw() * WRITES_MAX)
  let writes = 0
  const dead = new Promise((resolve) => child.once('exit', resolve))
  const onWrite = () => ++writes === killAfter && child.kill('SIGKILL')
  const clients = Array.from({ length: CLIENTS }, () => work(url, onWrite))
  await Promise.all(clients)
  await dead
  if (crash % 20 === 0) console.log(`crash: ${crash} of ${CRASHES}`)
}

/** One client: it registers users and trades for them until nobody answers any more. */
async function work(url, onWrite) {
  const world = draw() < 0.5 ? url : `${url}/w/other`
  try {
    for (;;) {
      const email = `user-${made++}@example.com`
      const user = await send('POST', `${world}/v2/users`, { email })
      answered.users.add(`${world.slice(url.length)} ${user.data.id}`)
      onWrite()
      await send('POST', `${world}/_sandbox/simulate/users/${email}/kyc`, { status: 'verified' })
      onWrite()
      await trade(world, world.slice(url.length), { email, onWrite })
    }
  } catch (error) {
    if (!isBroken(error)) throw error
  }
}

async function trade(world, name, { email, onWrite }) {
  await send('POST', `${world}/_sandbox/simulate/users/${email}/account`, { loginCode: '1234' })
  await send('POST', `${world}/v2/auth/login-codes`, { email })
  const token = await send('POST', `${world}/v2/auth/login-codes/verify`, { email, code: '1234' })
  const headers = { authorization: `Bearer ${token.data.accessToken}` }
  const pair = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC' }
  const quote = await send('GET', `${world}/v2/quotes?${new URLSearchParams(pair)}`)
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
  const body = { ...pair, wallet, quoteId: quote.data.quoteId }
  const { data } = await send('POST', `${world}/v2/transactions`, body, headers)
  answered.transactions.set(`${name} ${data.id}`, data.status)
  onWrite()
  const path = `${world}/_sandbox/simulate/transactions/${data.id}/settled`
  const settled = await send('POST', path, { through: true })
  answered.transactions.set(`${name} ${data.id}`, settled.to)
  onWrite()
}

async function send(method, url, body, headers = {}) {
  const init = { method, headers: { ...KEY, ...headers } }
  const response = await fetch(url, body ? { ...init, body: JSON.stringify(body) } : init)
  const answer = await response.json()
  if (!response.ok)
    throw new Error(`${method} ${url}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

/** A connection that the killed process left. */
function isBroken(error) {
  return error instanceof TypeError || error.name === 'SyntaxError'
}

/** Everything that was answered is there, and no transaction stands before its answer. */
async function findAll(url) {
  for (const name of ['', '/w/other']) {
    const state = await send('GET', `${url}${name}/_sandbox/state`)
    const users = new Set(state.users.map(({ id }) => `${name} ${id}`))
    for (const user of answered.users) {
      if (user.startsWith(`${name} `) && !users.has(user)) throw new Error(`lost user ${user}`)
    }
    const statuses = new Map(state.transactions.map(({ id, status }) => [`${name} ${id}`, status]))
    for (const [id, status] of answered.transactions) {
      if (!id.startsWith(`${name} `)) continue
      const found = statuses.get(id)
      if (found === undefined) throw new Error(`lost transaction ${id}`)
      if (status === 'complete' && found !== status) throw new Error(`${id} fell back to ${found}`)
    }
  }
}

async function start() {
  const args = [CLI, 'start', '--port', '0', '--json', '--data', file]
  const clock = ['--clock', '2026-07-01T12:00:00Z']
  const child = spawn(process.execPath, [...args, ...clock], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, url: JSON.parse(line).url }
  }
  throw new Error('The sandbox did not start.')
}

async function stop(child, signal) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

/** The same numbers from 0 to 1 for the same seed. */
function createDice(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
