// A server of any JSON that people know: json-server, here with its rows in memory.
import { createRequire } from 'node:module'

/** Serves these rows; `folder` is where the npm package `json-server` is. */
export async function serve({ folder, rows }) {
  const jsonServer = createRequire(`${folder}/`)('json-server')
  const app = jsonServer.create()
  app.use(jsonServer.bodyParser)
  app.use(jsonServer.router({ transactions: rows }))
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  return { port: server.address().port }
}
