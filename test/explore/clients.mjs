// Back ends that order for a customer and note their orders. `right` asks before it orders again;
// the others each have one mistake.
import { call, logIn } from './api.mjs'
import { right as receiving } from './shop.mjs'

const CUSTOMER = 'alice@example.com'
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'
const PAIR = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
const LOOK_EVERY_MS = 50
const LOOKS_MAX = 10

/** Calls the API, and gives up after half a second in which this process was not held up itself. */
async function ask(place, path, more) {
  const patience = new AbortController()
  let looks = 0
  const looking = setInterval(() => ++looks === LOOKS_MAX && patience.abort(), LOOK_EVERY_MS)
  try {
    return await call(place, path, { ...more, signal: patience.signal })
  } finally {
    clearInterval(looking)
  }
}

const tokens = new WeakMap()

/** The token of the customer, who is asked for a code only once. */
async function getToken(place) {
  if (!tokens.has(place)) tokens.set(place, await logIn(place, CUSTOMER, ask))
  return tokens.get(place)
}

async function create(place, token) {
  const { data: quote } = await ask(place, `/v2/quotes?${new URLSearchParams(PAIR)}`)
  const body = { ...PAIR, wallet: WALLET, quoteId: quote.quoteId }
  return (await ask(place, '/v2/transactions', { body, token })).data
}

async function findOwn(place) {
  const token = await getToken(place)
  return (await ask(place, '/v2/transactions?limit=100', { token })).data.items
}

async function twice(act) {
  try {
    return await act()
  } catch {
    return await act()
  }
}

const orderOnce = async (place) => create(place, await getToken(place))

export const clients = {
  /** Looks whether the provider has the order already, before it orders again. */
  right: async ({ place }) => {
    try {
      return await orderOnce(place)
    } catch (error) {
      // A token that has expired stays expired.
      if (error.message.endsWith('401')) tokens.delete(place)
      const [known] = await twice(() => findOwn(place))
      return known ?? (await orderOnce(place))
    }
  },
  /** Orders again whatever became of the first order. */
  'retries-blindly': ({ place }) => twice(() => orderOnce(place)),
  /** Asks the customer for another code whenever anything fails. */
  'logs-in-again': ({ place }) => {
    const orderAnew = async () => create(place, await logIn(place, CUSTOMER, ask))
    return orderAnew().catch(async () => (await findOwn(place))[0] ?? orderAnew())
  },
}

/** Orders and notes the order; what webhooks said of it already is newer. */
export async function order(shop, client) {
  const { id, status } = await client(shop)
  const state = shop.read()
  receiving.apply(state, { transactionId: id, status, rightSideValue: 0 })
  shop.write(state)
  return id
}
