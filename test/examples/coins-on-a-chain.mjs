// Moves coins on a development chain: a transfer to the deposit address of a sell funds it, and a
// transfer to the user's wallet pays out a buy that is processing. It uses the public
// library and the JSON-RPC of the node and nothing else, so copy it and change what you need.
//
// The node's own coin stands in for the stablecoin. For an ERC-20 token of yours, read its `Transfer`
// events with `eth_getLogs`, and send `transfer(address,uint256)`.
//
// No test runs this. To run it by hand, in a clone, with Node 20.19 or newer, after `npm ci && npm run build`:
//
//   npx --yes --package @foundry-rs/anvil anvil &        # or another node at 127.0.0.1:8545
//   node test/examples/coins-on-a-chain.mjs
//
// It prints the transfer that pays a sell, the one that pays a buy, and "done", in a few seconds.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSandbox } from 'ramp-sandbox'

// Anyone can send from the node's accounts, so never point this at anything but your own machine.
const NODE = 'http://127.0.0.1:8545'
const POLL_MS = 100
const RECEIPT_MAX_MS = 10_000
const PENDING = 'pending request money transfer'
const PROCESSING = 'processing request money transfer'

async function rpc(method, ...params) {
  const response = await fetch(NODE, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = await response.json()
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** Coins have at most six decimals, and the node counts in units of 10⁻¹⁸. */
const toUnits = (coins) => BigInt(Math.round(coins * 1e6)) * 10n ** 12n
const toHex = (number) => `0x${number.toString(16)}`

/** Sends coins from an account of the node; resolves with the hash once they are in a block. */
async function send({ from, to, coins }) {
  const hash = await rpc('eth_sendTransaction', { from, to, value: toHex(toUnits(coins)) })
  for (let waitedMs = 0; waitedMs < RECEIPT_MAX_MS; waitedMs += POLL_MS) {
    const receipt = await rpc('eth_getTransactionReceipt', hash)
    if (receipt?.status === '0x1') return hash
    if (receipt) break
    await sleep(POLL_MS)
  }
  throw new Error(`${hash} is in no block, or was reverted.`)
}

/** Connects a world to the chain, starting after the newest block. */
async function joinChain(sandbox) {
  const [treasury] = await rpc('eth_accounts')
  let block = Number(await rpc('eth_blockNumber'))
  /** Units that arrived, by deposit address. */
  const arrived = new Map()
  const closing = new AbortController()
  const following = follow()
  return {
    async close() {
      closing.abort()
      await following
    },
  }

  async function follow() {
    while (!closing.signal.aborted) {
      const newest = Number(await rpc('eth_blockNumber'))
      while (block < newest) await readBlock(++block)
      for (const buy of await sandbox.transactions.list({ status: PROCESSING })) await pay(buy)
      await sleep(POLL_MS, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  async function readBlock(number) {
    const { transactions } = await rpc('eth_getBlockByNumber', toHex(number), true)
    const sells = await sandbox.transactions.list({ status: PENDING })
    for (const { hash, to, value } of transactions) {
      const sell = sells.find(({ depositAddress }) => depositAddress.toLowerCase() === to)
      if (!sell) continue
      const sum = (arrived.get(to) ?? 0n) + BigInt(value)
      arrived.set(to, sum)
      const needed = toUnits(sell.leftSideValue)
      // More may arrive than is needed.
      if (sum < needed || sum - BigInt(value) >= needed) continue
      console.log(`the sell ${sell.id} is paid by ${hash}`)
      await sandbox.simulate.fundsReceived(sell.id, { paymentId: hash })
    }
  }

  async function pay({ id, side, wallet, rightSideValue }) {
    if (side !== 'buy') return
    const hash = await send({ from: treasury, to: wallet, coins: rightSideValue })
    console.log(`the buy ${id} is paid by ${hash}`)
    await sandbox.simulate.settled(id, { paymentId: hash })
  }
}

const sandbox = await createSandbox({ fixture: 'verified-user' })
const chain = await joinChain(sandbox)
const [, customer] = await rpc('eth_accounts')

const { transaction: sell } = await sandbox.sell('alice@example.com', { coins: 50 })
const hash = await send({ from: customer, to: sell.depositAddress, coins: 50 })
await sandbox.events.next({ ref: sell.id, status: PROCESSING })
assert.equal((await sandbox.transactions.get(sell.id)).paymentId, hash)

const { transaction: buy } = await sandbox.buy('alice@example.com', { cad: 100 })
const before = BigInt(await rpc('eth_getBalance', buy.wallet, 'latest'))
await sandbox.simulate.fundsReceived(buy.id)
await sandbox.events.next({ ref: buy.id, status: 'complete' })
const after = BigInt(await rpc('eth_getBalance', buy.wallet, 'latest'))
assert.equal(after - before, toUnits(buy.rightSideValue))

await chain.close()
await sandbox.close()
console.log('done')
