import type { Json } from '../../client/http.ts'
import { formatDuration, formatInstant } from '../../world/duration.ts'
import {
  assertOk,
  claimsOf,
  findMin,
  isAccepted,
  isOk,
  lifetimeOf,
  numberIn,
  roundWithin,
  shapeOf,
} from './reading.ts'
import type { Reading } from './step.ts'
import {
  CannotImitate,
  type Context,
  call,
  type Level,
  NotMeasured,
  probesOf,
  refused,
  type Step,
  step,
} from './step.ts'

const QUOTES = 'GET /v2/quotes'
const LIST = 'GET /v2/transactions'
const CONFIGURATION = 'GET /v2/webhook-configurations'
const REQUIREMENTS = 'GET /v2/users/:userId/requirements'
const LABELS = [
  ...['USDC', 'CADC', 'CADC-ETH', 'CADC-POLY', 'CADC-ARB', 'CADC-BASE'],
  ...'ETH POLY ARB OP BASE AVAX BSC CELO SOL SX'.split(' ').map((chain) => `USDC-${chain}`),
]
const CAD = 1_000
const LARGER = 5
/** Shows shares with all their decimals, where a provider quotes it. */
const HUGE = 10_000
/** Nobody has it: the domain is reserved for examples. */
const NOBODY = 'nobody-of-calibrate@example.com'
const NO_TOKEN = 'calibrate.invalid.token'
const NO_ID = '00000000-0000-4000-8000-00000000dead'

const buy = (rightSideLabel: string, leftSideValue: number | string) => ({
  query: { leftSideLabel: 'CAD', leftSideValue, rightSideLabel },
})
/** A call that is made to be refused. */
export const bad = (level: Level, route: string, options: Parameters<typeof call>[2] = {}) =>
  call(level, route, { ...options, isRefusal: true })

const findUser = step('read', ['user'], async ({ user, known, send }) => {
  const found = await send('GET /v2/users', { query: { email: user } })
  const first = Array.isArray(found.data) ? found.data[0] : undefined
  if (typeof first?.id === 'string') known.userId = first.id
  if (Array.isArray(first?.accessibleBy)) known.accessibleBy = first.accessibleBy
  return found
})

/** The quote of each label, one by one. */
const labels = step('read', [], async ({ send }) => {
  const quotes: Record<string, Reading> = {}
  for (const label of LABELS) quotes[label] = await send(QUOTES, buy(label, CAD))
  return quotes
})

export const READ_STEPS = {
  quote: call('read', QUOTES, buy('USDC-ETH', CAD)),
  quoteLarger: call('read', QUOTES, buy('USDC-ETH', CAD * LARGER)),
  quoteHuge: bad('read', QUOTES, buy('USDC-ETH', CAD * HUGE)),
  labels,
  quoteWithoutKey: bad('read', QUOTES, { key: 'none', ...buy('USDC-ETH', CAD) }),
  keyMissing: refused('missing-key', 'quote', bad('read', CONFIGURATION, { key: 'none' })),
  keyWrong: refused(
    'unknown-key',
    'quote',
    bad('read', QUOTES, { key: 'wrong', ...buy('USDC-ETH', CAD) }),
  ),
  pathUnknown: refused('unknown-path', 'quote', bad('read', 'GET /v2/calibrate-unknown-path')),
  methodUnknown: refused('method-not-allowed', 'quote', bad('read', 'GET /v2/auth/login-codes')),
  queryInvalid: refused('invalid-query', 'quote', bad('read', QUOTES, buy('USDC-ETH', 'abc'))),
  quoteDecimals: refused(
    'too-many-decimals',
    'quote',
    bad('read', QUOTES, buy('USDC-ETH', '100.005')),
  ),
  limits: call('read', 'GET /v2/limits', { isRefusal: true }),
  webhooks: call('read', CONFIGURATION, { isRefusal: true }),
  priceQuote: bad('read', 'GET /priceQuote', buy('USDC-ETH', 100)),
  priceQuoteWithoutKey: bad('read', 'GET /priceQuote', { key: 'none', ...buy('USDC-ETH', 100) }),
  v1Nobody: bad('read', 'GET /apiFindUser', { query: { email: NOBODY } }),
  v1KeyWrong: bad('read', 'GET /apiFindUser', { key: 'wrong', query: { email: NOBODY } }),
  tokenMissing: refused('missing-token', 'list', bad('read', LIST)),
  v1Missing: bad('read', 'GET /apiFindUser'),
  findUser,
  v1User: step('read', ['user'], ({ user, send }) =>
    send('GET /apiFindUser', { query: { email: user } }),
  ),
  requirements: step('read', ['user'], (context) =>
    context.send(REQUIREMENTS, { path: { userId: userIdOf(context) }, isRefusal: true }),
  ),
  userUnknown: refused(
    'user-not-found',
    'requirements',
    bad('read', REQUIREMENTS, { path: { userId: NO_ID } }),
  ),
  keyAccess: step('read', ['user'], (context) =>
    context.send(LIST, { query: { userId: userIdOf(context) }, isRefusal: true }),
  ),
}

/** Reads with the token of the user, made once there is one. */
export const TOKEN_STEPS = {
  limitsOfUser: withToken('GET /v2/limits'),
  list: withToken(LIST),
  limitsByToken: step('read', ['token'], (context) =>
    context.send('GET /v2/limits', { key: 'none', token: tokenOf(context), isRefusal: true }),
  ),
  requirementsByToken: byToken(REQUIREMENTS),
  tokenInvalid: refused('invalid-token', 'list', bad('read', LIST, { token: NO_TOKEN })),
  transactionUnknown: refused(
    'unknown-transaction',
    'list',
    step('read', ['token'], (context) => {
      const [path, token] = [{ txId: NO_ID }, tokenOf(context)]
      return context.send('GET /v2/transactions/:txId', { path, token, isRefusal: true })
    }),
  ),
  requirementsOfUser: step('read', ['user', 'token'], (context) => {
    const [path, token] = [{ userId: userIdOf(context) }, tokenOf(context)]
    return context.send(REQUIREMENTS, { path, token })
  }),
  listOffset: withToken(LIST, { offset: 1.5 }),
  listAbove: refused('page-too-large', 'list', withToken(LIST, { limit: 100_000 })),
  listMaximum: step('read', ['token'], async (context) => {
    const token = tokenOf(context)
    const ask = (limit: number) => context.send(LIST, { token, query: { limit } })
    const above = await ask(100_000)
    if (isOk(above)) return numberIn(above.data?.limit, 'limit')
    const bounds = { min: 1, max: 1_000, expected: 101 }
    const rejected = await findMin(bounds, async (limit) => !isAccepted(await ask(limit)))
    return rejected === undefined ? bounds.max : rejected - 1
  }),
}

function withToken(route: string, query: Record<string, number> = {}): Step<Reading> {
  return step('read', ['token'], (context) =>
    context.send(route, { token: tokenOf(context), query }),
  )
}

/** A call about the verified user with a token and no key; none of these changes anything. */
export function byToken(route: string, body?: object): Step<Reading> {
  const isRead = route.startsWith('GET') && !route.endsWith('kyc-url')
  return step(isRead ? 'read' : 'write', ['user', 'token'], (context) => {
    const [path, token] = [{ userId: userIdOf(context) }, tokenOf(context)]
    const more = { path, token, key: 'none' as const, isRefusal: true }
    return context.send(route, { ...more, ...(body && { body }) })
  })
}

export function userIdOf({ known }: Pick<Context, 'known'>): string {
  if (known.userId !== undefined) return known.userId
  throw new NotMeasured('the provider does not find the user of --user')
}

export function tokenOf({ known }: Pick<Context, 'known'>): string {
  if (known.token !== undefined) return known.token
  throw new NotMeasured('there is no access token')
}

const probe = probesOf<typeof READ_STEPS & typeof TOKEN_STEPS>()

export const READ_PROBES = [
  probe('fields.createQuote', ['quote'], ({ quote }) =>
    shapeOf(assertOk(quote).data, {
      full: [
        ...['quoteId', 'leftSideLabel', 'leftSideValue', 'rightSideLabel', 'rightSideValue'],
        ...['rate', 'expiresAt', 'breakdown'],
      ],
      contract: ['quoteId', 'breakdown'],
    }),
  ),
  probe('quotes.labels', ['labels'], ({ labels }) => {
    const traded = LABELS.filter((label) => isAccepted(labels[label] as Reading))
    if (traded.length === 0) throw new NotMeasured('no label is quoted')
    return traded.join(',')
  }),
  probe('quotes.bareLabels', ['labels'], ({ labels }) => {
    const gas = (label: string) => gasOf(labels, label)
    const same = ['ETH', 'POLY', 'ARB', 'BASE'].filter((chain) => {
      return isOk(labels[`USDC-${chain}`] as Reading) && gas(`USDC-${chain}`) === gas('USDC')
    })
    const [only, ...others] = same
    if (only !== undefined && others.length === 0) return only
    throw new NotMeasured('the gas of several chains is that of USDC, or of none')
  }),
  probe('quotes.ttl', ['quote'], ({ quote }) => {
    const { data } = assertOk(quote)
    if (data?.expiresAt !== undefined) return lifetimeOf(quote)
    const [name] = instantsIn(data)
    if (name === undefined) throw new NotMeasured('the quote shows no time of expiry')
    return lifetimeOf({ ...quote, data: { expiresAt: data[name] } })
  }),
  probe('quotes.fee', ['quote', 'quoteLarger', 'quoteHuge'], (quotes) => partsOf(quotes).fee),
  probe('quotes.spread', ['quote', 'quoteLarger', 'quoteHuge'], (quotes) => partsOf(quotes).spread),
  probe('quotes.gas.ethereum', ['labels'], ({ labels }) => gasOf(labels, 'USDC-ETH')),
  probe('quotes.gas.solana', ['labels'], ({ labels }) => gasOf(labels, 'USDC-SOL')),
  probe('quotes.gas.other', ['labels'], ({ labels }) => {
    const others = LABELS.filter((label) => /-(?!ETH|SOL)/.test(label))
    const traded = others.filter((label) => isOk(labels[label] as Reading))
    const [gas, ...rest] = new Set(traded.map((label) => gasOf(labels, label)))
    if (gas === undefined) throw new NotMeasured('no other chain is quoted')
    if (rest.length === 0) return gas
    throw new CannotImitate(`it differs from chain to chain: ${[gas, ...rest].join(', ')}`)
  }),
  probe('auth.getLimits', ['quote', 'limits'], ({ quote, limits }) => {
    assertOk(quote)
    if (limits.status === 401) return 'token'
    throw new NotMeasured('it takes a token to tell')
  }),
  probe('auth.getLimits', ['quote', 'limits', 'limitsByToken'], (steps) => {
    assertOk(steps.quote)
    if (!isOk(steps.limits)) return steps.limits.status === 401 ? 'token' : notShown()
    return isOk(steps.limitsByToken) ? 'key-or-token' : 'key'
  }),
  probe('auth.createQuote', ['quote', 'quoteWithoutKey'], ({ quote, quoteWithoutKey }) => {
    assertOk(quote)
    return isOk(quoteWithoutKey) ? 'none' : 'key'
  }),
  probe('limits.selfServeMinimum', ['limits'], ({ limits }) => boundOf(limits, 'minimum')),
  probe('limits.maximum', ['limits'], ({ limits }) => boundOf(limits, 'maximum')),
  probe('limits.selfServeMinimum', ['limitsOfUser'], ({ limitsOfUser }) =>
    boundOf(limitsOfUser, 'minimum'),
  ),
  probe('limits.maximum', ['limitsOfUser'], ({ limitsOfUser }) => boundOf(limitsOfUser, 'maximum')),
  probe('auth.v1PriceQuote', ['priceQuote', 'priceQuoteWithoutKey'], (steps) => {
    assertOk(steps.priceQuote)
    return isOk(steps.priceQuoteWithoutKey) ? 'none' : 'key'
  }),
  probe('v1.sunset', ['quote', 'v1Missing'], ({ quote, v1Missing }, { now }) => {
    assertOk(quote)
    return sunsetOf(v1Missing, now())
  }),
  probe('errors.v1', ['quote', 'queryInvalid', 'v1Missing', 'keyWrong', 'v1KeyWrong'], (steps) => {
    assertOk(steps.quote)
    const { queryInvalid, v1Missing, keyWrong, v1KeyWrong } = steps
    if (v1Missing.status === 410) return notShown()
    for (const [ours, legacy] of [
      [queryInvalid, v1Missing],
      [keyWrong, v1KeyWrong],
    ]) {
      const [status, other] = [ours?.status, legacy?.status]
      if (status === other && status !== 400) return 'as-v2'
      if (status !== other && other === 400) return '400'
      if (status !== other) throw new CannotImitate(`an error of v1 is ${other}, and not ${status}`)
    }
    return notShown()
  }),
  probe('status.unknown-email', ['quote', 'v1Missing', 'v1Nobody'], (steps) => {
    assertOk(steps.quote)
    const { status } = steps.v1Nobody
    // Under the other reading every error of v1 is 400.
    if (status === 410 || (status === 400 && steps.v1Missing.status === 400)) return notShown()
    return status < 300 ? 200 : status
  }),
  probe('fields.findUsers', ['findUser'], ({ findUser }) => {
    const [first] = assertOk(findUser).data
    if (first === undefined) throw new NotMeasured('the provider does not find the user of --user')
    return shapeOf(first, { full: ['id', 'accessibleBy', 'status', 'email'], contract: ['id'] })
  }),
  probe('fields.v1FindUser', ['v1User'], ({ v1User }) =>
    shapeOf(assertOk(v1User).data, { full: ['userId', 'userStatus'], contract: ['userId'] }),
  ),
  probe('requirements.shape', ['requirementsOfUser'], ({ requirementsOfUser }) =>
    requirementsShape(requirementsOfUser),
  ),
  probe('requirements.shape', ['requirements'], ({ requirements }) =>
    requirementsShape(requirements),
  ),
  probe('access.subject', ['keyAccess'], ({ keyAccess }, { known }) => {
    if (isOk(keyAccess)) return 'query-or-body'
    const isKnown = known.accessibleBy?.includes('apiKey') && keyAccess.status === 401
    if (isKnown) return 'refuse'
    throw new NotMeasured('the user is not known to grant access to the API key alone')
  }),
  probe('transactions.list.limit', ['list'], ({ list }) =>
    numberIn(assertOk(list).data?.limit, 'limit'),
  ),
  probe('transactions.list.maximum', ['listMaximum'], ({ listMaximum }) => listMaximum),
  probe('transactions.list.offset', ['listOffset'], ({ listOffset }) =>
    isAccepted(listOffset) ? 'numeric' : 'integer',
  ),
  probe('transactions.list.order', ['list'], ({ list }) => orderOf(list)),
  probe('login.token.ttl', ['list'], (_, context) => {
    const { iat, exp } = claimsOf(tokenOf(context))
    return formatDuration((numberIn(exp, 'exp') - numberIn(iat, 'iat')) * 1000)
  }),
]

function notShown(): never {
  throw new NotMeasured('no response shows it')
}

/** How a list is sorted, where two of its rows have different dates. */
export function orderOf(list: Reading): string {
  const items: Json[] = assertOk(list).data?.items ?? []
  const dates = items.map(({ date }) => Date.parse(date))
  const steps = dates.slice(1).map((date, i) => Math.sign(date - (dates[i] ?? 0)))
  const [way, ...others] = new Set(steps.filter((sign) => sign !== 0))
  if (way === undefined)
    throw new NotMeasured('the user has no two transactions of different dates')
  if (others.length > 0) throw new CannotImitate('the list is not sorted by date')
  return way < 0 ? 'newest' : 'oldest'
}

function requirementsShape(reading: Reading): string {
  const { data } = assertOk(reading)
  if (Array.isArray(data)) return 'array'
  return shapeOf(data, { object: ['complete', 'outstanding'] })
}

const instantsIn = (data: Json): string[] =>
  Object.keys(data ?? {}).filter((name) => /^\d{4}-\d\d-\d\dT/.test(String(data[name])))

/** Numbers of a breakdown by name. */
function numbersOf(quote: Reading): Record<string, number> {
  const breakdown: Json = assertOk(quote).data?.breakdown
  const entries = Object.entries<Json>(breakdown ?? {}).filter(([, part]) => Number.isFinite(part))
  return Object.fromEntries(entries)
}

interface Quotes {
  quote: Reading
  quoteLarger: Reading
  quoteHuge: Reading
}

/** Parts of a price by their names, or by how they grow: a share grows with the amount. */
function partsOf({ quote, quoteLarger, quoteHuge }: Quotes) {
  const [large, factor] = isOk(quoteHuge) ? [quoteHuge, HUGE] : [quoteLarger, LARGER]
  const [small, big] = [numbersOf(quote), numbersOf(large)]
  const cad = CAD * factor
  const names = Object.keys(small)
  const isShare = (name: string) => {
    const [before = 0, after = 0] = [small[name], big[name]]
    const isTotal = after / cad > TOTAL_MIN
    return !isTotal && before > 0 && Math.abs(after / before / factor - 1) < 0.02
  }
  const shares = names.filter(isShare)
  const feeName = names.find((name) => name === 'fee') ?? shares.find((name) => /fee/i.test(name))
  const others = shares.filter((name) => name !== feeName)
  const spreadName = names.find((name) => name === 'spread') ?? others[0]
  if (feeName === undefined || spreadName === undefined || others.length > 1) {
    throw new NotMeasured(`the breakdown has ${names.join(', ')}`)
  }
  const gas = names.find((name) => /gas|network|chain/i.test(name) && small[name] === big[name])
  const fee = big[feeName] ?? 0
  const net = cad - fee - (gas === undefined ? 0 : (big[gas] ?? 0))
  return {
    fee: roundWithin(fee / cad, 0.005 / cad),
    // What is paid out is rounded to cents of a coin, which are worth more than a cent of CAD.
    spread: roundWithin((big[spreadName] ?? 0) / net, 0.02 / net),
  }
}

/** A part that is a larger share is a sum of others. */
const TOTAL_MIN = 0.2

/** What a chain costs is the part of a breakdown that its own name or another quote tells. */
function gasOf(labels: Readonly<Record<string, Reading>>, label: string): number {
  const quote = labels[label]
  if (quote === undefined) throw new NotMeasured(`${label} is not quoted`)
  const numbers = numbersOf(quote)
  const name = Object.keys(numbers).find((part) => /gas|network|chain/i.test(part))
  return numberIn(name === undefined ? undefined : numbers[name], 'breakdown.gas')
}

const boundOf = (limits: Reading, bound: 'minimum' | 'maximum') =>
  numberIn(assertOk(limits).data?.leftSideCurrency?.CAD?.[bound], `leftSideCurrency.CAD.${bound}`)

const SUNSET = '2026-08-22T00:00:00Z'

/** When v1 stops: by its `Sunset` header, and by whether it still responds. */
function sunsetOf({ status, headers }: Reading, now: number): string {
  const announced = Date.parse(headers.sunset ?? '')
  const stated = Date.parse(SUNSET)
  if (Number.isFinite(announced) && announced !== stated) {
    return formatInstant(announced).replace('.000Z', 'Z')
  }
  if (status === 410) return 'contract'
  if (!Number.isFinite(announced)) throw new NotMeasured('no response says when v1 stops')
  if (now >= stated) return 'extended'
  throw new NotMeasured(`v1 is to stop at ${SUNSET}, and only then it shows whether it does`)
}
