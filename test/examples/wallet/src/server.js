// The wallet's backend: `node src/server.js`, or `startServer` in a test.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createRamp } from './ramp.js'
import { createWallet } from './wallet.js'
import { createWebhookHandler } from './webhook.js'

export async function startServer({ baseUrl, apiKey, port = 0 }) {
  const ramp = createRamp({ baseUrl, apiKey })
  const wallet = createWallet(ramp)
  let webhook = () => 503
  const actions = {
    '/sign-up': wallet.signUp,
    '/send-code': wallet.sendCode,
    '/log-in': wallet.logIn,
    '/buy': wallet.buy,
    '/show': wallet.show,
  }

  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    if (request.url === '/webhooks/ramp') {
      response.writeHead(webhook(request.headers, body)).end()
      return
    }
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html')
      response.end(await readFile(new URL('page.html', import.meta.url)))
      return
    }
    const { status, result } = await run(actions[request.url], body)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(result))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}`

  const { signingSecret } = await ramp.setWebhook(`${url}/webhooks/ramp`)
  webhook = createWebhookHandler({ secret: signingSecret, onEvent: wallet.onEvent })
  return { url, close: () => closeServer(server) }
}

async function run(action, body) {
  try {
    if (!action) return { status: 404, result: { message: 'Not found.' } }
    return { status: 200, result: await action(JSON.parse(body)) }
  } catch (error) {
    return { status: error.status ?? 500, result: { message: error.message } }
  }
}

async function readBody(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function closeServer(server) {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { RAMP_SANDBOX_URL: baseUrl, RAMP_SANDBOX_API_KEY: apiKey, PORT = '3000' } = process.env
  const { url } = await startServer({ baseUrl, apiKey, port: Number(PORT) })
  console.log(`The wallet is at ${url}, the sandbox at ${baseUrl}.`)
}
