import type { DataOf, Quote, Refused, Route, Transaction } from '../contract.ts'
import { type Call, KEY, type TestApp } from './world-app.ts'

export const PENDING = 'pending request money transfer'
export const PROCESSING = 'processing request money transfer'

export const EVM_WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'
export const SOLANA_WALLET = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'

export const PROFILE = {
  firstName: 'Alice',
  lastName: 'Tremblay',
  dob: '1990-04-12',
  phone: '4165550101',
  addressLine1: '100 Example Street',
  city: 'Toronto',
  province: 'ON',
  postalCode: 'M5V 3L9',
  occupation: 'Teacher',
  pep: false,
  tpd: false,
}

export interface Order {
  leftSideLabel: string
  leftSideValue: number
  rightSideLabel: string
  wallet?: string
  externalSessionId?: string
}

/** The body of a buy of 100 CAD under a quote. */
export const buyUnder = (quoteId: number, leftSideValue = 100) => ({
  ...{ leftSideLabel: 'CAD', leftSideValue, rightSideLabel: 'USDC-ETH' },
  ...{ wallet: EVM_WALLET, quoteId },
})

/** A logged-in user of one integrator. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly key: string
  readonly token: string
  call<R extends Route>(route: R, call?: Call): Promise<DataOf<R>>
  refused(route: Route, call?: Call): Promise<Refused>
  /** Pays CAD on Ethereum, unless it says otherwise. */
  buy(order?: Partial<Order>): Promise<Created>
  /** Sells coins on Ethereum, unless it says otherwise. */
  sell(order?: Partial<Order>): Promise<Created>
  /** The refusal of a buy whose quote was given. */
  refusedBuy(order?: Partial<Order>): Promise<Refused>
  refusedSell(order?: Partial<Order>): Promise<Refused>
  cancel(txId: string): Promise<Transaction>
  read(txId: string): Promise<Transaction>
}

type Created = DataOf<'POST /v2/transactions'>

export interface Newcomer {
  email?: string
  key?: string
  profile?: Record<string, unknown>
}

/** Registers a user and nothing more. */
export async function register(app: TestApp, newcomer: Newcomer = {}): Promise<string> {
  const { email = 'alice@example.com', key = KEY, profile = PROFILE } = newcomer
  const { id } = await app.call('POST /v2/users', { key, body: { email, ...profile } })
  return id
}

/** Registers a user, lets a reviewer approve, and logs in. */
export async function verifiedUser(app: TestApp, newcomer: Newcomer = {}): Promise<Person> {
  const { email = 'alice@example.com', key = KEY } = newcomer
  const id = await register(app, newcomer)
  await review(app, id)
  return logIn(app, { email, key })
}

export const review = (app: TestApp, user: string, status = 'verified') =>
  app.control('POST', `/simulate/users/${encodeURIComponent(user)}/kyc`, { status })

/** Logs in with the code from the inbox. */
export async function logIn(
  app: TestApp,
  { email = 'alice@example.com', key = KEY }: { email?: string; key?: string } = {},
): Promise<Person> {
  await app.call('POST /v2/auth/login-codes', { key, body: { email } })
  const code = await readCode(app, email)
  const verified = { key, body: { email, code } }
  const { accessToken } = await app.call('POST /v2/auth/login-codes/verify', verified)
  const [found] = await app.call('GET /v2/users', { key, query: { email } })
  return personOf(app, { id: found?.id ?? '', email, key, token: accessToken })
}

/** What an access token says. */
export const claimsOf = (token: string): { iat: number; exp: number } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** The newest login code that was sent to an address. */
export async function readCode(app: TestApp, email: string): Promise<string> {
  const { messages } = await app.control(
    'GET',
    `/inbox?kind=login-code&email=${encodeURIComponent(email)}`,
  )
  return messages.at(-1).code
}

function personOf(app: TestApp, who: Pick<Person, 'id' | 'email' | 'key' | 'token'>): Person {
  const { id, key, token } = who
  const person: Person = {
    ...who,
    call: (route, call) => app.call(route, withAccess(call)),
    refused: (route, call) => app.refused(route, withAccess(call)),
    buy: async (order) => person.call('POST /v2/transactions', await ordered(toBuy(order))),
    sell: async (order) => person.call('POST /v2/transactions', await ordered(toSell(order))),
    refusedBuy: async (order) =>
      person.refused('POST /v2/transactions', await ordered(toBuy(order))),
    refusedSell: async (order) =>
      person.refused('POST /v2/transactions', await ordered(toSell(order))),
    cancel: (txId) => person.call('PUT /v2/transactions/{txId}/cancel', { path: { txId } }),
    read: (txId) => person.call('GET /v2/transactions/{txId}', { path: { txId } }),
  }
  return person

  function withAccess(call: Call = {}): Call {
    const path = { userId: id, ...call.path }
    return { key, token, ...call, path }
  }

  async function ordered(order: Order): Promise<{ body: unknown }> {
    const { quoteId } = await quote(app, order, key)
    return { body: { wallet: walletFor(order), ...order, quoteId } }
  }
}

const toBuy = (order: Partial<Order> = {}): Order => ({
  leftSideLabel: 'CAD',
  leftSideValue: 100,
  rightSideLabel: 'USDC-ETH',
  ...order,
})

const toSell = (order: Partial<Order> = {}): Order => ({
  leftSideLabel: 'USDC-ETH',
  leftSideValue: 100,
  rightSideLabel: 'CAD',
  ...order,
})

export const walletFor = ({ leftSideLabel, rightSideLabel }: Order): string =>
  [leftSideLabel, rightSideLabel].includes('USDC-SOL') ? SOLANA_WALLET : EVM_WALLET

export function quote(app: TestApp, order: Partial<Order>, key: string = KEY): Promise<Quote> {
  const { leftSideLabel, leftSideValue, rightSideLabel } = toBuy(order)
  return app.call('GET /v2/quotes', {
    key,
    query: { leftSideLabel, leftSideValue, rightSideLabel },
  })
}

const control = (name: string) => (app: TestApp, txId: string) =>
  app.control('POST', `/simulate/transactions/${txId}/${name}`)

/** What the outside world does to a transaction. */
export const receiveFunds = control('funds-received')
export const settle = control('settled')
export const expire = control('expired')
