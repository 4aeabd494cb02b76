// The backend of the page: it orders from the ramp platform, and says which transfer pays a sell.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'

const PAGE = readFileSync(new URL('page.html', import.meta.url))

export async function startServer({ ramp, usdc }) {
  const server = createServer((request, response) => {
    respond(request).then(
      (body) => response.end(body instanceof Buffer ? body : JSON.stringify(body)),
      ({ message }) => response.writeHead(400).end(JSON.stringify({ message })),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }

  async function respond(request) {
    const { method, url } = request
    if (method === 'POST' && url === '/sell') return sell(JSON.parse(await text(request)))
    const [, id] = /^\/orders\/([\w-]+)$/.exec(url) ?? []
    if (id === undefined) return PAGE
    const { status, paymentId } = await ramp.transaction(id)
    return { status, paymentId }
  }

  async function sell({ coins, from }) {
    const { id, depositAddress } = await ramp.order({
      leftSideLabel: 'USDC-ETH',
      leftSideValue: coins,
      rightSideLabel: 'CAD',
      wallet: from,
    })
    const args = [depositAddress, parseUnits(String(coins), 6)]
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    return { id, transfer: { to: usdc, data } }
  }
}
