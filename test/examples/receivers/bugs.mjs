// Seven receivers with one mistake each, which a review would let pass.
import { right } from './shop.mjs'

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
      setTimeout(() => right.store(shop, ...event), 40)
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
      await shop.pause(40)
      shop.write(state)
    },
  },
}
