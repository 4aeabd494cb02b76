import { openApp, type RawCall, sendTo, type TestApp } from '../helpers/app.ts'
import { EVM_WALLET, logIn, type Order, type Person, PROFILE, review } from '../helpers/story.ts'

// biome-ignore lint/suspicious/noExplicitAny: every option may give a response another shape
type Json = any

export interface Asked {
  status: number
  /** `data` of a v2 success, the whole body of anything else. */
  data: Json
  headers: Headers
}

export type Ask = RawCall

/** A world with one setting changed, as somebody sees it who looks at what differs. */
export interface Scene {
  readonly app: TestApp
  /** Any call at all, such as `GET /v2/quotes`; nothing is expected of the response. */
  ask(route: string, ask?: Ask): Promise<Asked>
  /** A verified user who logged in. */
  alice(profile?: Record<string, unknown>): Promise<Person>
  quote(order?: Partial<Order>): Promise<Asked>
  /** Quotes and orders; the response of the order. */
  order(person: Person, order?: Partial<Order>, more?: object): Promise<Asked>
}

export const BUY: Order = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
export const SELL: Order = { ...BUY, leftSideLabel: 'USDC-ETH', rightSideLabel: 'CAD' }
export const EMAIL = 'alice@example.com'

export function openScene(settings: Record<string, string | number>): Scene {
  const app = openApp({ settings })
  const scene: Scene = {
    app,
    ask,
    async alice(profile = PROFILE) {
      const { data } = await ask('POST /v2/users', { body: { email: EMAIL, ...profile } })
      await review(app, data.id)
      return logIn(app)
    },
    quote: (order) => ask('GET /v2/quotes', { query: queryOf({ ...BUY, ...order }) }),
    async order({ token }, order, more) {
      const quoted = await scene.quote(order)
      const wallet = EVM_WALLET
      const body = { ...BUY, wallet, quoteId: quoted.data.quoteId, ...order, ...more }
      return ask('POST /v2/transactions', { token, body })
    },
  }
  return scene

  async function ask(route: string, call: Ask = {}): Promise<Asked> {
    const response = await sendTo(app, route, call)
    const { status, headers, text } = response
    const json: Json = text === '' ? undefined : JSON.parse(text)
    return { status, headers, data: json?.success === true ? json.data : json }
  }
}

const queryOf = ({ leftSideLabel, leftSideValue, rightSideLabel }: Order) => ({
  leftSideLabel,
  leftSideValue,
  rightSideLabel,
})
