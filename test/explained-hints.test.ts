import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Door, KEY, openDoor } from './helpers/door.ts'
import {
  EVM_WALLET,
  logIn,
  type Order,
  type Person,
  quote,
  SOLANA_WALLET,
} from './helpers/story.ts'

let door: Door
let alice: Person

beforeAll(async () => {
  door = openDoor({ fixture: 'verified-user' })
  alice = await logIn(door)
})
afterAll(() => door.close())

interface Sent {
  body?: unknown
  headers?: Record<string, string>
}

/** Makes a call that is refused, and reads in the journal why. */
async function explain(route: string, { body, headers }: Sent = {}) {
  const [method = '', path = ''] = route.split(' ')
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await door.send(path, {
    method,
    headers: { 'x-api-key': KEY, authorization: `Bearer ${alice.token}`, ...json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  const id = answer.headers.get('x-sandbox-request')
  const { reason, problems } = await door.control('GET', `/requests/${id}`)
  const { hint, nearest } = reason
  return { status: answer.status, hint, nearest, problems }
}

async function sendWallet(wallet: string, rightSideLabel: string) {
  const order: Order = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel }
  const { quoteId } = await quote(door, order)
  return explain('POST /v2/transactions', { body: { ...order, wallet, quoteId } })
}

describe('a wallet of another chain', () => {
  it.each([
    [SOLANA_WALLET, 'USDC-ETH', 'an address on Solana, whose coin is USDC-SOL'],
    [EVM_WALLET, 'USDC-SOL', 'an address on Ethereum or a chain like it'],
    ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'USDC-ETH', 'an address on Bitcoin'],
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'CADC-BASE', 'an address on Tron'],
    [`0x${'a1'.repeat(32)}`, 'USDC-POLY', 'a transaction hash or a private key'],
    ['alice.eth', 'USDC-ETH', 'a name; send the address that it stands for'],
  ])('%s is told from one for %s', async (wallet, label, words) => {
    const { status, hint } = await sendWallet(wallet, label)
    expect(status).toBe(400)
    expect(hint).toContain(words)
  })

  it('is not guessed at where nothing is like it', async () => {
    expect((await sendWallet('my wallet', 'USDC-ETH')).hint).toBeNull()
  })
})

describe('what a login needs, sent in the query as v1 took it', () => {
  const CODE_QUERY = '?email=alice@example.com&login_code=1234'

  it('is told from a body without a type', async () => {
    const told = await explain('POST /v2/auth/login-codes?email=alice@example.com')
    expect(told).toMatchObject({
      status: 415,
      hint: 'The fields came in the query; they belong in the body.',
      nearest: '{"email":"alice@example.com"}',
    })
  })

  it('is given the names of v2', async () => {
    const told = await explain(`POST /v2/auth/login-codes/verify${CODE_QUERY}`)
    expect(told.nearest).toBe('{"email":"alice@example.com","code":"1234"}')
  })

  it('is found beside an empty object as well', async () => {
    const told = await explain(`POST /v2/auth/login-codes/verify${CODE_QUERY}`, { body: {} })
    expect(told.hint).toBe(
      'email came in the query; it belongs in the body. ' +
        'login_code came in the query; it belongs in the body as code.',
    )
  })

  it('leaves a missing type of JSON as it is where there was none', async () => {
    const told = await explain('POST /v2/auth/login-codes')
    expect(told).toMatchObject({ status: 415, nearest: 'Content-Type: application/json' })
  })
})

describe('a path with a slash too many', () => {
  it.each([
    ['GET //v2/users?email=a@example.com', 'GET /v2/users'],
    ['GET /v2//users?email=a@example.com', 'GET /v2/users'],
    ['POST //v2/auth//login-codes/', 'POST /v2/auth/login-codes'],
  ])('%s is known without it', async (route, nearest) => {
    const { status, hint, ...told } = await explain(route)
    expect([status, told.nearest]).toEqual([404, nearest])
    expect(hint).toBe(`The path is ${nearest.split(' ')[1]}.`)
  })
})

describe('a path with a word that is mistyped', () => {
  it.each([
    ['POST /v2/transactons', 'POST /v2/transactions'],
    ['GET /v2/webhook-configuration', 'GET /v2/webhook-configurations'],
    ['GET /v2/limit', 'GET /v2/limits'],
  ])('%s is near to %s', async (route, nearest) => {
    expect((await explain(route)).hint).toContain(nearest)
  })
})

describe('a field that stands for one is not taken for another that is like it', () => {
  it.each(['left_side_label', 'leftsidelabel', 'LeftSideLabel'])('%s', async (name) => {
    const { hint, problems } = await explain(`GET /v2/quotes?${name}=CAD`)
    expect(hint).toBe(`${name} came; v2 calls it leftSideLabel.`)
    expect(problems).toMatchObject([
      { field: 'leftSideLabel', nearest: 'leftSideLabel' },
      { field: 'leftSideValue', nearest: null },
      { field: 'rightSideLabel', nearest: null },
    ])
  })

  it('though a mistyped one is', async () => {
    const { hint } = await explain('GET /v2/quotes?leftSideLable=CAD')
    expect(hint).toBe('leftSideLable came; v2 calls it leftSideLabel.')
  })
})
