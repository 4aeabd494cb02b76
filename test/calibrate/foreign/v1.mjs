import { Refusal } from './refusals.mjs'

const HOOKS =
  'verifiedEmail transactionInitiated transactionComplete transactionStatusUpdate'.split(' ')

/** Routes of v1. */
export function createV1({ state }) {
  const { terms } = state
  const invalid = (field) =>
    new Refusal('bad_field', { field, message: `${field} is needed or malformed.` })
  const good = (message, more) => ({ data: { message, status: 'success', ...more } })

  function named({ query }, name) {
    const value = query.get(name)
    if (!value) throw invalid(name)
    return value
  }

  function findUser(call) {
    const user = state.findUser(call.owner, named(call, 'email'))
    if (!user) return { data: { message: 'No such user', status: 'none' } }
    return good('User found', { user: { id: user.id, verified: user.status === 'verified' } })
  }

  function readQuote(call) {
    const leftSideLabel = named(call, 'leftSideLabel')
    const rightSideLabel = named(call, 'rightSideLabel')
    const leftSideValue = Number(named(call, 'leftSideValue'))
    const quote = state.createQuote(call.owner, { leftSideLabel, leftSideValue, rightSideLabel })
    return {
      data: {
        ...{ quoteId: quote.quoteId, gasId: quote.quoteId + 1, cadusd: quote.rate, leftSideLabel },
        ...{ leftSideValue: leftSideValue.toFixed(2), rightSideLabel },
        ...{ rightSideValue: quote.rightSideValue.toFixed(4) },
        ...{ fee: quote.fee, ethGasFee: quote.gas },
      },
    }
  }

  const readHooks = ({ owner }) => ({ data: owner.legacy })

  /** Where v1 has ended every one of its routes says so. */
  const untilSunset = (handle) => (call) => {
    if (state.now() >= Date.parse(terms.v1Until)) throw new Refusal('gone')
    return handle(call)
  }

  const v1 = [
    ['GET', '/apiFindUser', 'key', findUser],
    ['GET', '/priceQuote', 'key', readQuote],
    ['GET', '/webhooks', 'key', readHooks],
  ]
  return v1.map((row) => row.with(3, untilSunset(row[3])))
}

export const createLegacyHooks = () =>
  Object.assign({}, ...HOOKS.map((name) => ({ [`${name}Enabled`]: false, [`${name}Url`]: '' })))
