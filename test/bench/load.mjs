// The load generator, a process of its own: keep-alive sockets, each with one request, or as many
// as `depth` says, under way.
import { connect } from 'node:net'
import { eachMessage } from './http-message.mjs'

process.on('message', async (order) => {
  try {
    process.send({ result: await load(order) })
  } catch (error) {
    process.send({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))

/** Sends the requests in turn over all connections, for a while or so often, and counts responses. */
async function load({ port, requests, connections, ms, count, depth = 1 }) {
  const startedAt = performance.now()
  const until = startedAt + (ms ?? Number.POSITIVE_INFINITY)
  const share = (whole, i) => Math.floor((whole * i) / connections)
  const talks = Array.from({ length: connections }, (_, i) => {
    const own = count ? share(count, i + 1) - share(count, i) : Number.POSITIVE_INFINITY
    const mayAsk = (asked) => asked < own && performance.now() < until
    return talk({ port, requests, first: share(requests.length, i), depth, mayAsk })
  })
  const rest = stayAwake()
  const counts = await Promise.all(talks).finally(rest)
  const seconds = (performance.now() - startedAt) / 1000
  const received = counts.reduce((sum, { received }) => sum + received, 0)
  return { received, seconds, perSecond: received / seconds, bodyBytes: counts[0].bodyBytes }
}

/**
 * Keeps this process from sleeping. Waking it costs the server that writes to it, and only the slower of
 * two servers has to: the faster one keeps it busy.
 */
function stayAwake() {
  let immediate = setImmediate(again)
  return () => clearImmediate(immediate)

  function again() {
    immediate = setImmediate(again)
  }
}

function talk({ port, requests, first, depth, mayAsk }) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let next = first
  let asked = 0
  let received = 0
  let bodyBytes = 0
  return new Promise((resolve, reject) => {
    const read = eachMessage(take)
    socket.on('connect', () => together(askAll))
    socket.on('data', (chunk) => together(() => read(chunk)))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))

    function askAll() {
      for (let i = 0; i < depth; i++) ask()
    }

    function ask() {
      if (!mayAsk(asked)) return
      asked++
      socket.write(requests[next++ % requests.length])
    }

    function take({ head, bodyBytes: length }, bytes) {
      if (!head.startsWith('HTTP/1.1 2'))
        return reject(new Error(`responded with ${bytes.toString()}`))
      bodyBytes = length
      received++
      ask()
    }

    /** What is written meanwhile leaves at once. */
    function together(act) {
      socket.cork()
      try {
        act()
      } catch (error) {
        reject(error)
      }
      socket.uncork()
      if (received < asked) return
      socket.removeAllListeners('close')
      socket.destroy()
      resolve({ received, bodyBytes })
    }
  })
}
