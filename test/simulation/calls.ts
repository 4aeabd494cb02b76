import { makeShareToken } from '../../src/world/share-token.ts'
import type { Integrator, Quote, Transaction, User } from '../../src/world/state.ts'
import { SHARE_TOKEN_KINDS } from '../../src/world/words.ts'
import { NOWHERE } from '../helpers/app.ts'
import { EVM_WALLET, SOLANA_WALLET } from '../helpers/story.ts'
import type { Life, Step, Token } from './life.ts'

export const EMAILS = [
  'alice@example.com',
  'bob@example.com',
  'carol@example.com',
  'dave@example.com',
  'é漢🙂@example.com',
] as const
const GOOD_PROFILES = [
  {},
  { firstName: 'Ann', lastName: 'Lee', dob: '1990-05-17', pep: false, tpd: true },
  { city: 'Montréal', province: 'qc', postalCode: 'H2X 1Y4', addressLine1: '1 Rue' },
  { dob: '1950-01-01', occupation: 'retired', purpose: '漢' },
] as const
const BAD_PROFILES = [
  { dob: '2023-02-30' },
  { dob: '2020-01-01' },
  { province: 'ZZ' },
  { postalCode: 'D1D 1D1' },
  { firstName: 7 },
  { pep: 'true' },
  { lastName: '' },
] as const
const COINS = ['USDC-ETH', 'USDC', 'USDC-SOL', 'USDC-POLY', 'CADC', 'CADC-BASE'] as const
/** A world whose share tokens anyone can make. */
const OPEN = { secret: '', secretRandom: () => () => 0 }

/** A buy or a sell, with one of the last quotes or a new one. */
export async function createTransaction(life: Life) {
  const caller = await someCaller(life)
  if (!caller) return
  const { name } = caller.integrator
  if (!someQuote(life, name)) await quoteFor(life, caller.integrator)
  await createFor(life, caller, someQuote(life, name))
}

export async function createFor(life: Life, { user, integrator, token }: Caller, quote?: Quote) {
  if (!quote) return
  const { dice, state } = life
  const isSwapped = dice.chance(0.02)
  const right = dice.chance(0.02) ? 'USDC-ARB' : quote.rightSideLabel
  const isWide = dice.chance(0.02)
  await life.take({
    action: 'createTransaction',
    route: 'POST /v2/transactions',
    key: keyOf(life, integrator),
    token,
    body: {
      leftSideLabel: isSwapped ? quote.rightSideLabel : quote.leftSideLabel,
      leftSideValue: someAmount(life, quote, user),
      rightSideLabel: isSwapped ? quote.leftSideLabel : right,
      wallet: someWallet(life, quote),
      quoteId: dice.chance(0.02) ? state.nextQuoteId : quote.quoteId,
      ...(dice.chance(0.3) && { externalSessionId: dice.pick(['s-1', 'é漢🙂', '']) }),
      ...(isWide && { gasId: 1 }),
      ...(!token && { userId: user.id }),
    },
    broken: isWide ? 'gasId' : undefined,
    ref: user.id,
  })
}

function someQuote({ dice, state }: Life, integrator: string): Quote | undefined {
  if (dice.chance(0.1)) return dice.find(state.quotes)
  const own = state.quotes.filter((quote) => quote.integrator === integrator)
  return dice.find(own.filter(({ expiresAt }) => expiresAt > state.now).slice(-4))
}

function someWallet({ dice }: Life, { side, leftSideLabel, rightSideLabel }: Quote): string {
  const isSolana = (side === 'buy' ? rightSideLabel : leftSideLabel) === 'USDC-SOL'
  return isSolana === dice.chance(0.97) ? SOLANA_WALLET : EVM_WALLET
}

/** Amounts around every bound, in the currency of the left side. */
function someAmount({ dice, settings }: Life, quote: Quote, user: User): unknown {
  if (dice.chance(0.55)) return quote.leftSide / 1e6
  if (dice.chance(0.04)) return dice.pick([0, -1, 1e308, 1e-7, '100', 1e9 + 1, null])
  const bound = dice.pick([
    settings['limits.minimum'],
    user.maximumCad ?? settings['limits.maximum'],
    1 + dice.below(9_998),
  ])
  const rate = quote.side === 'buy' ? 1_000_000 : quote.rate
  const exact = Math.round((bound * 1e12) / rate)
  return (exact + dice.pick([0, 0, 1, -1, 10_000, -10_000])) / 1e6
}

export async function createQuote(life: Life) {
  const integrator = life.dice.find(life.state.integrators)
  if (integrator) await quoteFor(life, integrator)
}

async function quoteFor(life: Life, integrator: Integrator) {
  const { dice } = life
  const coin = dice.pick(COINS)
  const [left, right] = dice.chance(0.6) ? ['CAD', coin] : [coin, 'CAD']
  const isPair = !dice.chance(0.03)
  const amount = dice.chance(0.05) ? dice.pick(['0', '-5', '1e3', 'NaN', '0.0000001']) : undefined
  const query = new URLSearchParams({
    leftSideLabel: left,
    leftSideValue: amount ?? dice.pick(['100', '10', '9999', '0.5', '99.5', '4000.123456']),
    rightSideLabel: isPair ? right : left,
  })
  const broken = !isPair || amount !== undefined ? 'quote' : undefined
  const route = `GET /v2/quotes?${query}`
  await life.take({ action: 'createQuote', route, key: keyOf(life, integrator), broken })
}

export async function listTransactions(life: Life) {
  const { dice } = life
  const caller = await someCaller(life)
  if (!caller) return
  const { integrator, token, user } = caller
  const limit = dice.pick(['', '1', '2', '3', '100', '0', '101', 'x'])
  const offset = dice.pick(['', '0', '1', '2', '7', '999999999', '-1', '1.5'])
  const isBroken = ['0', '101', 'x'].includes(limit) || ['-1', '1.5'].includes(offset)
  const query = new URLSearchParams({ ...(limit && { limit }), ...(offset && { offset }) })
  if (!token) query.set('userId', user.id)
  await life.take({
    action: 'listTransactions',
    route: `GET /v2/transactions?${query}`,
    key: keyOf(life, integrator),
    token,
    broken: isBroken ? `limit=${limit} offset=${offset}` : undefined,
  })
}

export async function readTransaction(life: Life) {
  await onTransaction(life, 'getTransaction', (id) => `GET /v2/transactions/${id}`)
}

export async function cancelTransaction(life: Life) {
  await onTransaction(life, 'cancelTransaction', (id) => `PUT /v2/transactions/${id}/cancel`)
}

/** The right integrator and user for a transaction, seldom others. */
async function onTransaction(life: Life, action: string, routeOf: (id: string) => string) {
  const { dice, state } = life
  const transaction = someTransaction(life)
  const isStranger = dice.chance(0.05) || !transaction
  const caller = isStranger ? await someCaller(life) : await ownerOf(life, transaction)
  if (!caller) return
  const id = !transaction || dice.chance(0.02) ? NOWHERE : transaction.id
  const key = dice.chance(0.97) ? caller.integrator.apiKey : dice.find(state.integrators)?.apiKey
  await life.take({ action, route: routeOf(id), key, token: caller.token, ref: id })
}

async function ownerOf(life: Life, owned: Transaction): Promise<Caller | undefined> {
  const user = life.state.users.find(({ id }) => id === owned.userId)
  const integrator = life.state.integrators.find(({ name }) => name === owned.integrator)
  return user && integrator && (await withToken(life, user, integrator))
}

/** A transaction, more often one that can still move. */
export function someTransaction({ dice, state }: Life): Transaction | undefined {
  const recent = state.transactions.slice(-12)
  const active = recent.filter(({ closedAt }) => closedAt === null)
  return dice.chance(0.75) ? (dice.find(active) ?? dice.find(recent)) : dice.find(recent)
}

export async function createUser(life: Life) {
  const { dice, state } = life
  const { fields, broken } = someProfile(life)
  const integrator = dice.find(state.integrators)
  if (!integrator) return
  const email = dice.chance(0.1) ? 'nobody' : dice.pick(EMAILS)
  const spelt = dice.chance(0.2) ? email.toUpperCase() : email
  await life.take({
    action: 'createUser',
    route: 'POST /v2/users',
    key: keyOf(life, integrator),
    body: dice.chance(0.03) ? '{"email":' : { email: spelt, ...fields },
    broken: email === 'nobody' ? 'email' : broken,
    ref: spelt,
  })
}

export async function updateUser(life: Life) {
  const caller = await someCaller(life)
  if (!caller) return
  const { user, integrator, token } = caller
  const { fields, broken } = someProfile(life)
  const step = { action: 'updateUser', route: `PATCH /v2/users/${user.id}`, body: fields }
  await life.take({ ...step, key: keyOf(life, integrator), token, broken, ref: user.id })
}

function someProfile({ dice }: Life): { fields: object; broken: string | undefined } {
  if (dice.chance(0.75)) return { fields: dice.pick<object>(GOOD_PROFILES), broken: undefined }
  const fields = dice.pick<object>(BAD_PROFILES)
  return { fields, broken: JSON.stringify(fields) }
}

export async function readUser(life: Life) {
  const { dice } = life
  const caller = await someCaller(life)
  if (!caller) return
  const { user, integrator, token } = caller
  const email = encodeURIComponent(dice.chance(0.1) ? 'no@example.com' : user.email)
  const id = dice.chance(0.05) ? NOWHERE : user.id
  const step = dice.pick<Step>([
    { action: 'findUsers', route: `GET /v2/users?email=${email}` },
    { action: 'getRequirements', route: `GET /v2/users/${id}/requirements` },
    { action: 'createKycLink', route: `GET /v2/users/${id}/kyc-url`, token, ref: id },
    { action: 'getLimits', route: 'GET /v2/limits', token },
  ])
  await life.take({ ...step, key: keyOf(life, integrator) })
}

export async function importKyc(life: Life) {
  const { dice } = life
  const caller = await someCaller(life)
  if (!caller) return
  const { user, integrator } = caller
  const kind = dice.pick(SHARE_TOKEN_KINDS)
  const email = dice.chance(0.8) ? user.email : 'other@example.com'
  const isGood = kind === 'valid' && email === user.email
  await life.take({
    action: 'importKyc',
    route: `PUT /v2/users/${user.id}/kyc`,
    key: keyOf(life, integrator),
    body: { shareToken: makeShareToken(OPEN, email, kind) },
    broken: isGood ? undefined : `${kind} share token of ${email}`,
    ref: user.id,
  })
}

/** Asks for a code; half go on and use it. */
export async function sendLoginCode(life: Life) {
  const { dice, state } = life
  const user = someUser(life)
  const integrator = dice.find(state.integrators)
  if (!user || !integrator) return
  const email = dice.chance(0.05) ? 'no@example.com' : user.email
  await life.take(sendCode(email, keyOf(life, integrator)))
  if (dice.chance(0.5)) await verifyLoginCode(life)
}

/** Uses a code that was sent, the right one or others. */
export async function verifyLoginCode(life: Life) {
  const { dice, state } = life
  const sent = dice.find(state.loginCodes)
  const user = state.users.find(({ id }) => id === sent?.userId)
  const integrator = state.integrators.find(({ name }) => name === sent?.integrator)
  if (!sent || !user || !integrator) return
  const wrong = String((Number(sent.code) + 1) % 10_000).padStart(4, '0')
  const code = dice.pick([sent.code, wrong])
  const isShort = dice.chance(0.05)
  const step = verify(user.email, isShort ? '12' : code, integrator.apiKey)
  await life.take({ ...step, broken: isShort ? 'code' : undefined })
}

interface Caller {
  user: User
  integrator: Integrator
  token: Token | undefined
}

/** A user of an integrator, mostly with a token that works, for which it logs in. */
export async function someCaller(life: Life): Promise<Caller | undefined> {
  const { dice, state, tokens, strangeTokens } = life
  const user = someUser(life)
  const name = dice.find(user?.integrators ?? [])
  const linked = state.integrators.find((known) => known.name === name)
  const integrator = dice.chance(0.1) ? dice.find(state.integrators) : linked
  if (!user || !integrator) return undefined
  if (dice.chance(0.03)) return { user, integrator, token: dice.find(tokens) }
  if (dice.chance(0.03)) return { user, integrator, token: dice.find(strangeTokens) }
  if (dice.chance(0.03)) return { user, integrator, token: undefined }
  return withToken(life, user, integrator)
}

/** Most of a life is about one user, so that limits are reached. */
export function someUser({ dice, state }: Life): User | undefined {
  return dice.chance(0.65) ? state.users[0] : dice.find(state.users)
}

/** Those with a token that works, which a user who may log in mostly gets. */
async function withToken(life: Life, user: User, integrator: Integrator): Promise<Caller> {
  const find = () =>
    life.tokens.findLast(
      (token) =>
        token.userId === user.id &&
        token.integrator === integrator.name &&
        token.expiresAt > life.state.now,
    )
  const canLogIn = user.status === 'verified' && life.dice.chance(0.8)
  if (find() === undefined && canLogIn) await logIn(life, user, integrator)
  return { user, integrator, token: find() }
}

async function logIn(life: Life, { id, email }: User, { name, apiKey }: Integrator) {
  await life.take(sendCode(email, apiKey))
  const sent = life.state.loginCodes.findLast(
    ({ userId, integrator }) => userId === id && integrator === name,
  )
  if (sent) await life.take(verify(email, sent.code, apiKey))
}

const sendCode = (email: string, key: string | undefined): Step => ({
  action: 'sendLoginCode',
  route: 'POST /v2/auth/login-codes',
  ...{ key, body: { email } },
})

const verify = (email: string, code: string, key: string): Step => ({
  action: 'verifyLoginCode',
  route: 'POST /v2/auth/login-codes/verify',
  ...{ key, body: { email, code }, ref: email },
})

/** The key of the caller, seldom a wrong one or none. */
function keyOf({ dice }: Life, { apiKey }: Integrator): string | undefined {
  return dice.chance(0.99) ? apiKey : dice.pick(['wrong-key', undefined])
}
