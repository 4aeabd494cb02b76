import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Responds with 500 until it is mended, and keeps the ids of the events that came since. */
export async function startReceiver() {
  let status = 500
  const came: string[] = []
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    came.push(JSON.parse(Buffer.concat(chunks).toString()).id)
    response.writeHead(status).end('no column user_ref')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const mend = () => {
    status = 204
    came.length = 0
  }
  return { url: `http://127.0.0.1:${port}/some/where/webhooks`, came, mend }
}
