import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openChains } from '../../src/chain/chains.ts'
import { openApp, type TestApp } from '../helpers/app.ts'
import { createDevNode, NODE_URL, USDC } from '../helpers/dev-node.ts'
import { PROCESSING } from '../helpers/story.ts'

const node = createDevNode()
let app: TestApp

beforeAll(async () => {
  const chains = await openChains({ chain: [NODE_URL], fetch: node.fetch })
  app = openApp({ fixture: 'verified-user', chains })
})

beforeEach(() => app.control('POST', '/reset'))
afterAll(() => app.close())

const sell = async () => {
  const path = '/simulate/users/alice@example.com/transactions'
  return (await app.control('POST', path, { side: 'sell', amount: 50 })).transaction
}
const toCents = (value: number) => Math.round(value * 100) / 100
const readPage = async () => (await app.send('/_sandbox/ui/chain')).text

it('shows a sell that waits, then the transfer that paid it', async () => {
  const { depositAddress } = await sell()
  const before = await readPage()
  expect(before).toContain('Send to deposit address')
  expect(before).toContain(depositAddress)
  const hash = node.transfer(USDC, depositAddress, 50_000_000n)
  await app.control('POST', '/chain/scan')
  const after = await readPage()
  expect(after).not.toContain('Send to deposit address')
  expect(after).toContain(hash)
  expect(after).toContain('50 USDC on ETH')
})

it.each([
  { limit: 'maximum', sent: 80, beyond: -0.01 },
  { limit: 'minimum', sent: 20, beyond: 0.01 },
])(
  'pays for a deposit of another amount only within the $limit',
  async ({ limit, sent, beyond }) => {
    const { id, depositAddress, rate } = await sell()
    const other = await sell()
    const bound = rate * sent
    const rules = { 'chain.tooMuch': 'repriced', 'chain.tooLittle': 'repriced' }
    const settings = (value: number) => ({ ...rules, [`limits.${limit}`]: toCents(value) })
    await app.control('PATCH', '/settings', settings(bound + beyond))
    node.transfer(USDC, other.depositAddress, BigInt(sent) * 1_000_000n)
    await app.control('POST', '/chain/scan')
    const { leftSideValue } = await app.control('GET', `/transactions/${other.id}`)
    expect(leftSideValue).toBe(50)

    await app.control('PATCH', '/settings', settings(bound))
    node.transfer(USDC, depositAddress, BigInt(sent) * 1_000_000n)
    await app.control('POST', '/chain/scan')
    const repriced = await app.control('GET', `/transactions/${id}`)
    expect(repriced).toMatchObject({ leftSideValue: sent, status: PROCESSING })
  },
)

it('keeps a transfer and its place in a snapshot, and reads on from there', async () => {
  const { id, depositAddress } = await sell()
  await app.control('POST', '/snapshots', { name: 'before' })
  node.transfer(USDC, depositAddress, 50_000_000n)
  await app.control('POST', '/chain/scan')
  await app.control('POST', '/snapshots/before/restore')
  expect((await app.control('GET', `/transactions/${id}`)).paymentId).toBeNull()
  await app.control('POST', '/chain/scan')
  expect((await app.control('GET', `/transactions/${id}`)).paymentId).not.toBeNull()
})

it('moves a world with its transfers to another process as a document', async () => {
  const state = await app.control('GET', '/state')
  await app.control('PUT', '/state', state)
  expect(await app.control('GET', '/state')).toEqual(state)
})

it('says why where the node fails, and leaves the buy as it was', async () => {
  const path = '/simulate/users/alice@example.com/transactions'
  const { transaction } = await app.control('POST', path, { side: 'buy', amount: 100 })
  node.fail('eth_sendTransaction', 'out of gas')
  const settle = () =>
    app.control('POST', `/simulate/transactions/${transaction.id}/settled`, { through: true })
  await expect(settle()).rejects.toThrow(/out of gas/)
  node.fail('eth_sendTransaction', undefined)
  const { from, to } = await settle()
  expect([from, to]).toEqual(['pending request money transfer', 'complete'])
  expect(node.minted(transaction.wallet)).toBe(BigInt(transaction.rightSideValue * 1e6))
})

const MIB = 1024 * 1024
const endless = () =>
  new ReadableStream<Uint8Array>({ pull: (sink) => sink.enqueue(new Uint8Array(MIB)) })

it.each([
  ['null', () => 'null'],
  ['no end', endless],
])('opens no chain whose node answers %s', async (_, answer) => {
  const fetch = async () => new Response(answer())
  const opening = openChains({ chain: [NODE_URL], fetch })
  await expect(opening).rejects.toThrow('answers no JSON-RPC')
})

it('opens no chain whose node has no list of accounts', async () => {
  const fetch = async (url: string, init: RequestInit) =>
    String(init.body).includes('eth_accounts')
      ? Response.json({ jsonrpc: '2.0', id: 1, result: {} })
      : node.fetch(url, init)
  const opening = openChains({ chain: [NODE_URL], fetch })
  await expect(opening).rejects.toMatchObject({ name: 'DomainError' })
  await expect(opening).rejects.toThrow('eth_accounts')
})
