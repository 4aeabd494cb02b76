/**
 * A data file with more state than one text can hold: compacted while calls are made, and read
 * after a kill. `BIG_BYTES` changes how much there is. How long
 * calls wait is only printed, as other work on the machine counts in: `npm run bench` holds it
 * against its aim.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killAll } from '../helpers/sandbox.mjs'
import { compactBesideCalls, fill, start, uuid } from './data-file.mjs'

const STATE_BYTES = Number(process.env.BIG_BYTES ?? 1.5e9)
/** A compaction may keep a call waiting for so long, or four times as long as the machine does without one. */
const PAUSE_MAX_MS = 2_000
/** Reading takes twice the size of the file: a reader that held it once more would need 3. */
const SHARE_MAX = 2.5
const folder = mkdtempSync(join(process.env.BIG_FOLDER ?? tmpdir(), 'ramp-sandbox-big-'))
const file = join(folder, 'worlds')

try {
  const transactions = await fill(file, STATE_BYTES)
  console.log(`big: ${transactions} transactions, ${mebibytes(statSync(file).size)} MiB`)
  const users = await compact()
  await readAfterKill(transactions, users)
} finally {
  killAll()
  rmSync(folder, { recursive: true, force: true })
}

/** The first write of a sandbox begins it: all that was filled in came in one go. */
async function compact() {
  const { made, madeMeanwhile, seconds, slowestMs, quietMs } = await compactBesideCalls(file)
  const pause = `${slowestMs.toFixed(0)} ms`
  console.log(
    `big: compacted in ${seconds.toFixed(1)} s, ${madeMeanwhile} calls, the slowest took ${pause}; ` +
      `as long without a compaction, ${made - madeMeanwhile} calls, ${quietMs.toFixed(0)} ms`,
  )
  if (madeMeanwhile === 0) throw new Error('It was compacted before a call was made.')
  if (slowestMs > Math.max(PAUSE_MAX_MS, 4 * quietMs)) throw new Error(`A call waited ${pause}.`)
  return made
}

async function readAfterKill(transactions, usersMin) {
  const small = await start(join(folder, 'small'))
  const own = peakOf(small)
  await small.kill()
  const began = performance.now()
  // So that V8 collects what it can before it takes more.
  const heapMaxMb = Math.ceil(SHARE_MAX * mebibytes(statSync(file).size))
  const sandbox = await start(file, { heapMaxMb })
  const peak = peakOf(sandbox)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const share = (peak - own) / statSync(file).size
  console.log(
    `big: read after a kill in ${seconds} s with ${mebibytes(peak)} MiB, of which ` +
      `${mebibytes(own)} MiB without it: ${share.toFixed(2)} times its size`,
  )
  await expectAll(sandbox, transactions)
  const { total } = await sandbox.call('GET', '/_sandbox/users?limit=1')
  console.log(`big: ${total} users are there`)
  if (total < usersMin) throw new Error(`That is less than the ${usersMin} that were acknowledged.`)
  if (share > SHARE_MAX) throw new Error('Reading took more than two and a half times the state.')
  await sandbox.kill()
}

/** The most memory that a process has had, in bytes. */
function peakOf({ pid }) {
  return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1])
}

async function expectAll(sandbox, transactions) {
  const { total } = await sandbox.call('GET', '/_sandbox/transactions?limit=1')
  if (total !== transactions) throw new Error(`${total} of ${transactions} transactions are there.`)
  for (let i = 1; i < transactions; i += Math.ceil(transactions / 500)) {
    const { id } = await sandbox.call('GET', `/_sandbox/transactions/${uuid(2, i)}`)
    if (id !== uuid(2, i)) throw new Error(`${id} came for ${uuid(2, i)}.`)
  }
}

function mebibytes(bytes) {
  return Math.round(bytes / 2 ** 20)
}
