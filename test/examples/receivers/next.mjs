// Serves app/webhooks/route.js as Next does: with a Request in, and a Response out.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { POST } from './app/webhooks/route.js'

const server = createServer(async (incoming, outgoing) => {
  const { method, url, headers } = incoming
  const body = method === 'POST' ? Readable.toWeb(incoming) : undefined
  const init = { method, headers, body, duplex: 'half' }
  const response = await POST(new Request(new URL(url, 'http://localhost'), init))
  outgoing.writeHead(response.status).end()
})
server.listen(process.env.PORT)
