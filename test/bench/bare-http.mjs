// The least that responds over HTTP: what a start is measured beside.
import { createServer } from 'node:http'

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"status":"ok"}')
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
