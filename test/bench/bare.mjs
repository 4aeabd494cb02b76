// What the sandbox is measured beside: the same server, Hono and zod, and nothing more.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
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

process.once('message', ({ response }) => {
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
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: true })
  const server = createServer(listener)
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
})
process.on('disconnect', () => process.exit(0))
