// The least that responds over HTTP: what a start is measured beside.
import { createServer } from 'node:http'

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"status":"ok"}')
})
server.listen(Number(process.argv[2]), '127.0.0.1')
