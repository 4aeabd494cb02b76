import type { Json } from '../client/http.ts'
import { formatInstant } from '../world/duration.ts'
import { settingOf } from '../world/settings/index.ts'
import { saysNone } from './hooks.ts'
import { CAD, expiryOf, feeOf, gasOf, HUGE, LARGER, meaningOf, spreadOf } from './price.ts'
import {
  assertOk,
  CannotImitate,
  clockErrorMs,
  fieldsOf,
  findMin,
  isAccepted,
  isLegacyError,
  isOk,
  lifetimeOf,
  notMeasured,
  notShown,
  numberIn,
  orderOf,
  type Reading,
  requirementsShape,
  Shown,
} from './reading.ts'
import type { Run } from './run.ts'
import {
  assertOther,
  type CallRow,
  call,
  type SeenStep,
  type Step,
  step,
  tokenOf,
  userOf,
} from './step.ts'

export const REQUIREMENTS = 'GET /v2/users/:userId/requirements'
export const LIST = 'GET /v2/transactions'
const NO_ID = '00000000-0000-4000-8000-00000000dead'
const MALFORMED_ID = 'calibrate'
/** More rows than any page has. */
const LIMIT_ABOVE = 100_000
const QUOTES = 'GET /v2/quotes'
const LEGACY_QUOTES = 'GET /priceQuote'
const CONFIGURATION = 'GET /v2/webhook-configurations'
const UNKNOWN_PATH = 'GET /v2/calibrate-unknown-path'
const LEGACY_USER = 'GET /apiFindUser'
/** Every label that a provider may quote: by default, the sandbox quotes them all. */
const LABELS = String(settingOf('quotes.labels').default).split(',')
const QUOTE_FIELDS = [
  'quoteId',
  'leftSideLabel',
  'leftSideValue',
  'rightSideLabel',
  'rightSideValue',
  'rate',
  'expiresAt',
  'breakdown',
]
export const USER_FIELDS = ['id', 'accessibleBy', 'status', 'email']
/** The domain is reserved for examples. */
const NOBODY = { email: 'nobody-of-calibrate@example.com' }

/** Query for the price of a buy. */
export const buy = (leftSideValue: number | string = CAD, rightSideLabel = 'USDC-ETH') => ({
  query: { leftSideLabel: 'CAD', leftSideValue, rightSideLabel },
})

/**
 * Compares the status of a v1 call with that of the v2 step that makes the same mistake, and that of
 * the step without the mistake.
 */
export const asInV2 = (twin: string, without = 'quote'): CallRow => ({
  tells: {
    'errors.v1'({ status }, seen) {
      const { status: other } = assertOk(seen('quote')) && seen(twin)
      assertOther(seen(twin), seen(without))
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
      'fields.createQuote': fieldsOf(QUOTE_FIELDS, ['quoteId', 'breakdown'], { meaningOf }),
      'quotes.ttl': (quote) => lifetimeOf(quote, expiryOf(quote)),
    },
  }),
  legacyPathUnknown: call('GET /calibrate-unknown-path', { isTrial: true }),
  pathUnknown: call(UNKNOWN_PATH, { isTrial: true }),
  pathUnknownWithoutKey: call(UNKNOWN_PATH, { isTrial: true, key: 'none' }),
  quoteLarger: call(QUOTES, buy(CAD * LARGER)),
  quoteHuge: call(QUOTES, {
    ...buy(CAD * HUGE),
    tells: {
      'quotes.fee': feeOf,
      'quotes.spread': spreadOf,
    },
  }),
  labels: step(quoteLabels, {
    'quotes.labels': (quotes) => {
      const traded = LABELS.filter((label) => isAccepted(quotes[label] as Reading))
      return traded.length > 0 ? traded.join(',') : notMeasured('no label is quoted')
    },
    'quotes.gas.ethereum': (quotes) => gasOn(quotes, ['USDC-ETH']),
    'quotes.gas.solana': (quotes) => gasOn(quotes, ['USDC-SOL']),
    'quotes.gas.other': (quotes) =>
      gasOn(
        quotes,
        LABELS.filter((label) => /-(?!ETH|SOL)/.test(label)),
      ),
  }),
  quoteWithoutKey: call(QUOTES, {
    key: 'none',
    ...buy(),
    tells: { 'auth.createQuote': (reading, seen) => keyOf(reading, seen('quote')) },
  }),
  webhooks: call(CONFIGURATION, { tells: { 'status.no-webhook-configuration': statusOfNone } }),
  keyMissing: call(CONFIGURATION, { meets: 'missing-key', key: 'none', twin: 'webhooks' }),
  keyWrong: call(CONFIGURATION, {
    key: 'wrong',
    tells: {
      // An operation that needs no key does not check one.
      'status.unknown-key': (reading, seen) => {
        const { status } = reading
        const missing = assertOk(seen('quote')) && seen('keyMissing')
        assertOther(reading, seen('webhooks'))
        if (isOk(missing)) return notMeasured('the operation that was called needs no key')
        return status < 300 ? 200 : status
      },
    },
  }),
  queryInvalid: call(QUOTES, { meets: 'invalid-query', ...buy('abc') }),
  labelUnknown: call(QUOTES, { meets: 'invalid-query', ...buy(CAD, 'CALIBRATE') }),
  emailMissing: call('GET /v2/users', { meets: 'invalid-query', needsSuccess: true }),
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
      'v1.sunset': (missing, seen) => sunsetOf(assertOk(seen('quote')) && missing),
    },
  }),
  v1Nobody: call(LEGACY_USER, {
    query: NOBODY,
    tells: {
      'status.unknown-email': ({ status }, seen) => {
        assertOk(seen('quote'))
        // If every v1 error is a 400, this one proves nothing.
        const isAny = status === 400 && seen('v1Missing').status === 400
        return status === 410 || isAny ? notShown() : status < 300 ? 200 : status
      },
    },
  }),
  v1KeyWrong: call(LEGACY_USER, { ...asInV2('keyWrong', 'webhooks'), key: 'wrong', query: NOBODY }),
  v1Webhooks: call('GET /webhooks'),
  v1KeyMissing: call('GET /webhooks', { ...asInV2('keyMissing', 'webhooks'), key: 'none' }),
  v1TransactionWithoutKey: call('GET /transaction', {
    ...asInV2('keyMissing', 'webhooks'),
    key: 'none',
  }),
  findUser: step(
    async (run) => {
      const found = await run.send('GET /v2/users', { query: { email: userOf(run) } })
      const first = Array.isArray(found.data) ? found.data[0] : undefined
      if (typeof first?.id === 'string') run.known.userId = first.id
      return found
    },
    { 'fields.findUsers': fieldsOf(USER_FIELDS, ['id'], { of: ([first]) => first }) },
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
    meets: 'user-not-found',
    unlike: 'requirements',
    path: { userId: NO_ID },
  }),
  userMalformed: call(REQUIREMENTS, {
    meets: 'user-not-found',
    unlike: 'requirements',
    path: { userId: MALFORMED_ID },
  }),
}

/** Reads that need the user's token, so they come after the login. */
export const TOKEN_STEPS: Readonly<Record<string, Step>> = {
  limitsOfUser: call('GET /v2/limits', { byUser: true, tells: LIMITS }),
  list: step(readList, {
    'transactions.list.limit': (list) => numberIn(assertOk(list).data?.limit, 'limit'),
    'transactions.list.order': orderOf,
  }),
  limitsByToken: call('GET /v2/limits', {
    byUser: true,
    key: 'none',
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
    byUser: true,
    meets: 'unknown-transaction',
    path: { txId: NO_ID },
  }),
  transactionMalformed: call('GET /v2/transactions/:txId', {
    byUser: true,
    meets: 'unknown-transaction',
    path: { txId: MALFORMED_ID },
  }),
  requirementsOfUser: call(REQUIREMENTS, {
    of: 'user',
    byUser: true,
    tells: { 'requirements.shape': requirementsShape },
  }),
  pageEmpty: call(LIST, { byUser: true, meets: 'invalid-query', query: { limit: 0 } }),
  listAbove: call(LIST, { byUser: true, meets: 'page-too-large', query: { limit: LIMIT_ABOVE } }),
  listMaximum: step(findListMaximum, { 'transactions.list.maximum': (maximum) => maximum }),
}

/** Quotes of all labels, by label. */
async function quoteLabels(run: Run) {
  const quotes: Record<string, Reading> = {}
  for (const label of LABELS) {
    quotes[label] = await run.send(QUOTES, { ...buy(CAD, label), isTrial: true })
  }
  return quotes
}

/** The cost of a chain, or of several where it is the same. */
function gasOn(quotes: Readonly<Record<string, Reading>>, labels: readonly string[]): Shown {
  const traded = labels.flatMap((label) => quotes[label] ?? []).filter(isOk)
  const [first, ...others] = traded
  if (first === undefined) {
    return notMeasured(
      labels.length > 1 ? 'no other chain is quoted' : `${labels[0]} is not quoted`,
    )
  }
  const gas = gasOf(first)
  const other = others.find((quote) => gasOf(quote) !== gas)
  if (other === undefined) return new Shown(gas, first)
  const all = [...new Set(traded.map(gasOf))]
  throw new CannotImitate(`it differs from chain to chain: ${all.join(', ')}`, {
    by: [first, other],
  })
}

const LIST_LIMIT_MAX = 1_000
const FINAL = ['complete', 'cancelled', 'canceled', 'expired']

/** Finds the status of reading a webhook configuration, if nothing says that there is one. */
function statusOfNone(read: Reading, seen: SeenStep, { known }: Run): number {
  assertOk(seen('quote'))
  if (known.webhookDoubt !== undefined) notMeasured(known.webhookDoubt)
  if (saysNone(read)) return isOk(read) ? 200 : read.status
  return notMeasured(isOk(read) ? 'there is a webhook configuration' : `it got ${read.status}`)
}

/** Reads the list before the run creates a transaction, so open ones are not of this run. */
async function readList(run: Run): Promise<Reading> {
  const list = await run.send(LIST, { token: tokenOf(run) })
  const items: Json[] = Array.isArray(list.data?.items) ? list.data.items : []
  const open = items.filter(({ status }) => !FINAL.includes(status))
  run.known.others = open.map(({ id, status }) => ({ id: String(id), status: String(status) }))
  return list
}

/** Finds the largest page size; beyond it, a page has fewer rows or is rejected. */
async function findListMaximum(run: Run): Promise<Shown> {
  const above = run.readingOf('listAbove')
  if (isOk(above)) return new Shown(numberIn(above.data?.limit, 'limit'), above)
  isAccepted(above)
  const expected = run.options.settings['transactions.list.maximum'] + 1
  let last = above
  const rejected = await findMin({ min: 1, max: LIST_LIMIT_MAX, expected }, async (limit) => {
    const page = { token: tokenOf(run), query: { limit }, isTrial: true }
    const reading = await run.send(LIST, page)
    if (isAccepted(reading)) last = reading
    return !isOk(reading)
  })
  return new Shown(rejected === undefined ? LIST_LIMIT_MAX : rejected - 1, last)
}

/** Finds out if an operation needs a key. */
function keyOf(withoutKey: Reading, withKey: Reading): string {
  if ([withoutKey, withKey].some(isLegacyError)) {
    notMeasured(`${withKey.route} responded with ${withoutKey.status} and an error`)
  }
  return assertOk(withKey) && isOk(withoutKey) ? 'none' : 'key'
}

const SUNSET = '2026-08-21T00:00:00Z'

/** Reads from the `Sunset` header and the status when v1 stops. */
function sunsetOf(missing: Reading): string {
  const { status, headers, receivedAt } = missing
  const announced = Date.parse(headers.sunset ?? '')
  const stated = Date.parse(SUNSET)
  if (Number.isFinite(announced) && announced !== stated) {
    return formatInstant(announced).replace('.000Z', 'Z')
  }
  if (status === 410) return 'contract'
  if (!Number.isFinite(announced)) return notMeasured('no response says when v1 stops')
  if (receivedAt + clockErrorMs(missing) >= stated) return 'extended'
  return notMeasured(`v1 is due to stop at ${SUNSET}; whether it does shows only then`)
}
