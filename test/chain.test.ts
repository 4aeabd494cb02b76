import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attachChain } from '../src/chain/attach.ts'
import type { AttachedChain } from '../src/chain/attached-chain.ts'
import type { Sandbox } from '../src/client/client.ts'
import { createSandbox } from '../src/host/create-sandbox.ts'
import { NOON } from './helpers/app.ts'
import {
  ACCOUNT,
  CADC,
  createDevNode,
  type DevNode,
  NODE_URL,
  STRANGE,
  USDC,
} from './helpers/dev-node.ts'
import { PENDING, PROCESSING } from './helpers/story.ts'

const ALICE = 'alice@example.com'
const COIN = 1_000_000n

let node: DevNode
let sandbox: Sandbox
let chain: AttachedChain
let lines: string[]

const attach = (to: Sandbox = sandbox, tokens: { USDC?: string } = {}) =>
  attachChain(to, { rpc: NODE_URL, tokens, fetch: node.fetch, log: (line) => lines.push(line) })
const open = () => createSandbox({ fixture: 'verified-user', clock: NOON, listen: false })

beforeEach(async () => {
  node = createDevNode()
  lines = []
  sandbox = await open()
  chain = await attach()
})
afterEach(async () => {
  await chain.close()
  await sandbox.close()
})

/** Another sandbox on the same chain, with the same seed. */
async function startAnew() {
  await chain.close()
  await sandbox.close()
  sandbox = await open()
  chain = await attach()
}

const sell = async () => (await sandbox.sell(ALICE, { coins: 50 })).transaction
const buy = async () => (await sandbox.buy(ALICE, { cad: 100 })).transaction
const read = ({ id }: { id: string }) => sandbox.transactions.get(id)
const unitsOf = ({ rightSideValue }: { rightSideValue: number }) =>
  BigInt(Math.round(rightSideValue * 1e6))

/** The sandbox as a client sees it that dies when it calls a lever. */
const dyingAt = (lever: 'settled' | 'fundsReceived'): Sandbox => ({
  ...sandbox,
  simulate: { ...sandbox.simulate, [lever]: () => Promise.reject(new Error('killed')) },
})

describe('a sell', () => {
  it('is processing once the sum at its deposit address reaches the amount', async () => {
    const { id, depositAddress } = await sell()
    node.transfer(USDC, depositAddress, 30n * COIN)
    await chain.scan()
    expect(lines).toEqual([`30 of 50 USDC arrived for ${id}`])
    node.transfer(USDC, depositAddress, 20n * COIN - 1n)
    await chain.scan()
    expect(await read({ id })).toMatchObject({ status: PENDING, paymentId: null })
    const hash = node.transfer(USDC, depositAddress, 1n)
    await chain.scan()
    expect(await read({ id })).toMatchObject({ status: PROCESSING, paymentId: hash })
  })

  it('has its address from the seed, in a world with a chain as in any other', async () => {
    await using other = await open()
    const { transaction } = await other.sell(ALICE, { coins: 50 })
    expect((await sell()).depositAddress).toBe(transaction.depositAddress)
  })

  it.each([
    ['another coin', CADC, /CADC arrived for .*, which waits for USDC/],
    ['a token that is no coin', STRANGE, /Another token arrived for /],
  ])('stays as it is when %s arrives, with a line in the log', async (_, token, line) => {
    const waiting = await sell()
    node.transfer(token, waiting.depositAddress, 10n ** 20n)
    await chain.scan()
    expect((await read(waiting)).status).toBe(PENDING)
    expect(lines).toEqual([expect.stringMatching(line)])
  })

  it.each(['expired', 'cancelled'] as const)(
    'that is %s stays so, with one line in the log',
    async (status) => {
      const late = await sell()
      await sandbox.simulate[status](late.id)
      node.transfer(USDC, late.depositAddress, 50n * COIN)
      await chain.scan()
      await chain.scan()
      expect((await read(late)).status).toBe(status)
      expect(lines).toEqual([expect.stringContaining(`for ${late.id}, which is ${status}`)])
    },
  )

  it('is found by the client that takes the place of one that crashed', async () => {
    await chain.close()
    const crashed = await attach(dyingAt('fundsReceived'))
    const waiting = await sell()
    const hash = node.transfer(USDC, waiting.depositAddress, 50n * COIN)
    await expect(crashed.scan()).rejects.toThrow('killed')
    await crashed.close()
    expect((await read(waiting)).status).toBe(PENDING)
    chain = await attach()
    expect(await read(waiting)).toMatchObject({ status: PROCESSING, paymentId: hash })
  })

  it('does not take what was paid in an earlier life, whose addresses were the same', async () => {
    const first = await sell()
    node.transfer(USDC, first.depositAddress, 50n * COIN)
    await chain.scan()
    await chain.close()
    await sandbox.reset()
    const second = await sell()
    expect(second.depositAddress).toBe(first.depositAddress)
    chain = await attach()
    expect((await read(second)).status).toBe(PENDING)
    node.transfer(USDC, second.depositAddress, 50n * COIN)
    await chain.scan()
    expect((await read(second)).status).toBe(PROCESSING)
  })

  it('does not take what an earlier sandbox with the same seed was paid', async () => {
    const { depositAddress } = await sell()
    node.transfer(USDC, depositAddress, 50n * COIN)
    await chain.scan()
    await startAnew()
    const again = await sell()
    expect(again.depositAddress).toBe(depositAddress)
    await chain.close()
    chain = await attach()
    expect((await read(again)).status).toBe(PENDING)
  })
})

describe('a buy', () => {
  it('is paid as soon as it is processing, and complete with the hash', async () => {
    const order = await buy()
    await chain.scan()
    expect((await read(order)).status).toBe(PENDING)
    await sandbox.simulate.fundsReceived(order.id)
    await chain.scan()
    const { status, paymentId } = await read(order)
    expect(status).toBe('complete')
    expect(node.minted(order.wallet)).toBe(unitsOf(order))
    expect(lines).toEqual([`${order.rightSideValue} USDC were sent for ${order.id}: ${paymentId}`])
  })

  it('is paid without being asked', async () => {
    const order = await buy()
    await sandbox.simulate.fundsReceived(order.id)
    const event = await sandbox.events.next({ ref: order.id, status: 'complete' })
    expect(event.payload).toMatchObject({ paymentId: (await read(order)).paymentId })
  })

  it('stays in processing where the node fails, and is then paid once', async () => {
    node.fail('eth_sendTransaction', 'out of gas')
    const order = await buy()
    await sandbox.simulate.fundsReceived(order.id)
    await chain.scan()
    expect((await read(order)).status).toBe(PROCESSING)
    expect(lines).toEqual([expect.stringMatching(/is not paid: .*out of gas/)])
    node.fail('eth_sendTransaction', undefined)
    await chain.scan()
    expect((await read(order)).status).toBe('complete')
    expect(node.minted(order.wallet)).toBe(unitsOf(order))
  })

  it.each([
    ['its own token', undefined],
    ['a token of somebody else', STRANGE],
  ])('of %s takes the hash of coins that left before a crash', async (_, own) => {
    const tokens = own === undefined ? {} : { USDC: own }
    await chain.close()
    node.transfer(STRANGE, ACCOUNT, 1_000n * COIN)
    const crashed = await attach(dyingAt('settled'), tokens)
    const order = await buy()
    await sandbox.simulate.fundsReceived(order.id)
    await crashed.scan()
    await crashed.close()
    expect((await read(order)).status).toBe(PROCESSING)
    const received = () => node.received(own ?? USDC, order.wallet)
    expect(received()).toBe(unitsOf(order))
    chain = await attach(sandbox, tokens)
    expect((await read(order)).status).toBe('complete')
    expect(received()).toBe(unitsOf(order))
  })

  it('is paid in each of two sandboxes with one seed', async () => {
    const pay = async () => {
      const order = await buy()
      await sandbox.simulate.fundsReceived(order.id)
      await chain.scan()
      return (await read(order)).paymentId
    }
    const first = await pay()
    await startAnew()
    expect(await pay()).not.toBe(first)
  })

  it('is paid again in the life that a restore begins', async () => {
    const order = await buy()
    await sandbox.snapshots.take('before')
    const pay = async () => {
      await sandbox.simulate.fundsReceived(order.id)
      await chain.scan()
      return (await read(order)).paymentId
    }
    const first = await pay()
    await sandbox.snapshots.restore('before')
    await chain.scan()
    expect(await pay()).not.toBe(first)
    expect(node.minted(order.wallet)).toBe(2n * unitsOf(order))
  })

  it('that somebody else completes has no coins, and is named in the log', async () => {
    const { id, wallet } = await buy()
    await sandbox.simulate.settled(id, { through: true })
    await chain.scan()
    expect(node.minted(wallet)).toBe(0n)
    expect(lines).toEqual([`${id} was completed by somebody else; no coins were sent for it`])
  })

  it('that is placed and completed in one step is named in the log, also the first of a world', async () => {
    const { transaction } = await sandbox.buy(ALICE, { cad: 100, settle: true })
    await chain.scan()
    expect(lines).toEqual([
      `${transaction.id} was completed by somebody else; no coins were sent for it`,
    ])
  })
})

it('does not attach to a world that settles by itself', async () => {
  await using other = await createSandbox({
    settings: { 'transactions.settlement': 'auto' },
    listen: false,
  })
  await expect(attach(other)).rejects.toMatchObject({
    code: 'chain',
    message: expect.stringContaining('settles by itself'),
  })
})

it.each([
  ['ftp://127.0.0.1', 'the URL of a node'],
  ['http://8.8.8.8:8545', 'at a private address'],
])('does not attach to %s', async (rpc, problem) => {
  const attached = attachChain(sandbox, { rpc, fetch: node.fetch })
  await expect(attached).rejects.toThrow(problem)
})

it('does not attach to a public network', async () => {
  const { fetch } = createDevNode(1)
  await expect(attachChain(sandbox, { rpc: NODE_URL, fetch })).rejects.toThrow('public network')
})

it('sends coins from an account of the node, which gets what it lacks', async () => {
  const { depositAddress } = await sell()
  const hash = await chain.send({ to: depositAddress, amount: 50 })
  expect(node.minted(depositAddress)).toBe(50n * COIN)
  await chain.scan()
  const [{ paymentId } = {}] = await sandbox.transactions.list()
  expect(paymentId).toBe(hash)
})

it.each([
  [{ to: 'alice', amount: 1 }, 'alice is not an address'],
  [{ to: USDC, amount: 0 }, '0 coins cannot be sent'],
  [{ to: USDC, amount: 1, from: STRANGE }, 'has too few USDC'],
])('does not send %j', async (request, problem) => {
  await expect(chain.send(request)).rejects.toThrow(problem)
})

it.each(['eth_chainId', 'eth_getBlockByNumber', 'eth_getLogs'])(
  'says so where the result of %s is of another kind',
  async (method) => {
    const fetch = async (url: string, init: RequestInit) => {
      const { id, method: asked } = JSON.parse(String(init.body))
      if (asked !== method) return await node.fetch(url, init)
      return Response.json({ jsonrpc: '2.0', id, result: [{}, '0xzz'] })
    }
    await sell()
    const attached = attachChain(sandbox, { rpc: NODE_URL, fetch })
    await expect(attached).rejects.toThrow(`${method}: the node at ${NODE_URL} sent a wrong kind`)
  },
)
