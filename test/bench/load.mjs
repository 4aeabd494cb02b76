// The other side of what is measured: the load generator, with keep-alive sockets that each have one
// request under way, or as many as `depth` says; and a receiver of webhooks that counts what comes.
import { connect, createServer } from 'node:net'
import { processorUs } from './processes.mjs'

const CONNECTIONS = 32

/** Sends so many requests in turn over all connections; what each cost the server. */
export async function load({ server, requests, count, depth = 1 }) {
  const share = (whole, i) => Math.floor((whole * i) / CONNECTIONS)
  // Waking this process costs the server that writes to it, and only the slower of two servers has to:
  // the faster one keeps it busy. So it never sleeps.
  let immediate = setImmediate(function again() {
    immediate = setImmediate(again)
  })
  const usBefore = processorUs(server.pid)
  const talks = Array.from({ length: CONNECTIONS }, (_, i) => {
    const own = share(count, i + 1) - share(count, i)
    return talk({
      port: server.port,
      requests,
      first: share(requests.length, i),
      depth,
      count: own,
    })
  })
  const bodyBytes = await Promise.all(talks).finally(() => clearImmediate(immediate))
  return {
    processorUs: (processorUs(server.pid) - usBefore) / count,
    bodyBytes: bodyBytes[0],
  }
}

function talk({ port, requests, first, depth, count }) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let [next, asked, received, bodyBytes] = [first, 0, 0, 0]
  return new Promise((resolve, reject) => {
    const read = eachMessage(take)
    socket.on('connect', () => together(() => Array.from({ length: depth }, ask)))
    socket.on('data', (chunk) => together(() => read(chunk)))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))

    function ask() {
      if (asked === count) return
      asked++
      socket.write(requests[next++ % requests.length])
    }

    function take(message, bytes) {
      if (!message.head.startsWith('HTTP/1.1 2')) throw new Error(`responded with ${bytes}`)
      bodyBytes = message.bodyBytes
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
      resolve(bodyBytes)
    }
  })
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
let onPost = () => {}
let received

export function openReceiver() {
  const server = createServer({ noDelay: true }, (socket) => {
    const read = eachMessage((message) => {
      onPost(message)
      socket.write(OK)
    })
    socket.on('data', read).on('error', () => undefined)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ port: server.address().port }))
  })
}

/** Measures the sender from the first POST to the last of so many. */
export function expectPosts({ pid, count }) {
  let [actual, bytes, usBefore] = [0, 0, 0]
  received = undefined
  onPost = ({ length }) => {
    if (actual++ === 0) usBefore = processorUs(pid)
    bytes += length
    if (actual === count)
      received = { processorUs: (processorUs(pid) - usBefore) / (count - 1), bytes }
  }
}

/** What was measured, once the sender says that it is done. */
export function readPosts() {
  if (!received) throw new Error('the sender is done, but some POSTs have not come')
  return received
}

/** Calls for each whole message that came; keeps the rest of the bytes for the next chunk. */
function eachMessage(take) {
  let kept = Buffer.alloc(0)
  return (chunk) => {
    let bytes = kept.length > 0 ? Buffer.concat([kept, chunk]) : chunk
    for (let message = readMessage(bytes); message; message = readMessage(bytes)) {
      take(message, bytes)
      bytes = bytes.subarray(message.length)
    }
    kept = bytes
  }
}

/** The first whole HTTP message of some bytes, or nothing while some of it is still to come. */
function readMessage(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.latin1Slice(0, headEnd)
  const bodyBytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
  if (Number.isNaN(bodyBytes)) throw new Error(`no content-length in ${head}`)
  const length = headEnd + 4 + bodyBytes
  return length <= bytes.length ? { head, bodyBytes, length } : undefined
}
