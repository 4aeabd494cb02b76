import { formatDuration, formatInstant } from '../../world/duration.ts'
import { presetValue } from '../../world/settings/index.ts'
import type { Context } from './context.ts'
import { NotMeasured } from './not-measured.ts'
import { call, probesOf, type Step, step } from './probe.ts'
import type { Reading } from './provider.ts'
import {
  assertOk,
  byStatus,
  claimsOf,
  errorStatusOf,
  findLeast,
  isAccepted,
  isOk,
  lifetimeOf,
  numberIn,
  roundWithin,
} from './reading.ts'

const QUOTES = 'GET /v2/quotes'
const buy = (rightSideLabel: string, leftSideValue: number | string) => ({
  query: { leftSideLabel: 'CAD', leftSideValue, rightSideLabel },
})
/** A quote of any size is asked for nothing; a large one shows shares with all their decimals. */
const LARGE_CAD = 10_000_000
const NORMAL_CAD = 1_000

/** An address that no one has: the domain is reserved for examples. */
const NOBODY = 'nobody-of-calibrate@example.com'

/** What the reads of one user need to know. */
const findUser = step('read', ['user'], async ({ user, known, send }) => {
  const found = await send('GET /v2/users', { query: { email: user } })
  const first = Array.isArray(found.data) ? found.data[0] : undefined
  if (typeof first?.id === 'string') known.userId = first.id
  if (Array.isArray(first?.accessibleBy)) known.accessibleBy = first.accessibleBy
  return found
})

/** One page under each limit that was tried, to find the largest that is accepted. */
interface PageBound {
  maximum: number | undefined
  above: Reading
}

const LIST = 'GET /v2/transactions'
const LIMIT_MAX = 1_000
const LIMIT_EXPECTED = 100

export const READ_STEPS = {
  invalidQuote: call('read', QUOTES, buy('USDC-ETH', 'abc')),
  quote: call('read', QUOTES, buy('USDC-ETH', NORMAL_CAD)),
  quoteLarge: call('read', QUOTES, buy('USDC-ETH', LARGE_CAD)),
  quoteBare: call('read', QUOTES, buy('USDC', NORMAL_CAD)),
  quoteBase: call('read', QUOTES, buy('USDC-BASE', NORMAL_CAD)),
  quoteSolana: call('read', QUOTES, buy('USDC-SOL', NORMAL_CAD)),
  quoteDecimals: call('read', QUOTES, buy('USDC-ETH', '100.005')),
  limits: call('read', 'GET /v2/limits'),
  webhooks: call('read', 'GET /v2/webhook-configurations'),
  priceQuote: call('read', 'GET /priceQuote', { key: 'none', ...buy('USDC', 100) }),
  v1Nobody: call('read', 'GET /apiFindUser', { query: { email: NOBODY } }),
  findUser,
  v1User: step('read', ['user'], ({ user, send }) =>
    send('GET /apiFindUser', { query: { email: user } }),
  ),
  requirements: step('read', ['user'], (context) =>
    context.send('GET /v2/users/:userId/requirements', { path: { userId: userIdOf(context) } }),
  ),
  keyAccess: step('read', ['user'], (context) =>
    context.send(LIST, { query: { userId: userIdOf(context) } }),
  ),
}

/** Reads with the token of the user, made once there is one. */
export const TOKEN_STEPS = {
  limitsOfUser: withToken('GET /v2/limits'),
  list: withToken(LIST),
  requirementsOfUser: step('read', ['user', 'token'], (context) => {
    const [path, token] = [{ userId: userIdOf(context) }, tokenOf(context)]
    return context.send('GET /v2/users/:userId/requirements', { path, token })
  }),
  listOffset: withToken(LIST, { offset: 1.5 }),
  listMaximum: step('read', ['token'], async (context): Promise<PageBound> => {
    const token = tokenOf(context)
    const ask = (limit: number) => context.send(LIST, { token, query: { limit } })
    const above = await ask(LIMIT_MAX * 100)
    if (isOk(above)) return { maximum: numberIn(above.data?.limit, 'limit'), above }
    const bounds = { least: 1, most: LIMIT_MAX, expected: LIMIT_EXPECTED + 1 }
    const rejected = await findLeast(bounds, async (limit) => !isAccepted(await ask(limit)))
    return { maximum: rejected === undefined ? LIMIT_MAX : rejected - 1, above }
  }),
}

function withToken(route: string, query: Record<string, number> = {}): Step<Reading> {
  return step('read', ['token'], (context) =>
    context.send(route, { token: tokenOf(context), query }),
  )
}

function userIdOf({ known }: Pick<Context, 'known'>): string {
  if (known.userId !== undefined) return known.userId
  throw new NotMeasured('the provider does not find the user of --user')
}

export function tokenOf({ known }: Pick<Context, 'known'>): string {
  if (known.token !== undefined) return known.token
  throw new NotMeasured('there is no access token')
}

const { probe, statusProbe, acceptanceProbe } = probesOf<typeof READ_STEPS & typeof TOKEN_STEPS>()

export const READ_PROBES = [
  probe('status.invalid-query', ['invalidQuote'], ({ invalidQuote }) =>
    errorStatusOf(invalidQuote),
  ),
  probe('fields.createQuote', ['quote'], ({ quote }) =>
    'rightSideValue' in assertOk(quote).data ? 'full' : 'contract',
  ),
  acceptanceProbe(
    'quotes.labels',
    'quoteBase',
    [presetValue('quotes.labels'), presetValue('quotes.labels', 'contract')].map(String) as [
      string,
      string,
    ],
  ),
  probe('quotes.bareLabels', ['quote', 'quoteBare', 'quoteBase'], (quotes) => {
    const [bare, ethereum] = [gasOf(quotes.quoteBare), gasOf(quotes.quote)]
    const other = isOk(quotes.quoteBase) ? gasOf(quotes.quoteBase) : undefined
    if (bare === ethereum && (other === undefined || other === ethereum)) {
      throw new NotMeasured('the gas of another chain is the same, or not known')
    }
    // POLY, ARB and BASE cost the same; only a transaction names the chain.
    return bare === ethereum ? 'ETH' : 'POLY'
  }),
  probe('quotes.ttl', ['quote'], ({ quote }) => lifetimeOf(quote)),
  probe('quotes.fee', ['quote', 'quoteLarge'], (quotes) => {
    const { cad, breakdown } = largest(quotes)
    return roundWithin(numberIn(breakdown?.fee, 'breakdown.fee') / cad, 0.005 / cad)
  }),
  probe('quotes.spread', ['quote', 'quoteLarge'], (quotes) => {
    const { cad, breakdown } = largest(quotes)
    const [fee, gas, spread] = [breakdown?.fee, breakdown?.gas, breakdown?.spread].map((part) =>
      numberIn(part, 'breakdown'),
    )
    const net = cad - (fee ?? 0) - (gas ?? 0)
    // What is paid out is rounded to cents of a coin, which are worth more than a cent of CAD.
    return roundWithin((spread ?? 0) / net, 0.02 / net)
  }),
  probe('quotes.gas.ethereum', ['quote'], ({ quote }) => gasOf(quote)),
  probe('quotes.gas.solana', ['quoteSolana'], ({ quoteSolana }) => gasOf(quoteSolana)),
  probe('quotes.gas.other', ['quote', 'quoteBare'], ({ quote, quoteBare }) => {
    const gas = gasOf(quoteBare)
    if (gas !== gasOf(quote)) return gas
    throw new NotMeasured('no quote shows another chain')
  }),
  probe('quotes.gas.other', ['quoteBase'], ({ quoteBase }) => gasOf(quoteBase)),
  probe('status.too-many-decimals', ['quoteDecimals'], ({ quoteDecimals }) =>
    errorStatusOf(quoteDecimals),
  ),
  statusProbe('auth.getLimits', 'limits', { 200: 'key', 401: 'token' }),
  probe('limits.selfServeMinimum', ['limits'], ({ limits }) => boundOf(limits, 'minimum')),
  probe('limits.maximum', ['limits'], ({ limits }) => boundOf(limits, 'maximum')),
  probe('limits.selfServeMinimum', ['limitsOfUser'], ({ limitsOfUser }) =>
    boundOf(limitsOfUser, 'minimum'),
  ),
  probe('limits.maximum', ['limitsOfUser'], ({ limitsOfUser }) => boundOf(limitsOfUser, 'maximum')),
  probe('status.no-webhook-configuration', ['webhooks'], ({ webhooks }) => {
    if (!isOk(webhooks) || webhooks.data === null) return errorStatusOf(webhooks)
    throw new NotMeasured('there is a webhook configuration; the level write takes it away briefly')
  }),
  statusProbe('auth.v1PriceQuote', 'priceQuote', {
    200: 'none',
    401: 'key',
    400: 'key',
  }),
  probe('v1.sunset', ['v1Nobody'], ({ v1Nobody }, { now }) => sunsetOf(v1Nobody, now())),
  statusProbe('errors.v1', 'v1Nobody', { 404: 'as-v2', 400: '400' }),
  probe('fields.findUsers', ['findUser'], ({ findUser }) => {
    const [first] = assertOk(findUser).data
    if (first === undefined) throw new NotMeasured('the provider does not find the user of --user')
    return 'status' in first ? 'full' : 'contract'
  }),
  probe('fields.v1FindUser', ['v1User'], ({ v1User }) =>
    'userStatus' in assertOk(v1User).data ? 'full' : 'contract',
  ),
  probe('auth.getRequirements', ['requirements'], ({ requirements }, { known }) => {
    if (known.accessibleBy?.includes('apiKey')) throw new NotMeasured('the user needs no token')
    return byStatus(requirements, { 200: 'key', 401: 'token' })
  }),
  probe('requirements.shape', ['requirementsOfUser'], ({ requirementsOfUser }) =>
    Array.isArray(assertOk(requirementsOfUser).data) ? 'array' : 'object',
  ),
  probe('requirements.shape', ['requirements'], ({ requirements }) =>
    Array.isArray(assertOk(requirements).data) ? 'array' : 'object',
  ),
  probe('access.subject', ['keyAccess'], ({ keyAccess }, { known }) => {
    if (isOk(keyAccess) || known.accessibleBy?.includes('apiKey')) {
      return byStatus(keyAccess, { 200: 'query-or-body', 401: 'refuse' })
    }
    throw new NotMeasured('the user is not known to grant access to the API key alone')
  }),
  probe('transactions.list.limit', ['list'], ({ list }) =>
    numberIn(assertOk(list).data?.limit, 'limit'),
  ),
  probe('transactions.list.maximum', ['listMaximum'], ({ listMaximum: { maximum } }) =>
    numberIn(maximum, 'limit'),
  ),
  probe('status.page-too-large', ['listMaximum'], ({ listMaximum: { above } }) =>
    errorStatusOf(above),
  ),
  acceptanceProbe('transactions.list.offset', 'listOffset', ['numeric', 'integer']),
  probe('login.token.ttl', ['list'], (_, context) => {
    const { iat, exp } = claimsOf(tokenOf(context))
    return formatDuration((numberIn(exp, 'exp') - numberIn(iat, 'iat')) * 1000)
  }),
]

export const gasOf = (quote: Reading) =>
  numberIn(assertOk(quote).data?.breakdown?.gas, 'breakdown.gas')

/** The largest amount that was quoted. */
function largest({ quote, quoteLarge }: { quote: Reading; quoteLarge: Reading }) {
  const [reading, cad] = isOk(quoteLarge) ? [quoteLarge, LARGE_CAD] : [quote, NORMAL_CAD]
  return { cad, breakdown: assertOk(reading).data?.breakdown }
}

const boundOf = (limits: Reading, bound: 'minimum' | 'maximum') =>
  numberIn(assertOk(limits).data?.leftSideCurrency?.CAD?.[bound], `leftSideCurrency.CAD.${bound}`)

const SUNSET = '2026-08-22T00:00:00Z'

/** When v1 stops: by its `Sunset` header, and by whether it still answers. */
function sunsetOf({ status, headers }: Reading, now: number): string {
  const announced = Date.parse(headers.sunset ?? '')
  const stated = Date.parse(SUNSET)
  if (Number.isFinite(announced) && announced !== stated) {
    return formatInstant(announced).replace('.000Z', 'Z')
  }
  if (status === 410) return 'contract'
  if (now >= stated) return 'extended'
  throw new NotMeasured(`v1 is to stop at ${SUNSET}, and only then it shows whether it does`)
}
