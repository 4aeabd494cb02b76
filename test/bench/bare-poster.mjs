// What webhook deliveries are measured beside: POSTs in order over one kept connection.
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

process.on('message', async ({ url, headers, body, count }) => {
  try {
    for (let i = 0; i < count; i++) await post(url, headers, body)
    process.send({})
  } catch (error) {
    process.send({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))

function post(url, headers, body) {
  return new Promise((resolve, reject) => {
    const posting = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    posting.on('error', reject)
    posting.end(body)
  })
}
