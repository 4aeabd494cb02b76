// The load generator, a process of its own: keep-alive sockets, one request at a time on each.
import { connect } from 'node:net'

process.on('message', async (order) => {
  try {
    process.send({ result: await load(order) })
  } catch (error) {
    process.send({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))

/** Sends the requests in turn over all connections for a while, and counts whole answers. */
async function load({ port, requests, connections, ms }) {
  const startedAt = performance.now()
  const until = startedAt + ms
  const counts = await Promise.all(
    Array.from({ length: connections }, (_, i) => talk({ port, requests, first: i, until })),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const answered = counts.reduce((sum, { count }) => sum + count, 0)
  return { answered, seconds, perSecond: answered / seconds, bodyBytes: counts[0].bodyBytes }
}

function talk({ port, requests, first, until }) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let next = first
  let count = 0
  let bodyBytes = 0
  let kept = null
  return new Promise((resolve, reject) => {
    socket.on('connect', ask)
    socket.on('data', take)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))

    function ask() {
      socket.write(requests[next++ % requests.length])
    }

    function take(chunk) {
      const bytes = kept ? Buffer.concat([kept, chunk]) : chunk
      const answer = readAnswer(bytes)
      kept = answer ? null : bytes
      if (!answer) return
      if (answer.error) return reject(new Error(answer.error))
      count++
      bodyBytes = answer.bodyBytes
      if (performance.now() < until) return ask()
      socket.removeAllListeners('close')
      socket.destroy()
      resolve({ count, bodyBytes })
    }
  })
}

/** One whole answer, or nothing while some of it is still to come. */
function readAnswer(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.latin1Slice(0, headEnd)
  const status = head.slice(9, 12)
  if (status[0] !== '2') return { error: `answered ${bytes.toString()}` }
  const bodyBytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
  if (Number.isNaN(bodyBytes)) return { error: `no content-length in ${head}` }
  const missing = headEnd + 4 + bodyBytes - bytes.length
  if (missing < 0) return { error: 'more came than was asked for' }
  return missing === 0 ? { bodyBytes } : undefined
}
