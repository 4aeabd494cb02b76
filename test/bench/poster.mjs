// The least that delivers webhooks.
import { Agent, request } from 'node:http'

/** POSTs in order over one kept connection. */
export async function post({ url, headers, body, count }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let i = 0; i < count; i++) {
    await new Promise((resolve, reject) => {
      const posting = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume().on('end', resolve)
      })
      posting.on('error', reject).end(body)
    })
  }
}
