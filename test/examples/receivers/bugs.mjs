// Receivers with one mistake each, which a review would let pass.
import { createHmac } from 'node:crypto'
import { right } from './shop.mjs'

/** Pauses for 2 ms each: a single long one could end before the other process where both stood still. */
async function pauseOften({ pause }, times = 20) {
  for (let count = 0; count < times; count++) await pause(2)
}

export const bugs = {
  /** An event that comes twice is paid twice. */
  'no-deduplication': {
    ...right,
    async store(shop, _, payload) {
      const state = shop.read()
      this.apply(state, payload)
      shop.write(state)
    },
    apply(state, payload) {
      const { wallet } = state
      right.apply(state, payload)
      state.wallet = payload.status === 'complete' ? wallet + payload.rightSideValue : wallet
    },
  },

  /** What comes last is what holds. */
  'last-write-wins': {
    ...right,
    apply(state, { transactionId: id, status, rightSideValue }) {
      if (status === 'complete' && state.orders[id] !== 'complete') state.wallet += rightSideValue
      state.orders[id] = status
    },
  },

  /** An event for an order that is not known yet is left out. */
  'order-trusted': {
    ...right,
    apply(state, payload) {
      const isFirst = payload.status === 'pending request money transfer'
      if (isFirst || state.orders[payload.transactionId]) right.apply(state, payload)
    },
  },

  /** The response leaves before anything is stored. */
  'acknowledged-too-soon': {
    ...right,
    async store(shop, ...event) {
      void pauseOften(shop).then(() => right.store(shop, ...event))
    },
  },

  /** The signature is looked at when the event is stored already. */
  'checked-too-late': {
    ...right,
    async take(shop, headers, body) {
      const { id, eventId = id, payload } = JSON.parse(body)
      await this.store(shop, eventId, payload)
      return this.isGenuine(shop, headers, body) ? 204 : 401
    },
  },

  /** Only what was never paid is asked for, so a lost `complete` stays lost. */
  'complete-never-found': {
    ...right,
    isOpen: (status) => status === undefined || status === 'pending request money transfer',
  },

  /** Each reconcile job pays every complete order once more. */
  'credits-again': {
    ...right,
    async reconcile(shop) {
      await right.reconcile(shop)
      const { orders, ...state } = shop.read()
      const complete = Object.values(orders).filter((status) => status === 'complete')
      shop.write({ ...state, orders, wallet: state.wallet + 708.98 * complete.length })
    },
  },

  /** The order is written first and the wallet later: a crash in between loses the coins. */
  'two-writes': {
    ...right,
    async store(shop, eventId, payload) {
      const before = shop.read()
      const state = structuredClone(before)
      if (state.events.includes(eventId)) return
      state.events.push(eventId)
      right.apply(state, payload)
      shop.write({ ...state, wallet: before.wallet })
      await pauseOften(shop, 50)
      const after = shop.read()
      shop.write({ ...after, wallet: after.wallet + state.wallet - before.wallet })
    },
  },

  /** What is verified is not what came, but what JSON.stringify makes of it. */
  're-serialised': {
    ...right,
    isGenuine: (shop, headers, body) =>
      right.isGenuine(shop, headers, JSON.stringify(JSON.parse(body))),
  },

  /** It reads, waits for something else, and writes what it read. */
  'lost-update': {
    ...right,
    async store(shop, eventId, payload) {
      const state = shop.read()
      if (state.events.includes(eventId)) return
      await pauseOften(shop, 10)
      state.events.push(eventId)
      this.apply(state, payload)
      shop.write(state)
    },
  },

  /** The provider sends once, so what is refused is lost. */
  'complete-refused': {
    ...right,
    async take(shop, headers, body) {
      const status = await right.take(shop, headers, body)
      return JSON.parse(body).payload.status === 'complete' ? 500 : status
    },
  },
}

/** A mistake for each kind of disturbance that needs no kill, and none where nothing is disturbed. */
export const everythingWrong = {
  ...right,
  async take(shop, headers, body) {
    const { id, type, payload } = JSON.parse(body)
    if (!this.isGenuine(shop, headers, body)) return 401
    if (type !== 'transaction.update' || payload.status.startsWith('under')) return 422
    const before = shop.read()
    const isKnown = id === undefined || before.events.includes(id)
    if (payload.status !== 'complete' && isKnown) return 204
    before.events.push(id)
    before.orders[payload.transactionId] = payload.status
    if (payload.status === 'complete') before.wallet += payload.rightSideValue
    shop.write(before)
    return 204
  },
  isGenuine({ place }, headers, body) {
    // Written again with the spaces that the provider happens to use.
    const written = JSON.stringify(JSON.parse(body), null, 1).replace(/\n */g, ' ')
    const text = `${headers['x-service-timestamp']}.${written}`
    const digest = createHmac('sha256', place.signingSecret).update(text).digest('hex')
    return headers['x-service-signature'] === `v1=${digest}`
  },
  isOpen: (status) => status === undefined,
}

/** Acknowledges at once, and stores in a queue, so many milliseconds a job. */
export function queued(parts, jobMs) {
  let working = Promise.resolve()
  return {
    ...parts,
    async store(shop, ...event) {
      working = working.then(() => shop.pause(jobMs)).then(() => parts.store(shop, ...event))
    },
  }
}

/** The last write wins, and a doubled event is paid twice. */
export const careless = {
  ...right,
  async store(shop, _, { transactionId: id, status, rightSideValue }) {
    const state = shop.read()
    state.orders[id] = status
    if (status === 'complete') state.wallet += rightSideValue
    shop.write(state)
  },
}
