import type { Json } from '../client/http.ts'
import { formatInstant } from '../world/duration.ts'
import {
  assertOk,
  CannotImitate,
  fieldsOf,
  findMin,
  isAccepted,
  isOk,
  lifetimeOf,
  notMeasured,
  notShown,
  numberIn,
  orderOf,
  type Reading,
  requirementsShape,
  roundWithin,
} from './reading.ts'
import { type CallRow, call, type SeenStep, type Step, step, tokenOf, userOf } from './step.ts'

export const REQUIREMENTS = 'GET /v2/users/:userId/requirements'
export const LIST = 'GET /v2/transactions'
const NO_ID = '00000000-0000-4000-8000-00000000dead'
const MALFORMED_ID = 'calibrate'
const QUOTES = 'GET /v2/quotes'
const LEGACY_QUOTES = 'GET /priceQuote'
const CONFIGURATION = 'GET /v2/webhook-configurations'
const LEGACY_USER = 'GET /apiFindUser'
const LABELS = [
  ...['USDC', 'CADC', 'CADC-ETH', 'CADC-POLY', 'CADC-ARB', 'CADC-BASE'],
  ...'ETH POLY ARB OP BASE AVAX BSC CELO SOL SX'.split(' ').map((chain) => `USDC-${chain}`),
]
const QUOTE_FIELDS = [
  ...['quoteId', 'leftSideLabel', 'leftSideValue', 'rightSideLabel', 'rightSideValue'],
  ...['rate', 'expiresAt', 'breakdown'],
]
export const USER_FIELDS = ['id', 'accessibleBy', 'status', 'email']
const CAD = 1_000
const LARGER = 5
/** Shows shares with all their decimals, where a provider quotes it. */
const HUGE = 10_000
/** The domain is reserved for examples. */
const NOBODY = { email: 'nobody-of-calibrate@example.com' }

/** A buy to ask the price of. */
export const buy = (leftSideValue: number | string = CAD, rightSideLabel = 'USDC-ETH') => ({
  query: { leftSideLabel: 'CAD', leftSideValue, rightSideLabel },
})

/** A call of v1 with the mistake of a step of v2. Each tells; where they disagree, no option fits. */
export const asInV2 = (twin: string): CallRow => ({
  tells: {
    'errors.v1'({ status }, seen) {
      const { status: other } = assertOk(seen('quote')) && seen(twin)
      if (status === other) return status === 400 ? notShown() : 'as-v2'
      if (status === 400) return '400'
      if (status < 400 || status === 410) return notShown()
      throw new CannotImitate(`${status} where v2 has ${other}`)
    },
  },
})

const boundOf = (bound: string) => (limits: Reading) =>
  numberIn(assertOk(limits).data?.leftSideCurrency?.CAD?.[bound], `leftSideCurrency.CAD.${bound}`)
const LIMITS = {
  'limits.selfServeMinimum': boundOf('minimum'),
  'limits.maximum': boundOf('maximum'),
}

export const READ_STEPS: Readonly<Record<string, Step>> = {
  quote: call(QUOTES, {
    ...buy(),
    tells: {
      'fields.createQuote': fieldsOf(QUOTE_FIELDS, ['quoteId', 'breakdown']),
      'quotes.ttl': (quote) => {
        const { data } = assertOk(quote)
        const isInstant = (value: unknown) => /^\d{4}-\d\d-\d\dT/.test(String(value))
        return lifetimeOf(quote, data?.expiresAt ?? Object.values(data).find(isInstant))
      },
    },
  }),
  pathUnknown: call('GET /v2/calibrate-unknown-path', { meets: 'unknown-path' }),
  legacyPathUnknown: call('GET /calibrate-unknown-path', { isTrial: true }),
  quoteLarger: call(QUOTES, buy(CAD * LARGER)),
  quoteHuge: call(QUOTES, {
    ...buy(CAD * HUGE),
    tells: {
      'quotes.fee': (huge, seen) => partsOf(huge, seen).fee,
      'quotes.spread': (huge, seen) => partsOf(huge, seen).spread,
    },
  }),
  labels: step(
    async (run) => {
      const quotes: Record<string, Reading> = {}
      for (const label of LABELS) {
        quotes[label] = await run.send(QUOTES, { ...buy(CAD, label), isTrial: true })
      }
      return quotes
    },
    {
      'quotes.labels': (quotes) => {
        const traded = LABELS.filter((label) => isAccepted(quotes[label] as Reading))
        return traded.length > 0 ? traded.join(',') : notMeasured('no label is quoted')
      },
      'quotes.gas.ethereum': (quotes) => gasOf(quotes, 'USDC-ETH'),
      'quotes.gas.solana': (quotes) => gasOf(quotes, 'USDC-SOL'),
      'quotes.gas.other': (quotes) => {
        const others = LABELS.filter((label) => /-(?!ETH|SOL)/.test(label))
        const traded = others.filter((label) => isOk(quotes[label] as Reading))
        const [gas, ...rest] = new Set(traded.map((label) => gasOf(quotes, label)))
        if (gas === undefined) return notMeasured('no other chain is quoted')
        if (rest.length === 0) return gas
        throw new CannotImitate(`it differs from chain to chain: ${[gas, ...rest].join(', ')}`)
      },
    },
  ),
  quoteWithoutKey: call(QUOTES, {
    key: 'none',
    ...buy(),
    tells: { 'auth.createQuote': (reading, seen) => keyOf(reading, seen('quote')) },
  }),
  keyMissing: call(CONFIGURATION, { meets: 'missing-key', key: 'none' }),
  keyWrong: call(QUOTES, { meets: 'unknown-key', key: 'wrong', ...buy() }),
  methodUnknown: call('GET /v2/auth/login-codes', { meets: 'method-not-allowed' }),
  queryInvalid: call(QUOTES, { meets: 'invalid-query', ...buy('abc') }),
  labelUnknown: call(QUOTES, { meets: 'invalid-query', ...buy(CAD, 'CALIBRATE') }),
  emailMissing: call('GET /v2/users', { meets: 'invalid-query' }),
  quoteDecimals: call(QUOTES, { meets: 'too-many-decimals', ...buy('100.005') }),
  limits: call('GET /v2/limits', {
    tells: {
      'auth.getLimits': (limits, seen) => {
        assertOk(seen('quote'))
        return limits.status === 401
          ? 'token'
          : notMeasured('it takes a login to tell (--level write)')
      },
      ...LIMITS,
    },
  }),
  webhooks: call(CONFIGURATION),
  priceQuote: call(LEGACY_QUOTES, { ...buy(100) }),
  priceQuoteWithoutKey: call(LEGACY_QUOTES, {
    key: 'none',
    ...buy(100),
    tells: {
      'auth.v1PriceQuote': (reading, seen) =>
        assertOk(seen('quote')) && keyOf(reading, seen('priceQuote')),
    },
  }),
  priceQuoteInvalid: call(LEGACY_QUOTES, { ...asInV2('queryInvalid'), ...buy('abc') }),
  v1Missing: call(LEGACY_USER, {
    tells: {
      ...asInV2('emailMissing').tells,
      'v1.sunset': (missing, seen, { options }) =>
        sunsetOf(assertOk(seen('quote')) && missing, options.now()),
    },
  }),
  v1Nobody: call(LEGACY_USER, {
    query: NOBODY,
    tells: {
      'status.unknown-email': ({ status }, seen) => {
        assertOk(seen('quote'))
        // Under the other reading every error of v1 is 400.
        const isAny = status === 400 && seen('v1Missing').status === 400
        return status === 410 || isAny ? notShown() : status < 300 ? 200 : status
      },
    },
  }),
  v1KeyWrong: call(LEGACY_USER, { ...asInV2('keyWrong'), key: 'wrong', query: NOBODY }),
  v1Webhooks: call('GET /webhooks'),
  v1KeyMissing: call('GET /webhooks', { ...asInV2('keyMissing'), key: 'none' }),
  v1TransactionWithoutKey: call('GET /transaction', { ...asInV2('keyMissing'), key: 'none' }),
  findUser: step(
    async (run) => {
      const found = await run.send('GET /v2/users', { query: { email: userOf(run) } })
      const first = Array.isArray(found.data) ? found.data[0] : undefined
      if (typeof first?.id === 'string') run.known.userId = first.id
      return found
    },
    { 'fields.findUsers': fieldsOf(USER_FIELDS, ['id'], ([first]) => first) },
  ),
  v1User: call(LEGACY_USER, {
    make: (run) => ({ query: { email: userOf(run) } }),
    tells: { 'fields.v1FindUser': fieldsOf(['userId', 'userStatus'], ['userId']) },
  }),
  requirements: call(REQUIREMENTS, {
    of: 'user',
    tells: { 'requirements.shape': requirementsShape },
  }),
  userUnknown: call(REQUIREMENTS, {
    ...{ meets: 'user-not-found', unlike: 'requirements', path: { userId: NO_ID } },
  }),
  userMalformed: call(REQUIREMENTS, {
    ...{ meets: 'user-not-found', unlike: 'requirements', path: { userId: MALFORMED_ID } },
  }),
}

/** Reads with the token of the user, made once there is one. */
export const TOKEN_STEPS: Readonly<Record<string, Step>> = {
  limitsOfUser: call('GET /v2/limits', { byUser: true, tells: LIMITS }),
  list: call(LIST, {
    byUser: true,
    tells: {
      'transactions.list.limit': (list) => numberIn(assertOk(list).data?.limit, 'limit'),
      'transactions.list.order': orderOf,
    },
  }),
  limitsByToken: call('GET /v2/limits', {
    ...{ byUser: true, key: 'none' },
    tells: {
      'auth.getLimits': (byToken, seen) => {
        const { status } = assertOk(seen('quote')) && seen('limits')
        if (status >= 300) return status === 401 ? 'token' : notShown()
        return isOk(byToken) ? 'key-or-token' : 'key'
      },
    },
  }),
  tokenMissing: call(LIST, { meets: 'missing-token', unlike: 'list' }),
  tokenInvalid: call(LIST, {
    meets: 'invalid-token',
    unlike: 'list',
    token: 'calibrate.invalid.token',
  }),
  transactionUnknown: call('GET /v2/transactions/:txId', {
    ...{ byUser: true, meets: 'unknown-transaction', path: { txId: NO_ID } },
  }),
  transactionMalformed: call('GET /v2/transactions/:txId', {
    ...{ byUser: true, meets: 'unknown-transaction', path: { txId: MALFORMED_ID } },
  }),
  requirementsOfUser: call(REQUIREMENTS, {
    ...{ of: 'user', byUser: true },
    tells: { 'requirements.shape': requirementsShape },
  }),
  pageEmpty: call(LIST, { byUser: true, meets: 'invalid-query', query: { limit: 0 } }),
  listOffset: call(LIST, {
    ...{ byUser: true, isTrial: true, query: { offset: 1.5 } },
    tells: {
      'transactions.list.offset': (reading) => (isAccepted(reading) ? 'numeric' : 'integer'),
    },
  }),
  listAbove: call(LIST, { byUser: true, meets: 'page-too-large', query: { limit: 100_000 } }),
  listMaximum: step(
    async (run) => {
      const token = tokenOf(run)
      const ask = (limit: number) => run.send(LIST, { token, query: { limit }, isTrial: true })
      const above = await ask(100_000)
      if (isOk(above)) return numberIn(above.data?.limit, 'limit')
      const bounds = { min: 1, max: 1_000, expected: 101 }
      const rejected = await findMin(bounds, async (limit) => !isAccepted(await ask(limit)))
      return rejected === undefined ? bounds.max : rejected - 1
    },
    { 'transactions.list.maximum': (maximum) => maximum },
  ),
}

/** Whether a call without a key succeeds as the one with a key does. */
const keyOf = (withoutKey: Reading, withKey: Reading) =>
  assertOk(withKey) && isOk(withoutKey) ? 'none' : 'key'

/** Numbers of a breakdown by name. */
function numbersOf(quote: Reading): Record<string, number> {
  const entries = Object.entries<Json>(assertOk(quote).data?.breakdown ?? {})
  return Object.fromEntries(entries.filter(([, part]) => Number.isFinite(part)))
}

/** A part that is a larger share is a sum of others. */
const TOTAL_MIN = 0.2

/** Parts of a price by their names, or by how they grow: a share grows with the amount. */
function partsOf(huge: Reading, seen: SeenStep) {
  const [large, factor] = isOk(huge) ? [huge, HUGE] : [seen('quoteLarger'), LARGER]
  const [small, big] = [numbersOf(seen('quote')), numbersOf(large)]
  const cad = CAD * factor
  const names = Object.keys(small)
  const sum = Object.values(big).reduce((all, part) => all + part, 0)
  const shares = names.filter((name) => {
    const [before = 0, after = 0] = [small[name], big[name]]
    const isTotal = after / cad > TOTAL_MIN || Math.abs(after * 2 - sum) < 0.02
    return !isTotal && before > 0 && Math.abs(after / before / factor - 1) < 0.02
  })
  const feeName = names.find((name) => name === 'fee') ?? shares.find((name) => /fee/i.test(name))
  const others = shares.filter((name) => name !== feeName)
  const spreadName = names.find((name) => name === 'spread') ?? others[0]
  if (feeName === undefined || spreadName === undefined || others.length > 1) {
    return notMeasured(`the breakdown has ${names.join(', ')}`)
  }
  const gas = names.find((name) => GAS.test(name) && small[name] === big[name])
  const fee = big[feeName] ?? 0
  const net = cad - fee - (gas === undefined ? 0 : (big[gas] ?? 0))
  return {
    fee: roundWithin(fee / cad, 0.005 / cad),
    // What is paid out is rounded to cents of a coin, which are worth more than a cent of CAD.
    spread: roundWithin((big[spreadName] ?? 0) / net, 0.02 / net),
  }
}

const GAS = /gas|network|chain/i

/** Finds the part of a breakdown whose name says that it is the cost of the chain. */
function gasOf(quotes: Readonly<Record<string, Reading>>, label: string): number {
  const numbers = numbersOf(quotes[label] ?? notMeasured(`${label} is not quoted`))
  return numberIn(
    numbers[Object.keys(numbers).find((part) => GAS.test(part)) ?? ''],
    'breakdown.gas',
  )
}

const SUNSET = '2026-08-21T00:00:00Z'

/** When v1 stops: by its `Sunset` header, and by whether it still responds. */
function sunsetOf({ status, headers }: Reading, now: number): string {
  const announced = Date.parse(headers.sunset ?? '')
  const stated = Date.parse(SUNSET)
  if (Number.isFinite(announced) && announced !== stated) {
    return formatInstant(announced).replace('.000Z', 'Z')
  }
  if (status === 410) return 'contract'
  if (!Number.isFinite(announced)) return notMeasured('no response says when v1 stops')
  if (now >= stated) return 'extended'
  return notMeasured(`v1 is to stop at ${SUNSET}, and only then it shows whether it does`)
}
