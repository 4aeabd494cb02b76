import { formatDuration, formatInstant } from '../../world/duration.ts'
import { NotMeasured } from './not-measured.ts'
import { probesOf } from './probe.ts'
import type { Reading } from './provider.ts'
import { LARGE_CAD, NORMAL_CAD, type READ_STEPS, type TOKEN_STEPS, tokenOf } from './read-steps.ts'
import {
  assertOk,
  byStatus,
  claimsOf,
  isAccepted,
  isOk,
  lifetimeOf,
  numberIn,
  roundWithin,
} from './reading.ts'

const { probe, statusProbe, acceptanceProbe } = probesOf<typeof READ_STEPS & typeof TOKEN_STEPS>()

export const READ_PROBES = [
  statusProbe('errors.validation', 'invalidQuote', { 400: '400', 422: '422' }),
  probe('quotes.shape', ['quote'], ({ quote }) =>
    'rightSideValue' in assertOk(quote).data ? 'full' : 'minimal',
  ),
  acceptanceProbe('quotes.labels', 'quoteBase', ['all', 'contract']),
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
  acceptanceProbe('transactions.decimals', 'quoteDecimals', ['rounded', 'refused']),
  statusProbe('limits.auth', 'limits', { 200: 'key', 401: 'user' }),
  probe('limits.selfServeMinimum', ['limits'], ({ limits }) => boundOf(limits, 'minimum')),
  probe('limits.maximum', ['limits'], ({ limits }) => boundOf(limits, 'maximum')),
  probe('limits.selfServeMinimum', ['limitsOfUser'], ({ limitsOfUser }) =>
    boundOf(limitsOfUser, 'minimum'),
  ),
  probe('limits.maximum', ['limitsOfUser'], ({ limitsOfUser }) => boundOf(limitsOfUser, 'maximum')),
  probe('webhooks.none', ['webhooks'], ({ webhooks }) => {
    if (!isOk(webhooks)) return byStatus(webhooks, { 404: 'not-found' })
    if (webhooks.data === null) return 'empty'
    throw new NotMeasured('there is a webhook configuration; the level write takes it away briefly')
  }),
  statusProbe('v1.priceQuote.key', 'priceQuote', {
    200: 'optional',
    401: 'required',
    400: 'required',
  }),
  probe('v1.sunset', ['v1Nobody'], ({ v1Nobody }, { now }) => sunsetOf(v1Nobody, now())),
  statusProbe('errors.v1', 'v1Nobody', { 404: 'as-v2', 400: '400' }),
  probe('users.record', ['findUser'], ({ findUser }) => {
    const [first] = assertOk(findUser).data
    if (first === undefined) throw new NotMeasured('the provider does not find the user of --user')
    return 'status' in first ? 'full' : 'id'
  }),
  probe('v1.findUser', ['v1User'], ({ v1User }) =>
    'userStatus' in assertOk(v1User).data ? 'user' : 'id',
  ),
  probe('requirements.auth', ['requirements'], ({ requirements }, { known }) => {
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
  probe('transactions.list.above', ['listMaximum'], ({ listMaximum: { above } }) =>
    isAccepted(above) ? 'clamped' : 'refused',
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
