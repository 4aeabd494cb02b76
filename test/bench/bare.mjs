// What the sandbox is measured beside: the least that does the same.
import { randomUUID } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import * as z from 'zod'

const CreateTransaction = z.object({
  leftSideLabel: z.string(),
  leftSideValue: z.number(),
  rightSideLabel: z.string(),
  wallet: z.string(),
  quoteId: z.number(),
  externalSessionId: z.string().optional(),
})

/** The same server, Hono and zod, and nothing more; with a response to send again. */
export function serve({ response }) {
  const { data } = JSON.parse(response)
  const transactions = new Map()
  const app = new Hono()
  app.get('/v2/transactions/:txId', (c) => c.json({ success: true, data }))
  app.post('/v2/transactions', async (c) => {
    const { leftSideLabel, leftSideValue, rightSideLabel, wallet } = CreateTransaction.parse(
      await c.req.json(),
    )
    const id = randomUUID()
    const row = { ...data, id, leftSideLabel, leftSideValue, rightSideLabel, wallet }
    transactions.set(id, row)
    return c.json({ success: true, data: row })
  })
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: true }))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ port: server.address().port }))
  })
}

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
