import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DevChain } from '../../src/chain/world-coins.ts'
import { openChainOf } from '../../src/host/chain.ts'
import { openApp, type TestApp } from '../helpers/app.ts'
import { CADC, createDevNode, type DevNode, NODE_URL, STRANGE, USDC } from '../helpers/dev-node.ts'
import { PENDING, PROCESSING } from '../helpers/story.ts'

const USER = '/simulate/users/alice@example.com'
const COIN = 1_000_000n

let node: DevNode
let app: TestApp
let lines: string[]

const openChain = (confirmations?: number): Promise<DevChain> =>
  openChainOf({
    ...{ chain: [NODE_URL], fetch: node.fetch, confirmations },
    log: (world, line) => lines.push(`${world}: ${line}`),
  })

beforeEach(async () => {
  node = createDevNode()
  lines = []
  app = openApp({ fixture: 'verified-user', chain: await openChain() })
})
afterEach(() => app.close())

const order = async (body: object, world = app) =>
  (await world.control('POST', `${USER}/${'cad' in body ? 'buy' : 'sell'}`, body)).transaction
const sell = (world = app) => order({ coins: 50 }, world)
const buy = () => order({ cad: 100 })
const scan = (world = app) => world.control('POST', '/chain/scan')
const read = ({ id }: { id: string }, world = app) => world.control('GET', `/transactions/${id}`)
const settle = ({ id }: { id: string }) =>
  app.control('POST', `/simulate/transactions/${id}/settled`, { through: true })

describe('a sell', () => {
  it('is processing once the sum at its deposit address reaches the amount', async () => {
    const { id, depositAddress } = await sell()
    node.transfer(USDC, depositAddress, 30n * COIN)
    expect((await scan()).log).toEqual([`30 of 50 USDC arrived for ${id}`])
    node.transfer(USDC, depositAddress, 20n * COIN - 1n)
    await scan()
    expect(await read({ id })).toMatchObject({ status: PENDING, paymentId: null })
    const hash = node.transfer(USDC, depositAddress, 1n)
    await scan()
    expect(await read({ id })).toMatchObject({ status: PROCESSING, paymentId: hash })
    expect(lines).toHaveLength(2)
  })

  it.each([
    ['another coin', CADC, /CADC on ETH arrived for .*, which waits for USDC/],
    ['a token that is no coin', STRANGE, /Another token on ETH arrived for /],
  ])('stays as it is when %s arrives, with a line in the log', async (_, token, line) => {
    const waiting = await sell()
    node.transfer(token, waiting.depositAddress, 10n ** 20n)
    await scan()
    expect((await read(waiting)).status).toBe(PENDING)
    expect(lines).toEqual([expect.stringMatching(line)])
  })

  it.each(['expired', 'cancelled'])(
    'that is %s stays so, with a line in the log',
    async (status) => {
      const late = await sell()
      await app.control('POST', `/simulate/transactions/${late.id}/${status}`)
      node.transfer(USDC, late.depositAddress, 50n * COIN)
      await scan()
      await scan()
      expect((await read(late)).status).toBe(status)
      expect(lines).toEqual([expect.stringContaining(`for ${late.id}, which is ${status}`)])
    },
  )

  it('counts a transfer once it has so many blocks, its own included', async () => {
    const other = openApp({ fixture: 'verified-user', chain: await openChain(2) })
    const waiting = await sell(other)
    node.transfer(USDC, waiting.depositAddress, 50n * COIN)
    await scan(other)
    expect((await read(waiting, other)).status).toBe(PENDING)
    node.mine()
    await scan(other)
    expect((await read(waiting, other)).status).toBe(PROCESSING)
    await other.close()
  })

  it('is found again after a restore, and in another process that has its state', async () => {
    const { id, depositAddress } = await sell()
    await app.control('POST', '/snapshots', { name: 'before' })
    const state = await app.control('GET', '/state')
    const hash = node.transfer(USDC, depositAddress, 50n * COIN)
    await scan()
    await app.control('POST', '/snapshots/before/restore')
    expect((await read({ id })).paymentId).toBeNull()
    await scan()
    expect((await read({ id })).paymentId).toBe(hash)

    const other = openApp({ chain: await openChain() })
    await other.control('PUT', '/state', state)
    await scan(other)
    expect(await read({ id }, other)).toMatchObject({ status: PROCESSING, paymentId: hash })
    await other.close()
  })
})

describe('a buy', () => {
  it('stays in processing where the node fails, and is then paid once', async () => {
    const { id, wallet, rightSideValue } = await buy()
    node.fail('eth_sendTransaction', 'out of gas')
    await expect(settle({ id })).rejects.toThrow(/out of gas/)
    expect((await read({ id })).status).toBe(PROCESSING)
    node.fail('eth_sendTransaction', undefined)
    const { to, events } = await settle({ id })
    expect([to, events.length]).toEqual(['complete', 1])
    expect(node.minted(wallet)).toBe(BigInt(rightSideValue * 1e6))
  })

  it('takes the hash of coins that were sent before the sandbox was killed', async () => {
    const order = await buy()
    const state = await app.control('GET', '/state')
    await settle(order)
    const { paymentId } = await read(order)
    await app.control('PUT', '/state', state)
    await settle(order)
    expect((await read(order)).paymentId).toBe(paymentId)
    expect(node.minted(order.wallet)).toBe(BigInt(order.rightSideValue * 1e6))
  })

  it('is not settled in the world that takes the place of its own meanwhile', async () => {
    const first = await buy()
    let release = () => {}
    node.hold('eth_sendTransaction', new Promise((resolve) => (release = () => resolve())))
    const settling = settle(first).catch((error) => error.message)
    await node.held()
    await app.control('POST', '/reset')
    const second = await buy()
    release()
    expect(await settling).toContain('The world was reset while the coins were sent.')
    expect(await read(second)).toMatchObject({ id: first.id, status: PENDING, paymentId: null })
  })

  it('is paid under automatic settlement when its time has come', async () => {
    const settings = { 'transactions.settlement': 'auto', 'transactions.settleAfter': '10m' }
    await app.control('PATCH', '/settings', settings)
    const { id, wallet, rightSideValue } = await buy()
    await app.control('POST', `/simulate/transactions/${id}/funds-received`)
    await app.advance('9m')
    await scan()
    expect((await read({ id })).status).toBe(PROCESSING)
    await app.advance('1m')
    await scan()
    expect((await read({ id })).status).toBe('complete')
    expect(node.minted(wallet)).toBe(BigInt(rightSideValue * 1e6))
  })
})

it.each([
  ['eth_call', 'GET', '/chain/balances/'],
  ['eth_getBlockByNumber', 'POST', '/chain/scan'],
  ['eth_sendTransaction', 'POST', '/chain/send'],
])('responds with 409 where the result of %s is of another kind', async (method, verb, path) => {
  let result: unknown
  const fetch = async (url: string, init: RequestInit) => {
    const sent = JSON.parse(String(init.body))
    if (sent.method !== method || result === undefined) return await node.fetch(url, init)
    return Response.json({ jsonrpc: '2.0', id: sent.id, result })
  }
  const other = openApp({ chain: await openChainOf({ chain: [NODE_URL], fetch }) })
  node.mine()
  const to = `0x${'d4'.repeat(20)}`
  const headers = { 'content-type': 'application/json' }
  const body = path.endsWith('send') ? { to, amount: 1 } : {}
  const sent = verb === 'GET' ? {} : { method: verb, headers, body: JSON.stringify(body) }
  for (result of [null, 7, '0xzz', {}, [{}], `0x${'f'.repeat(100_000)}`]) {
    const url = `/_sandbox${path}${verb === 'GET' ? to : ''}`
    const { status, text } = await other.send(url, sent)
    expect([status, text.length < 10_000], JSON.stringify(result)).toEqual([409, true])
  }
  await other.close()
})
