/** A data file as large as one likes, and sandboxes that are killed over it. */
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { connectSandbox } from '../../dist/index.js'
import { ask, startSandbox } from '../helpers/sandbox.mjs'

const USERS = 20_000
const COMPACTION_MAX_MS = 300_000
const CLOCK = '2026-07-01T12:00:00Z'

/**
 * Makes a file with so many bytes of state: rows behind those of a small world, in the form that the
 * sandbox itself writes. Returns how many transactions it has.
 */
export async function fill(file, stateBytes) {
  const sandbox = await start(file, {
    options: ['--fixture', 'verified-user', '--clock', CLOCK],
  })
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
  await connectSandbox(sandbox.url).buy('alice@example.com', { cad: 100, wallet })
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
  for (; bytes < stateBytes; count++) {
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
  return count
}

/**
 * Calls until the file is compacted, and times every call until then; and as long again
 * without a compaction, which says what of it is due to the machine.
 */
export async function compactBesideCalls(file) {
  // Before the start: it begins with the first write.
  const before = statSync(file).ino
  const sandbox = await start(file)
  let made = 0
  const began = performance.now()
  const slowestMs = await callUntil(() => statSync(file).ino !== before)
  const compactedMs = performance.now() - began
  if (compactedMs > COMPACTION_MAX_MS) throw new Error('It was not compacted.')
  const madeMeanwhile = made
  const quietMs = await callUntil(() => performance.now() > began + 2 * compactedMs)
  await sandbox.kill()
  return { made, madeMeanwhile, seconds: compactedMs / 1000, slowestMs, quietMs }

  /** Four callers; returns what the slowest call took. */
  async function callUntil(isOver) {
    const slowest = await Promise.all([1, 2, 3, 4].map(work))
    return Math.max(...slowest)

    async function work() {
      let slowestMs = 0
      while (!isOver() && performance.now() < began + 2 * COMPACTION_MAX_MS) {
        const at = performance.now()
        await sandbox.call('POST', '/v2/users', { email: `late-${made++}@example.com` })
        slowestMs = Math.max(slowestMs, performance.now() - at)
      }
      return slowestMs
    }
  }
}

export async function start(data, { options = [], heapMaxMb = 8192 } = {}) {
  const sandbox = await startSandbox(['--data', data, ...options], {
    nodeArgs: [`--max-old-space-size=${heapMaxMb}`],
  })
  const { url, child } = sandbox
  const call = (method, path, body) => ask(method, url + path, { key: 'sandbox-key', body })
  return { url, pid: child.pid, call, kill: () => sandbox.stop('SIGKILL') }
}

/** Of the transaction (2) or user (1) of this number. */
export function uuid(kind, number) {
  const digits = number.toString(16).padStart(12, '0')
  return `0000000${kind}-0000-4000-8000-${digits}`
}
