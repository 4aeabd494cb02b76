// Hours of world life under load in ten minutes, in five worlds, with five hundred streams open and two
// hundred connections that read nothing of the long responses that they ask for: the heap that a
// forced collection leaves may grow, after the first quarter, by a tenth of what full worlds take.
// SOAK_SECONDS says how long it takes, and is at least about half a minute.
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { startSandbox } from '../helpers/sandbox.mjs'
import { callsOf, hangUp, statuses } from './calls.mjs'
import { liveShortly, openLongWorld } from './life.mjs'

const SOAK_SECONDS = Number(process.env.SOAK_SECONDS ?? 600)
/** Beside the world that is never reset: of these, one is reset in each round, and the others end. */
const OTHER_WORLDS = 4
/** Of the worlds that stay, together. */
const STREAMS = 500
const UNREAD = 200
/** Rounds with full journals before the first that counts, and how many are taken together. */
const WARM_UPS = 2
const TAKEN = 2
const DRIFT_MAX = 0.1

const startedAt = performance.now()
const secondsGone = () => (performance.now() - startedAt) / 1000
const toMb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]

const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end())
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const hooks = `http://127.0.0.1:${receiver.address().port}`
const { child: sandbox, url } = await startSandbox(['--clock', 'frozen'], {
  nodeArgs: ['--expose-gc', '--import', join(import.meta.dirname, 'heap.mjs')],
  stdio: ['ipc'],
})
try {
  await soak(url)
} finally {
  sandbox.kill('SIGTERM')
  hangUp()
  receiver.close()
}

async function soak(url) {
  await measure('at the start')
  const long = await openLongWorld(callsOf(`${url}/w/long`), hooks)
  const worlds = Array.from({ length: OTHER_WORLDS }, (_, i) => i)
  const staying = worlds.filter(isStaying)
  const names = ['long', ...staying.map((i) => `stays-${i}`)]
  await long.fill()
  const full = await measure('with full journals')
  // Only now: each would be sent all that fills a world.
  const streams = Array.from({ length: STREAMS }, (_, i) => follow(url, names[i % names.length]))
  for (let i = 0; i < UNREAD; i++) askAndIgnore(url)
  const measured = []
  for (let round = 0; !isOver(round, measured.length); round++) {
    await long.liveOn()
    await Promise.all(worlds.map((i) => live(url, round, i)))
    const taken = await measure(`after round ${round}`)
    if (round >= WARM_UPS && secondsGone() > SOAK_SECONDS / 4) measured.push(taken)
  }
  for (const stream of streams) stream.destroy()
  judge(measured, full.heap)
}

function isOver(round, measured) {
  return secondsGone() > SOAK_SECONDS && round > WARM_UPS && measured >= 2 * TAKEN
}

/** Reads the stream of a world all the time. */
function follow(url, name) {
  const path = `/w/${name}/_sandbox/events/stream`
  return get(url + path, (events) => events.resume().on('error', () => {}))
}

/** Asks for long pages and takes nothing of them; a connection that is cut comes back. */
function askAndIgnore(url) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause().unref()
  const path = '/w/long/_sandbox/webhooks/deliveries?limit=1000'
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`.repeat(10))
  socket.on('error', () => {})
  socket.on('close', () => sandbox.exitCode === null && askAndIgnore(url))
}

function isStaying(i) {
  return i === 0
}

/** One of the worlds is reset and lives again; the others end, and never come back. */
async function live(url, round, i) {
  const staying = isStaying(i)
  const name = staying ? `stays-${i}` : `goes-${round}-${i}`
  // The stream of a world that ends is ended by it.
  if (!staying) follow(url, name)
  await liveShortly(callsOf(`${url}/w/${name}`), hooks)
  const call = callsOf(url)
  if (staying) await call('POST', `/w/${name}/_sandbox/reset`, { body: {} })
  else await call('DELETE', `/_sandbox/worlds/${name}`)
}

async function measure(when) {
  sandbox.send('measure')
  const [{ heap, rss }] = await once(sandbox, 'message')
  console.log(`${Math.round(secondsGone())} s: heap ${toMb(heap)}, resident ${toMb(rss)}, ${when}`)
  return { heap, rss }
}

function judge(measured, fullHeap) {
  const before = median(measured.slice(0, TAKEN).map(({ heap }) => heap))
  const after = median(measured.slice(-TAKEN).map(({ heap }) => heap))
  const peak = Math.max(...measured.map(({ rss }) => rss))
  // Not of `before`: most of that is what waits for those who do not read.
  const drift = (after - before) / fullHeap
  const calls = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  console.log(`${calls} calls, by status: ${JSON.stringify(statuses)}`)
  console.log(`${measured.length} rounds that count, ${toMb(peak)} resident at most`)
  console.log(`heap from ${toMb(before)} to ${toMb(after)}: ${(drift * 100).toFixed(1)} %`)
  if (Math.abs(drift) <= DRIFT_MAX) return
  console.error('The heap is not flat.')
  process.exitCode = 1
}
