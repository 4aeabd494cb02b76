/**
 * A data file with more state than one text can hold: read after a kill, compacted while calls are
 * timed, exported, and taken from a process that was stopped. `BIG_BYTES` changes how much there is.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'

const STATE_BYTES = Number(process.env.BIG_BYTES ?? 1.5e9)
const USERS = 20_000
/** Nobody may wait longer; the machine may be busy with other things, too. */
const WAIT_MAX_MS = Number(process.env.BIG_WAIT_MS ?? 250)
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const KEY = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
const CLOCK = '2026-07-01T12:00:00Z'
const folder = mkdtempSync(join(process.env.BIG_FOLDER ?? tmpdir(), 'ramp-sandbox-big-'))
const file = join(folder, 'worlds')
const children = []

try {
  const transactions = await fill()
  await readAfterKill(transactions)
  await compactBesideCalls(transactions)
  await takeFromStopped()
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** Writes rows behind those of a small world, in the form that the sandbox itself writes. */
async function fill() {
  const sandbox = await start(file, ['--fixture', 'verified-user', '--clock', CLOCK])
  const email = 'alice@example.com'
  await sandbox.call('POST', `/_sandbox/simulate/users/${email}/account`, { loginCode: '1234' })
  await sandbox.call('POST', '/v2/auth/login-codes', { email })
  const { data } = await sandbox.call('POST', '/v2/auth/login-codes/verify', {
    email,
    code: '1234',
  })
  const pair = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC' }
  const quote = await sandbox.call('GET', `/v2/quotes?${new URLSearchParams(pair)}`)
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
  const body = { ...pair, wallet, quoteId: quote.data.quoteId }
  await sandbox.call('POST', '/v2/transactions', body, {
    authorization: `Bearer ${data.accessToken}`,
  })
  await sandbox.kill()
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const rows = lines.map((line) => JSON.parse(line.slice(9)))
  const last = (list) => rows.findLast(([kind]) => kind === list)[1]
  const [world, user, transaction] = ['world', 'users', 'transactions'].map(last)
  const out = openSync(file, 'a')
  let checksum = Number.parseInt(lines.at(-1).slice(0, 8), 16)
  let text = ''
  let bytes = 0
  const write = (row) => {
    const json = JSON.stringify(row)
    checksum = crc32(json, checksum)
    text += `${checksum.toString(16).padStart(8, '0')} ${json}\n`
    if (text.length < 1e6) return
    bytes += writeSync(out, text)
    text = ''
  }
  write(['world', { ...world, isWhole: false }])
  const closed = { closedAt: transaction.createdAt, status: 'complete', paymentId: 'x'.repeat(64) }
  let count = 1
  for (; bytes < STATE_BYTES; count++) {
    const userId = uuid(1, count % USERS)
    const history = [
      'pending request money transfer',
      'processing request money transfer',
      'complete',
    ]
    if (count <= USERS) {
      write([
        'users',
        { ...user, id: userId, email: `user-${count}@example.com`, transactionCount: 2e5 },
      ])
    }
    write([
      'transactions',
      {
        ...transaction,
        ...closed,
        id: uuid(2, count),
        userId,
        history: history.map((status) => ({ status, at: transaction.createdAt })),
      },
    ])
  }
  write(['end', null])
  writeSync(out, text)
  // Or the first call would wait for all of it.
  fsyncSync(out)
  closeSync(out)
  console.log(`big: ${count} transactions, ${mebibytes(statSync(file).size)} MiB`)
  return count
}

async function readAfterKill(transactions) {
  const began = performance.now()
  const sandbox = await start(file)
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${sandbox.pid}/status`, 'utf8'))[1])
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const share = (peak * 1024) / statSync(file).size
  console.log(
    `big: read in ${seconds} s with ${mebibytes(peak * 1024)} MiB, ${share.toFixed(2)} of it`,
  )
  await expectAll(sandbox, transactions)
  if (share > 2) throw new Error('Reading took more memory than twice the state.')
  await sandbox.kill()
}

async function expectAll(sandbox, transactions) {
  const { total } = await sandbox.call('GET', '/_sandbox/transactions?limit=1')
  if (total !== transactions) throw new Error(`${total} of ${transactions} transactions are there.`)
  for (let i = 1; i < transactions; i += Math.ceil(transactions / 500)) {
    const { id } = await sandbox.call('GET', `/_sandbox/transactions/${uuid(2, i)}`)
    if (id !== uuid(2, i)) throw new Error(`${id} came for ${uuid(2, i)}.`)
  }
}

/** Makes what was read grow until it is compacted, and times every call until then. */
async function compactBesideCalls(transactions) {
  const sandbox = await start(file)
  const before = statSync(file).ino
  let worst = 0
  let made = 0
  const began = performance.now()
  const isOver = () => statSync(file).ino !== before || performance.now() - began > 300_000
  const work = async () => {
    while (!isOver()) {
      const at = performance.now()
      await sandbox.call('POST', '/v2/users', { email: `late-${made++}@example.com` })
      worst = Math.max(worst, performance.now() - at)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  if (statSync(file).ino === before) throw new Error('It was not compacted.')
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `big: compacted in ${seconds} s, ${made} calls, the slowest took ${worst.toFixed(0)} ms`,
  )
  await sandbox.kill()
  const again = await start(file)
  await expectAll(again, transactions)
  const { total } = await again.call('GET', '/_sandbox/users?limit=1')
  console.log(`big: read again after a kill, ${total} users`)
  if (total < made) throw new Error(`${total} users are there, of ${made} that were answered.`)
  await again.kill()
  if (worst > WAIT_MAX_MS) throw new Error(`A call waited ${worst.toFixed(0)} ms.`)
}

/** What happens to two containers on one volume, of which one was paused. */
async function takeFromStopped() {
  const shared = join(folder, 'shared')
  const namespace = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
  if (spawnSync(namespace[0], [...namespace.slice(1), 'true']).status !== 0) {
    console.log('big: this machine allows no namespaces, so no takeover was tried')
    return
  }
  const paused = await start(shared, [], namespace)
  await paused.call('POST', '/v2/users', { email: 'before@example.com' })
  paused.signal('SIGSTOP')
  const began = performance.now()
  const other = await start(shared, [], namespace)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  await other.call('POST', '/v2/users', { email: 'other@example.com' })
  paused.signal('SIGCONT')
  const said = await paused
    .call('POST', '/v2/users', { email: 'late@example.com' })
    .then(() => 'an answer', String)
  if (!said.includes('507')) throw new Error(`The stopped owner gave ${said}.`)
  const { total } = await other.call('GET', '/_sandbox/users?limit=1')
  await paused.kill()
  await other.kill()
  const again = await start(shared, [], [])
  const found = await again.call('GET', '/_sandbox/users?limit=1')
  if (found.total !== total) throw new Error(`${found.total} of ${total} users are there.`)
  console.log(`big: taken over from a stopped process after ${seconds} s, which then wrote no more`)
  await again.kill()
}

async function start(data, options = [], [command, ...args] = []) {
  const line = [CLI, 'start', '--port', '0', '--json', '--data', data, ...options]
  const node = ['--max-old-space-size=8192', ...line]
  const child = command
    ? spawn(command, [...args, process.execPath, ...node], { stdio: ['ignore', 'pipe', 'inherit'] })
    : spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for await (const said of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(said)
    return { pid: child.pid, call: (...request) => call(url, ...request), signal, kill }
  }
  throw new Error('The sandbox did not start.')

  function signal(name) {
    // Behind unshare it is the only child.
    const [inner] = command
      ? readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
      : [child.pid]
    process.kill(Number(inner), name)
  }

  async function kill() {
    signal('SIGKILL')
    await ended
  }
}

async function call(url, method, path, body, headers) {
  const init = {
    method,
    headers: { ...KEY, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  }
  const response = await fetch(url + path, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

function uuid(kind, number) {
  const digits = number.toString(16).padStart(12, '0')
  return `0000000${kind}-0000-4000-8000-${digits}`
}

function mebibytes(bytes) {
  return Math.round(bytes / 2 ** 20)
}
