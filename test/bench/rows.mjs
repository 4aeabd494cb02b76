// The rows of the table, in its order. `measure` returns `[{ ours, bare }, …]`, one for each round.
import { execFileSync } from 'node:child_process'
import { readFile, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../helpers/sandbox.mjs'
import { toPuts } from './dynalite.mjs'
import { CLI, startHelper, startServer } from './processes.mjs'
import { CALLERS, openSandbox, toBuys, toCreation, toRead, toRequest } from './sandbox.mjs'

const root = join(import.meta.dirname, '../..')
const BARE = join(import.meta.dirname, 'bare-http.mjs')
const ASK = 'GET /_sandbox/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'
const MAKE = `const { createSandbox } = require(${JSON.stringify(join(root, 'dist/index.cjs'))})
createSandbox().then((sandbox) => sandbox.close())`

/** The first seconds of a process are several times slower than what follows. */
const SERVING = { ms: 800, warmUps: 3 }
const EXPIRIES = { count: 1_000, users: 400 }
const DELIVERIES = 5_000
const OBJECTS = 10_000
const KEPT_CALLS = 60
/** Of the objects in a fixture; the others are their transactions. */
const USERS = 2_000
/** Longer than a start waits before it keeps what it compiled. */
const KEPT_AFTER_MS = 1_500
const RESETS = { measured: 40, warmUps: 5 }
const TMPFS = 0x01021994

/** Node 20 has no aim: the versions that people run have one. */
const startRow = (name, aim, options) => ({
  name: `from spawn to the first response, ${name}`,
  beside: 'bare node:http',
  unit: 'ms',
  aim,
  measure: ({ rounds }) => measureStart({ rounds, figure: 'ms', ...options }),
})

const runRow = (name, most, args) => ({
  name,
  beside: 'node -e 0',
  unit: 'ms',
  aim: { most },
  measure: ({ rounds }) => {
    const [ours, bare] = [args, ['-e', '0']].map((all) => () => runOnce(all))
    return measureRounds({ rounds, warmUps: 1, ours, bare })
  },
})

const servingRow = (name, least, { beside = 'bare Hono, same bytes', measure }) => ({
  name,
  beside,
  unit: 'requests/s',
  aim: { least },
  measure,
})

const resetRow = (name, aim, measure) => ({
  name: `POST /_sandbox/reset, ${name}`,
  unit: 'ms',
  aim,
  measure,
})

export const ROWS = [
  startRow('this Node', {}),
  startRow('code kept, Node 22', { most: 1.45 }, { major: 22 }),
  startRow('code kept, Node 24', { most: 1.45 }, { major: 24 }),
  {
    name: 'resident memory after start',
    beside: 'bare node:http',
    unit: 'kB',
    aim: { most: 1.25 },
    measure: ({ rounds }) => measureStart({ rounds, figure: 'residentKb' }),
  },
  runRow('--version', 1.2, [CLI, '--version']),
  runRow('--help', 1.2, [CLI, '--help']),
  runRow('require, createSandbox and close', 3, ['-e', MAKE]),
  servingRow('GET /v2/transactions/{id}', 0.7, {
    measure: (options) => measureBesideHono(options, toReads),
  }),
  servingRow('POST /v2/transactions', 0.45, {
    beside: 'bare Hono + zod + Map insert, same bytes',
    measure: (options) => measureBesideHono(options, (_, sessions) => sessions.map(toCreation)),
  }),
  servingRow('POST /v2/transactions, no externalSessionId', 0.45, {
    beside: 'bare Hono + zod + Map insert, same bytes',
    measure: (options) =>
      measureBesideHono(options, (_, sessions) => sessions.map(toAnonymousCreation)),
  }),
  {
    name: 'POST /v2/transactions, beside an emulator that people know',
    beside: 'PutItem of the same fields, dynalite 4 in memory',
    unit: 'requests/s',
    aim: {},
    measure: measureBesideDynalite,
  },
  {
    name: 'advance over 1,000 due expiries',
    unit: 'ms',
    aim: { under: 150 },
    measure: measureAdvance,
  },
  {
    name: 'webhook deliveries in order',
    beside: 'a bare node:http keep-alive POST loop, same bytes',
    unit: 'POSTs/s',
    aim: { least: 0.75 },
    measure: measureDeliveries,
  },
  // What a suite does between two tests that left much behind.
  resetRow(
    'p95, 10,000 objects made since the start',
    { under: 10, at: 0.95 },
    async ({ nodeArgs }) => {
      const sandbox = await openSandbox({ users: CALLERS, nodeArgs })
      return measureResets(sandbox, () => sandbox.createMany(OBJECTS))
    },
  ),
  // The same objects, but all of them in the fixture: they have to be there again.
  resetRow('to a fixture of 10,000 objects', { most: 40 }, async ({ nodeArgs }) => {
    const transactions = toBuys({ count: OBJECTS - USERS, users: USERS })
    return measureResets(await openSandbox({ users: USERS, transactions, nodeArgs }), () => {})
  }),
  // Each call writes the whole world.
  ...[500, 2_000, 10_000].map((rows) => ({
    name: `POST /v2/users, --data, ${rows} rows`,
    unit: 'ms',
    aim: {},
    measure: (options) => measureKept(rows, options),
  })),
  {
    name: 'packed tarball',
    unit: 'kB',
    aim: { under: 700 },
    measure: async () => [{ ours: packedBytes() / 1000 }],
  },
]

/** Measures ours and the bare one in turn, so that whatever else the machine does hits both. */
async function measureRounds({ rounds, warmUps, ours, bare }) {
  const measured = []
  for (let round = -warmUps; round < rounds; round++) {
    const isFirst = round % 2 === 0
    const early = await (isFirst ? ours() : bare())
    const late = await (isFirst ? bare() : ours())
    const both = isFirst ? { ours: early, bare: late } : { ours: late, bare: early }
    if (round >= 0) measured.push(both)
  }
  return measured
}

async function measureStart({ rounds, figure, major }) {
  const node = major === undefined ? process.execPath : findNode(major)
  const once = async (toArgs) => (await startOnce(toArgs, { node }))[figure]
  const toOurs = (port) => [CLI, 'start', '--port', port]
  // The first one lives until what it compiled is kept.
  await startOnce(toOurs, { node, lifeMs: KEPT_AFTER_MS })
  return await measureRounds({
    rounds,
    warmUps: 1,
    ours: () => once(toOurs),
    bare: () => once((port) => [BARE, port]),
  })
}

/** Another version of Node, from the package of that name. */
function findNode(major) {
  const args = ['exec', '--yes', `--package=node@${major}`, '--', 'node', '-p', 'process.execPath']
  return execFileSync('npm', args, { encoding: 'utf8' }).trim()
}

async function startOnce(toArgs, { node, lifeMs = 0 }) {
  const port = await freePort()
  const startedAt = performance.now()
  const server = startServer(toArgs(String(port)), { node })
  while (!(await responds(port))) await new Promise((resolve) => setTimeout(resolve, 1))
  const ms = performance.now() - startedAt
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '')
  const residentKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN)
  await new Promise((resolve) => setTimeout(resolve, lifeMs))
  await server.stop()
  return { ms, residentKb }
}

/** A socket of its own each time: nothing that a client would have to load first. */
function responds(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(ASK))
    socket.once('data', (bytes) => {
      socket.destroy()
      resolve(bytes.toString('latin1').startsWith('HTTP/1.1 200'))
    })
    socket.once('error', () => resolve(false))
  })
}

function runOnce(args) {
  const startedAt = performance.now()
  execFileSync(process.execPath, args, { stdio: 'ignore' })
  return performance.now() - startedAt
}

async function measureBesideHono({ rounds, nodeArgs }, toCalls) {
  const sandbox = await openSandbox({ users: CALLERS, nodeArgs })
  const hono = startHelper('server', 'bare.mjs')
  const calls = await toCalls(sandbox, await sandbox.openSessions())
  const { text: response } = await sandbox.call(...calls[0])
  const { port } = await hono.ask('serve', { response })
  const requests = calls.map((call) => toRequest(...call))
  const ours = { port: sandbox.port, requests }
  const measured = await compareServing({ rounds, ours, bare: { port, requests } })
  await Promise.all([sandbox.stop(), hono.stop()])
  return measured
}

/** Another emulator does less, and other things: its row is for those who ask how fast that is. */
async function measureBesideDynalite({ rounds, nodeArgs }) {
  const sandbox = await openSandbox({ users: CALLERS, nodeArgs })
  const calls = (await sandbox.openSessions()).map(toCreation)
  const { json } = await sandbox.call(...calls[0])
  const dynalite = startHelper('server', 'dynalite.mjs')
  const { port } = await dynalite.ask('serve', { folder: findDynalite() })
  const measured = await compareServing({
    rounds,
    ours: { port: sandbox.port, requests: calls.map((call) => toRequest(...call)) },
    bare: { port, requests: toPuts(json.data) },
    isSame: false,
  })
  await Promise.all([sandbox.stop(), dynalite.stop()])
  return measured
}

/** Where npm keeps the package, below which it is found. */
function findDynalite() {
  const print = 'console.log(process.env.PATH.split(require("path").delimiter)[0])'
  const args = ['exec', '--yes', '--package=dynalite@4.0.0', '--', 'node', '-e', print]
  return join(execFileSync('npm', args, { encoding: 'utf8' }).trim(), '..')
}

/** One without a reference of the integrator, as many clients send it. */
function toAnonymousCreation({ token, body: { externalSessionId: _, ...body } }) {
  return toCreation({ token, body })
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

/** A user, and two rows for each order: itself and its quote. */
async function measureKept(rows, { nodeArgs }) {
  const users = rows / 5
  const transactions = toBuys({ count: (rows - users) / 2, users })
  const sandbox = await openSandbox({ users, transactions, isKept: true, nodeArgs })
  const { type } = await statfs(sandbox.folder)
  if (type === TMPFS) throw new Error(`${sandbox.folder} is no disk; TMPDIR can name another place`)
  const measured = []
  for (let i = 0; i < KEPT_CALLS; i++) {
    const startedAt = performance.now()
    await sandbox.call('POST', '/v2/users', { body: { email: `new-${i}@example.com` } })
    measured.push({ ours: performance.now() - startedAt })
  }
  await sandbox.stop()
  return measured
}

/**
 * Requests per second of two servers. Each is `{ port, requests }`. Their responses must have as many
 * bytes, unless the two do different things.
 */
async function compareServing({ rounds, ours, bare, isSame = true }) {
  const load = startHelper('load', 'load.mjs')
  const sizes = new Set()
  const run = async ({ port, requests }) => {
    const order = { port, requests, connections: CALLERS, ms: SERVING.ms }
    const { bodyBytes, perSecond } = await load.ask('load', order)
    sizes.add(bodyBytes)
    return perSecond
  }
  const { warmUps } = SERVING
  const sides = { ours: () => run(ours), bare: () => run(bare) }
  const measured = await measureRounds({ rounds, warmUps, ...sides })
  await load.stop()
  if (isSame && sizes.size > 1) throw new Error(`responses of ${[...sizes].join(' and ')} bytes`)
  return measured
}

async function measureAdvance({ rounds, nodeArgs }) {
  const { count, users } = EXPIRIES
  // Spread over a quarter of an hour, as pending ones are: not all of them at one instant.
  const createdAt = (i) => `-${(i * 7919) % 1000}s`
  const transactions = toBuys({ count, users, createdAt })
  const sandbox = await openSandbox({ users, transactions, nodeArgs })
  await sandbox.take()
  const measured = []
  for (let round = 0; round < rounds; round++) {
    measured.push({ ours: await expireAll(sandbox, count) })
  }
  await sandbox.stop()
  return measured
}

/** How long the one call takes. */
async function expireAll(sandbox, count) {
  await sandbox.restore()
  const startedAt = performance.now()
  const { json } = await sandbox.call('POST', '/_sandbox/clock/advance', { body: { by: '1h' } })
  const ms = performance.now() - startedAt
  if (json.firedCount !== count) throw new Error(`${json.firedCount} tasks fired`)
  return ms
}

async function measureDeliveries({ rounds, nodeArgs }) {
  const count = DELIVERIES
  // All due at one instant, so that nothing but the line decides when the next one leaves.
  const transactions = toBuys({ count, users: 1 })
  const sandbox = await openSandbox({ users: 1, transactions, nodeArgs })
  const receiver = startHelper('load', 'load.mjs')
  const poster = startHelper('server', 'bare.mjs')
  const { port } = await receiver.ask('openReceiver')
  const url = `http://127.0.0.1:${port}/webhooks`
  await sandbox.call('PUT', '/v2/webhook-configurations', { body: { url } })
  await sandbox.take()
  const sizes = new Set()
  const receive = async (send) => {
    await receiver.ask('expectPosts', { count })
    const [{ perSecond, bytes }] = await Promise.all([receiver.ask('readPosts'), send()])
    sizes.add(bytes)
    return perSecond
  }
  const ours = () => receive(() => expireAll(sandbox, count))
  await ours()
  // One as it went over the wire, for the bare loop to send again.
  const path = '/_sandbox/webhooks/deliveries?outcome=delivered'
  const { headers, body } = (await sandbox.call('GET', path)).json.deliveries.at(-1).request
  const bare = () => receive(() => poster.ask('post', { url, headers, body, count }))
  const measured = await measureRounds({ rounds, warmUps: 2, ours, bare })
  if (sizes.size > 1) throw new Error(`${count} POSTs of ${[...sizes].join(' and ')} bytes`)
  await Promise.all([sandbox.stop(), receiver.stop(), poster.stop()])
  return measured
}

async function measureResets(sandbox, prepare) {
  const measured = []
  for (let i = -RESETS.warmUps; i < RESETS.measured; i++) {
    await prepare()
    const startedAt = performance.now()
    await sandbox.call('POST', '/_sandbox/reset', { body: {} })
    const ours = performance.now() - startedAt
    if (i >= 0) measured.push({ ours })
  }
  await sandbox.stop()
  return measured
}

function packedBytes() {
  const args = ['pack', '--json', '--dry-run']
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8' })
  // The build that goes before prints lines of its own.
  return JSON.parse(text.slice(text.indexOf('[\n')))[0].size
}
