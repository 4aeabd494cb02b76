// The least that does the same as the sandbox, with the same server and packages.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import * as z from 'zod'

const ListTransactions = z.object({ limit: z.coerce.number().int().min(1).max(100) })
const CreateTransaction = z.object({
  leftSideLabel: z.string(),
  leftSideValue: z.number(),
  rightSideLabel: z.string(),
  wallet: z.string(),
  quoteId: z.number(),
  externalSessionId: z.string().optional(),
})

/** Gives the rows of these responses; checks input with zod itself or with zod-validator. */
export async function serve({ responses, isValidator }) {
  const { data: template } = responses.post
  const { items, ...page } = responses.list.data
  const transactions = new Map()
  const app = new Hono()
  app.get('/v2/transactions/:txId', (c) => c.json(responses.get))
  if (isValidator) {
    app.get('/v2/transactions', zValidator('query', ListTransactions), (c) =>
      c.json(toPage(c.req.valid('query'))),
    )
    app.post('/v2/transactions', zValidator('json', CreateTransaction), (c) =>
      c.json(create(c.req.valid('json'))),
    )
  } else {
    app.get('/v2/transactions', (c) => c.json(toPage(ListTransactions.parse(c.req.query()))))
    app.post('/v2/transactions', async (c) =>
      c.json(create(CreateTransaction.parse(await c.req.json()))),
    )
  }
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: true }))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port }

  function toPage({ limit }) {
    return { success: true, data: { items: items.slice(0, limit), ...page } }
  }

  function create({ leftSideLabel, leftSideValue, rightSideLabel, wallet }) {
    const id = randomUUID()
    const row = { ...template, id, leftSideLabel, leftSideValue, rightSideLabel, wallet }
    transactions.set(id, row)
    return { success: true, data: row }
  }
}
