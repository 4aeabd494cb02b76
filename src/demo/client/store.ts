import type { Json } from '../../client/http.ts'
import type { Side } from '../../world/money.ts'
import type { Received } from './holdings.ts'

export type Screen =
  | 'welcome'
  | 'profile'
  | 'identify'
  | 'review'
  | 'code'
  | 'home'
  | 'amount'
  | 'confirm'
  | 'order'
  | 'bank'

export interface Row {
  id: number
  kind: 'call' | 'webhook' | 'outside' | 'message'
  title: string
  result: string
  isBad?: boolean
  /** The API's own message, or what was checked. */
  note?: string
  /** Parts that can be opened. */
  parts?: readonly (readonly [name: string, text: string])[]
}

/** A tap or an outside event, with everything that it led to. */
export interface WireGroup {
  id: number
  kind: 'tap' | 'outside' | 'server'
  title: string
  at: number
  rows: Row[]
}

/** A mail to the customer. */
export interface Mail {
  subject: string
  text: string
  sentAt: number
}

/** Facts about a customer that only the wallet's own server knows. */
export interface Customer {
  /** First name, if the customer registered in this wallet. */
  name: string
  received: readonly Received[]
  /** Facts about each order that only its quote, its creation and webhooks contain. */
  orders: Readonly<Record<string, Json>>
}

export type StoryName = 'buy' | 'sell' | 'kyc' | 'expired' | 'bank' | 'webhook'

interface Player {
  story: StoryName
  /** Number of steps begun. */
  at: number
  isPaused: boolean
  isAtWork: boolean
  /** True if the button of a step never appeared. */
  isStuck: boolean
  /** Rows after this one belong to the present step. */
  since: number
}

/** The wallet on the phone, as a new user finds it. */
class Wallet {
  screen: Screen = 'welcome'
  email = ''
  userId = ''
  userStatus = ''
  /** Time of the webhook with that status. */
  userStatusAt = 0
  kycUrl = ''
  token = ''
  /** Login code in the user's messages. */
  code = ''
  notice = ''
  /** The last mail that is more than a code, to be read on the phone. */
  mail: Mail | null = null
  side: Side = 'buy'
  amount = '250'
  coin = 'USDC-ETH'
  isChoosing = false
  /** CAD for one coin, such as `{ USDC: 1.4015 }`, of the last quotes. */
  rates: Record<string, number> = {}
  quote: Json | null = null
  limits: Json | null = null
  transactions: Json[] = []
  transaction: Json | null = null
  problem = ''
  problemField = ''
  losesWebhook = false
  causes: WireGroup[] = []
}

class DemoState extends Wallet {
  /** What the wallet's server knows of its customers, by e-mail address. */
  customers: Record<string, Customer> = {}
  isBusy = false
  isGone = false
  now = 0
  mode = 'running'
  activeMax = 3
  windowsMs = { buy: 3_600_000, sell: 86_400_000 }
  /** True if the settings of this sandbox prevent new users from signing up. */
  needsToken = false
  player: Player | null = null
  isPresenting = false
  /** True while the phone shows the mail. */
  isReading = false
  /** True while only the QR code is shown, for phones in the room. */
  isSharing = false
}

export const state = new DemoState()
const listeners = new Set<() => void>()

export function change(part: Partial<DemoState>): void {
  Object.assign(state, part)
  for (const listener of listeners) listener()
}

export const startOver = (email: string): void => change({ ...new Wallet(), email })

/** Everything that a reload of the page keeps. */
export function keptState(): Partial<DemoState> {
  const names = [...Object.keys(new Wallet()), 'customers'] as (keyof DemoState)[]
  return Object.fromEntries(names.map((name) => [name, state[name]]))
}

const FRAME_MS = 16

/** Waits until the page shows what has changed. */
export const drawn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, FRAME_MS))

/** Calls a listener once for all the changes of a frame: a response makes several. */
export function listenByFrame(listener: () => void): () => void {
  let isDue = false
  const onChange = () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      listener()
    }, FRAME_MS)
  }
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}

const CAUSES_MAX = 100
/** Starts from the time, so that ids go on after a reload. */
let lastId = Date.now() * 100
let waiting: WireGroup | undefined

/** Begins a group for the rows that follow; it is shown with the first one. */
export function openCause(kind: WireGroup['kind'], title: string): void {
  waiting = { id: 0, kind, title, at: state.now, rows: [] }
}

export function log(row: Omit<Row, 'id'>): void {
  const fresh = { ...row, id: ++lastId }
  const last = state.causes.at(-1)
  const cause = waiting ? { ...waiting, id: ++lastId, at: state.now } : last
  if (!cause) return
  const before = waiting ? state.causes : state.causes.slice(0, -1)
  waiting = undefined
  change({ causes: [...before, { ...cause, rows: [...cause.rows, fresh] }].slice(-CAUSES_MAX) })
}
