// node wallet.mjs PORT: the handler and the wallet of test/examples/wallet, as `explore` asks for them.
import { createServer } from 'node:http'
import { createWallet } from '../../examples/wallet/src/wallet.js'
import { createWebhookHandler } from '../../examples/wallet/src/webhook.js'

/** Serves a wallet that each reset replaces. */
export function serveWallet() {
  let wallet = createWallet()
  let handle = () => 503
  return createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (request.url === '/hooks') return response.writeHead(handle(request.headers, body)).end()
    if (request.url === '/state') return response.end(JSON.stringify(wallet.state()))
    wallet = createWallet()
    const { signingSecret: secret } = JSON.parse(body)
    handle = createWebhookHandler({ secret, onEvent: wallet.onEvent })
    response.writeHead(204).end()
  })
}

const [, file, port] = process.argv
if (file === import.meta.filename) serveWallet().listen(Number(port), '127.0.0.1')
