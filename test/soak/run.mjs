// Hours of world life under load in ten minutes, in six worlds and a heap of 512 MB, with five hundred
// streams open and five connections that read nothing of the long responses that they ask for: the
// heap that a forced collection leaves may grow, after the first quarter, by a tenth of what full
// worlds take, and no call may be refused for want of room.
// SOAK_SECONDS says how long it takes; three rounds are played in any case. In less than a minute
// there are a fifth of the streams and of the rows that fill a world, and half of the rounds; the
// heap may then grow by less than the worlds take that end in a round.
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { startSandbox } from '../helpers/sandbox.mjs'
import { callsOf, hangUp, statuses } from './calls.mjs'
import { liveShortly, openLongWorld, openRestoredWorld } from './life.mjs'

const SOAK_SECONDS = Number(process.env.SOAK_SECONDS ?? 600)
/** Worlds that are followed: the first is never reset, the second in each round. */
const STAYING = ['long', 'reset']
/** How many worlds begin and end in each round. */
const ENDING = 3
const IS_SHORT = SOAK_SECONDS < 60
/** Of the worlds that stay, together. */
const STREAMS = IS_SHORT ? 100 : 500
const UNREAD = 5
/** How much of what a world may have the long one has. */
const SHARE = IS_SHORT ? 0.2 : 1
/** Rounds with full journals before the first that counts. */
const WARM_UPS = IS_SHORT ? 1 : 2
/** How many rounds are taken together. */
const TAKEN = IS_SHORT ? 1 : 2
const DRIFT_MAX = 0.1
/** Twice is usual: as much waits for those who do not read. */
const HELD_MAX = 3

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
  nodeArgs: [
    '--max-old-space-size=512',
    '--expose-gc',
    '--import',
    join(import.meta.dirname, 'heap.mjs'),
  ],
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
  const callWorld = (name) => callsOf(name === 'default' ? url : `${url}/w/${name}`)
  await measure('at the start')
  const long = await openLongWorld(callsOf(`${url}/w/long`), { receiver: hooks, share: SHARE })
  await long.fill()
  const restored = await openRestoredWorld(callWorld('restored'), {
    receiver: hooks,
    callWorld,
    share: SHARE,
  })
  const full = await measure('with full journals')
  // Only now: each would be sent all that fills a world.
  const streams = Array.from({ length: STREAMS }, (_, i) => follow(url, STAYING[i % 2]))
  for (let i = 0; i < UNREAD; i++) askAndIgnore(url)
  const measured = []
  for (let round = 0; !isOver(round, measured.length); round++) {
    await long.liveOn()
    const ending = Array.from({ length: ENDING }, (_, i) => liveAndEnd(url, `goes-${round}-${i}`))
    await Promise.all([liveAndReset(url), restored.liveOn(), ...ending])
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

/** Asks for a long page and takes nothing of it; a connection that is cut comes back. */
function askAndIgnore(url) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause().unref()
  const path = '/w/long/_sandbox/webhooks/deliveries?limit=1000'
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  socket.on('error', () => {})
  socket.on('close', () => sandbox.exitCode === null && askAndIgnore(url))
}

async function liveAndReset(url) {
  const call = callsOf(`${url}/w/reset`)
  await liveShortly(call, hooks)
  await call('POST', '/_sandbox/reset', { body: {} })
}

/** The stream of a world that ends is ended by it. */
async function liveAndEnd(url, name) {
  follow(url, name)
  await liveShortly(callsOf(`${url}/w/${name}`), hooks)
  await callsOf(url)('DELETE', `/_sandbox/worlds/${name}`)
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
  if (statuses[507] > 0) fail('Calls were refused for want of room.')
  if (drift > DRIFT_MAX) fail('The heap grows.')
  if (after > HELD_MAX * fullHeap) fail(`The heap is over ${HELD_MAX} times what full worlds take.`)
}

function fail(problem) {
  console.error(problem)
  process.exitCode = 1
}
