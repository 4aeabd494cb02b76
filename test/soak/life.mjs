import { repeat } from './calls.mjs'

const PAIR = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
const QUOTE = `/v2/quotes?${new URLSearchParams(PAIR)}`
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const CODE = '0000'
const TRADERS = 12

/** Registers a user whom the reviewers pass, and logs it in. */
async function enter(call, email) {
  const { data } = await call('POST', '/v2/users', { body: { email } })
  const simulate = `/_sandbox/simulate/users/${email}`
  await call('POST', `${simulate}/account`, { body: { loginCode: CODE } })
  await call('POST', `${simulate}/kyc`, { body: { status: 'verified', deliver: 'async' } })
  return { email, id: data.id, token: await logIn(call, email) }
}

async function logIn(call, email) {
  await call('POST', '/v2/auth/login-codes', { body: { email } })
  const body = { email, code: CODE }
  const { data } = await call('POST', '/v2/auth/login-codes/verify', { body })
  return data.accessToken
}

/** A short life of a world: users trade, things go wrong, and two hours pass. */
export async function liveShortly(call, receiver) {
  await call('PUT', '/v2/webhook-configurations', { body: { url: receiver } })
  await orderFaults(call)
  await repeat(TRADERS, async (i) => trade(call, await enter(call, `trader-${i}@example.com`)))
  await call('POST', '/_sandbox/snapshots', { body: { name: 'noon' } })
  for (const by of ['10m', '50m', '1h']) {
    await call('POST', '/_sandbox/clock/advance', { body: { by } })
  }
  await call('GET', '/_sandbox/events?count=20&timeout=1s')
  await call('POST', '/_sandbox/snapshots/noon/restore', { body: {} })
  await call('POST', '/_sandbox/clock/advance', { body: { toNext: true } })
  await call('POST', '/_sandbox/webhooks/drain', { body: {} })
}

async function orderFaults(call) {
  const order = (on, match, then) =>
    call('POST', '/_sandbox/faults', { body: { on, match, then, times: 3 } })
  await order('api', { operation: 'createTransaction' }, { status: 503 })
  await order('api', { operation: 'getTransaction' }, { connection: 'reset' })
  await order('api', { operation: 'cancelTransaction' }, { connection: 'lost' })
  await order('api', { operation: 'listTransactions' }, { connection: 'lost', delay: '5ms' })
  await order('webhook', { status: 'expired' }, { drop: true })
  await order('webhook', { status: 'complete' }, { duplicate: true, mutate: 'signature' })
  await order('webhook', { type: 'user.update' }, { reorder: true })
  await order('webhook', {}, { delay: '20ms', mutate: 'timestamp' })
}

/** Buys that are paid, cancelled, left to expire and refused, and calls that ask for the wrong. */
async function trade(call, { id, token }) {
  const quoteId = (await call('GET', QUOTE)).data.quoteId
  const buy = { ...PAIR, wallet: WALLET, quoteId }
  const made = []
  for (let i = 0; i < 4; i++)
    made.push(await call('POST', '/v2/transactions', { body: buy, token }))
  const [paid, refused, cancelled] = made.map(({ data }) => data.id).filter(Boolean)
  // Faults refuse three orders at most; a world in which nothing is ordered does not grow.
  if (paid === undefined) throw new Error('No order was accepted.')
  const move = (which, how, body = {}) =>
    call('POST', `/_sandbox/simulate/transactions/${which}/${how}`, {
      body: { ...body, deliver: 'async' },
    })
  await move(paid, 'funds-received')
  await move(paid, 'settled')
  await move(refused, 'bank-refused')
  await call('PUT', `/v2/transactions/${cancelled}/cancel`, { token })
  await call('GET', `/v2/transactions/${paid}`, { token })
  await call('GET', '/v2/transactions?limit=5', { token })
  await call('GET', `/v2/users/${id}/requirements`)
  await call('PATCH', `/v2/users/${id}`, { body: { city: 'Ottawa', cty: 'Otawa' }, token })
  await call('POST', '/v2/transactions', { body: { ...buy, quoteId: 1 }, token })
  await call('GET', '/v2/transactions/nobody-knows-it', { token })
  await call('GET', '/v2/transaction', { token })
}

/** The most rows of the bounded lists of a world. */
const ROWS_MAX = { quotes: 50_000, kycLinks: 10_000 }
/** Logins in each round: few, because their list takes 50,000 and is not full. */
const LOGINS = 20
/** As many as there are deliveries and events at most: these expire at once. */
const EXPIRIES_MAX = 10_000
/** As many as one world keeps. */
const CATCHES = 10_000
const RESIDENTS = Array.from({ length: 20 }, (_, i) => `resident-${i}@example.com`)
function fixtureWith(expiries) {
  return {
    settings: { 'limits.active': expiries },
    users: RESIDENTS.map((email) => ({ email, status: 'verified', loginCode: CODE })),
    transactions: Array.from({ length: expiries }, (_, i) => ({
      ...PAIR,
      user: RESIDENTS[i % RESIDENTS.length],
    })),
  }
}

/** A world that is never reset. Nothing in it may grow once it is full, to such a share. */
export async function openLongWorld(call, { receiver, share }) {
  const fixture = fixtureWith(share * EXPIRIES_MAX)
  await call('POST', '/_sandbox/reset', { body: { fixture } })
  await call('PUT', '/v2/webhook-configurations', { body: { url: receiver } })
  const users = []
  for (const email of RESIDENTS) users.push({ email, token: await logIn(call, email) })
  const nth = (i) => users[i % users.length]
  const quote = () => call('GET', QUOTE)
  const enterAgain = async (i) => {
    // Of two logins at once, one finds the code used.
    const { email, token } = nth(i)
    nth(i).token = (await logIn(call, email)) ?? token
  }
  const linkKyc = (i) => call('GET', `/v2/users/${nth(i).id}/kyc-url`, nth(i))
  const catchOne = (i) =>
    call('POST', '/_sandbox/catch/soak', { body: { i, filler: 'x'.repeat(500) } })
  const review = (i) => {
    const status = Math.floor(i / users.length) % 2 === 0 ? 'in-review' : 'verified'
    const body = { status, deliver: 'async' }
    return call('POST', `/_sandbox/simulate/users/${nth(i).email}/kyc`, { body })
  }
  const { data } = await call('GET', '/_sandbox/users')
  for (const { id, email } of data.items) users.find((user) => user.email === email).id = id
  return { fill, liveOn }

  async function fill() {
    await repeat(share * ROWS_MAX.quotes, quote)
    await repeat(share * ROWS_MAX.kycLinks, linkKyc)
    await call('POST', '/_sandbox/clock/advance', { body: { by: '1h', deliver: 'async' } })
    await call('POST', '/_sandbox/webhooks/drain', { body: {} })
    await repeat(share * CATCHES, catchOne)
  }

  async function liveOn() {
    await call('POST', '/_sandbox/clock/advance', { body: { by: '10m' } })
    await repeat(400, quote)
    await repeat(LOGINS, enterAgain)
    await repeat(100, linkKyc)
    await repeat(100, catchOne)
    await repeat(120, review)
    await call('POST', '/v2/webhook-configurations/test')
    await call('GET', '/_sandbox/webhooks/deliveries')
    await call('GET', '/_sandbox/requests')
    await call('POST', '/_sandbox/webhooks/drain', { body: {} })
  }
}

/** So many that the world before each restore, where it is kept, shows in the heap. */
const GUESTS = 300
const RESTORES = 30
const CHANGES = 300
/** Ordered, paid and settled. */
const DELIVERIES_PER_BUY = 3

/**
 * A world that goes back to a snapshot again and again, is forked, and has settings that it never had
 * before. Nothing of what it was may stay.
 */
export async function openRestoredWorld(call, { receiver, callWorld, share }) {
  const guests = Array.from({ length: GUESTS }, (_, i) => `guest-${i}@example.com`)
  const users = guests.map((email) => ({ email, status: 'verified' }))
  const settings = { 'limits.active': 1_000 }
  await call('POST', '/_sandbox/reset', { body: { fixture: { users, settings } } })
  await call('PUT', '/v2/webhook-configurations', { body: { url: receiver } })
  let restores = 0
  let changes = 0
  await fillDeliveries()
  return { liveOn }

  /** A restore leaves deliveries, so that they fill the journal of this world and then grow no more. */
  async function fillDeliveries() {
    await call('POST', '/_sandbox/snapshots', { body: { name: 'empty' } })
    await repeat((share * EXPIRIES_MAX) / DELIVERIES_PER_BUY, (i) =>
      call('POST', `/_sandbox/simulate/users/${guests[i % GUESTS]}/buy`, {
        body: { cad: 100, settle: true, deliver: 'async' },
      }),
    )
    await call('POST', '/_sandbox/webhooks/drain', { body: {} })
    await call('POST', '/_sandbox/snapshots/empty/restore', { body: {} })
    await call('DELETE', '/_sandbox/snapshots/empty')
  }

  async function liveOn() {
    await call('POST', '/_sandbox/snapshots', { body: { name: 'start' } })
    for (let i = 0; i < RESTORES; i++) await goBack(restores++)
    await repeat(CHANGES, () => change(changes++))
    await forkAndEnd({ snapshot: 'start' })
    await forkAndEnd({})
    // Quotes and orders are rows of the state: what a round adds would hide what should not stay.
    await call('POST', '/_sandbox/snapshots/start/restore', { body: {} })
    await call('DELETE', '/_sandbox/snapshots/start')
  }

  async function goBack(nth) {
    await buy(call, guests[nth % GUESTS])
    await call('POST', '/_sandbox/snapshots', { body: { name: `later-${nth % 2}` } })
    const name = nth % 3 === 0 ? `later-${nth % 2}` : 'start'
    const { status } = await call('POST', `/_sandbox/snapshots/${name}/restore`, { body: {} })
    if (status !== 200) throw new Error(`The restore got ${status}.`)
  }

  async function change(nth) {
    await call('PATCH', '/_sandbox/settings', { body: { 'quotes.fee': nth / 1e6 } })
    await call('GET', QUOTE)
  }

  async function forkAndEnd(from) {
    const { data } = await call('POST', '/_sandbox/worlds', { body: { from } })
    const callFork = callWorld(data.name)
    await buy(callFork, guests[0])
    const { data: state } = await callFork('GET', '/_sandbox/state')
    await callFork('PUT', '/_sandbox/state', { body: state })
    await callWorld('default')('DELETE', `/_sandbox/worlds/${data.name}`)
  }
}

const buy = (call, email) =>
  call('POST', `/_sandbox/simulate/users/${email}/buy`, { body: { cad: 100 } })
