import { afterEach, beforeEach, expect, it } from 'vitest'
import { openChainOf } from '../../src/host/chain.ts'
import { openApp, type TestApp } from '../helpers/app.ts'
import { createDevNode, NODE_URL, STRANGE, USDC } from '../helpers/dev-node.ts'

const HASH = `0x${'1f'.repeat(32)}`
const OTHER_ACCOUNT = `0x${'d4'.repeat(20)}`
const LOG = {
  ...{ address: USDC, topics: [HASH], data: '0x' },
  ...{ blockNumber: '0x1', blockHash: HASH, transactionHash: HASH },
}
const RECEIPT = { blockHash: HASH, blockNumber: '0x1', status: '0x1' }

const HUGE = `0x${'f'.repeat(100_000)}`
const WRONG: unknown[] = [null, 7, '', '0xzz', {}, [null], [{}], HUGE, { toString: 1, length: 1e9 }]

interface Case {
  /** Of the wrong results, those that this method may have. */
  right?: unknown[]
  /** Results of other methods, so that this one is called. */
  given?: object
  /** Only called at a node that is new. */
  isOfStart?: boolean
  /** What is said where it is not the name of the method. */
  says?: RegExp
}

const METHODS: Record<string, Case> = {
  eth_chainId: { isOfStart: true },
  eth_accounts: {},
  eth_getCode: { isOfStart: true, right: [HUGE] },
  eth_call: { says: /eth_call: |no token/ },
  eth_getBlockByNumber: {},
  eth_getLogs: {},
  eth_sendTransaction: {},
  eth_sendRawTransaction: {
    isOfStart: true,
    given: { eth_getCode: '0x', eth_sendTransaction: HASH, eth_getTransactionReceipt: RECEIPT },
  },
  eth_getTransactionReceipt: { right: [null] },
  eth_getTransactionByHash: { right: [null], given: { eth_getLogs: [LOG] } },
  eth_getBalance: { given: { hardhat_impersonateAccount: null }, says: /impersonates nobody/ },
}

const node = createDevNode()
let results = new Map<string, unknown>()
let app: TestApp

async function fetch(url: string, init: RequestInit): Promise<Response> {
  const { id, method } = JSON.parse(String(init.body))
  if (!results.has(method)) return await node.fetch(url, init)
  return Response.json({ jsonrpc: '2.0', id, result: results.get(method) })
}

const open = () => openChainOf({ chain: [NODE_URL], tokens: [`CADC-ETH=${STRANGE}`], fetch })

beforeEach(async () => {
  results = new Map()
  app = openApp({ fixture: 'verified-user', chain: await open() })
})
afterEach(() => app.close())

it.each([
  ['a text', 'text'],
  ['one of a long message', { message: 'x'.repeat(1e6) }],
])('says in a short sentence that a node fails, where its error is %s', async (_, error) => {
  const fails = async () => Response.json({ jsonrpc: '2.0', id: 1, error })
  const opening = openChainOf({ chain: [NODE_URL], fetch: fails })
  await expect(opening).rejects.toThrow(/^eth_chainId: .{1,500}$/)
})

async function createTransactions() {
  const path = '/simulate/users/alice@example.com'
  const order = async (body: object) =>
    (await app.control('POST', `${path}/${'coins' in body ? 'sell' : 'buy'}`, body)).transaction
  const sell = await order({ coins: 50 })
  await app.control('POST', '/chain/send', { to: sell.depositAddress, amount: 50 })
  await app.control('POST', '/chain/scan')
  const [usdc, cadc] = [await order({ cad: 100 }), await order({ cad: 100, coin: 'CADC' })]
  return { sell, usdc, cadc }
}

it.each(Object.entries(METHODS))(
  'responds with 409 where the result of %s is of another kind',
  async (method, { right = [], given = {}, isOfStart = false, says = method }) => {
    const { sell, usdc, cadc } = await createTransactions()
    await app.control('POST', '/chain/send', { to: OTHER_ACCOUNT, amount: 50 })
    const send = { to: sell.depositAddress, amount: 1 }
    const calls: [string, string, object?][] = [
      ['GET', '/chain'],
      ['GET', `/chain/balances/${OTHER_ACCOUNT}`],
      ['POST', '/chain/scan'],
      ['POST', '/chain/send', send],
      ['POST', '/chain/send', { ...send, from: OTHER_ACCOUNT }],
      ['POST', `/simulate/transactions/${usdc.id}/settled`, { through: true }],
      ['POST', `/simulate/transactions/${cadc.id}/settled`, { through: true }],
    ]
    const accepted = right.map((result) => JSON.stringify(result))
    for (const value of WRONG.filter((each) => !accepted.includes(JSON.stringify(each)))) {
      const refused: string[] = []
      results = new Map([...Object.entries(given), [method, value]])
      if (isOfStart) {
        node.revert(-1)
        node.mine()
      }
      for (const [verb, path, body] of calls) {
        const init = { method: verb, headers: { 'content-type': 'application/json' } }
        const json = body && { body: JSON.stringify(body) }
        const { status, text } = await app.send(`/_sandbox${path}`, { ...init, ...json })
        expect([200, 409], `${path} with ${JSON.stringify(value)}: ${text}`).toContain(status)
        if (text.search(says) >= 0) refused.push(path)
        expect(text.length).toBeLessThan(10_000)
      }
      expect(refused, JSON.stringify(value)).not.toEqual([])
    }
  },
)
