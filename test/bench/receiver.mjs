// A receiver of webhooks that counts what comes.
import { createServer } from 'node:net'
import { eachMessage } from './http-message.mjs'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

let expected
let notify = () => {}

process.on('message', async ({ open, expect }) => {
  if (open) process.send({ port: await listen() })
  else if (expect) process.send(expectPosts(expect))
  else process.send(await expected)
})
process.on('disconnect', () => process.exit(0))

function listen() {
  const server = createServer({ noDelay: true }, respond)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address().port))
  })
}

function respond(socket) {
  const read = eachMessage((message) => {
    notify(message)
    socket.write(OK)
  })
  socket.on('data', read)
  socket.on('error', () => undefined)
}

/** From the first POST to the last of so many. */
function expectPosts(count) {
  let actual = 0
  let bytes = 0
  let firstAt = 0
  expected = new Promise((resolve) => {
    notify = ({ length }) => {
      if (actual++ === 0) firstAt = performance.now()
      bytes += length
      if (actual < count) return
      resolve({ perSecond: ((count - 1) / (performance.now() - firstAt)) * 1000, bytes })
    }
  })
  return {}
}
