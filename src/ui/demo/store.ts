import type { LimitsResponse, QuoteResponse, TransactionResponse } from '../../http/v2/shapes.ts'
import { redraw } from '../lib/draw.ts'
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
  kind: 'call' | 'webhook' | 'outside' | 'message' | 'app'
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

export interface Mail {
  subject: string
  text: string
  sentAt: number
}

export type Side = 'buy' | 'sell'

/** Facts about an order that only its quote, its creation and webhooks contain. */
export interface OrderFacts {
  rate?: QuoteResponse['rate']
  breakdown?: QuoteResponse['breakdown'] | undefined
  depositAddress?: TransactionResponse['depositAddress']
  /** Time of the webhook that said so. */
  gotAt?: number
  doneAt?: number
  /** Security answer of a payout; null if the bank deposits it without one. */
  answer?: string | null
  isDeposited?: boolean
}

/** Facts about a customer that only the wallet's own server knows. */
export interface Customer {
  /** First name, if the customer registered in this wallet. */
  name: string
  received: readonly Received[]
  orders: Readonly<Record<string, OrderFacts>>
}

export type StoryName = 'buy' | 'sell' | 'kyc' | 'expired' | 'bank' | 'webhook'

/** The story that plays or is ready to. */
interface Playing {
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
  quote: QuoteResponse | null = null
  limits: LimitsResponse['leftSideCurrency'] | null = null
  transactions: TransactionResponse[] = []
  transaction: TransactionResponse | null = null
  problem = ''
  problemField = ''
  causes: WireGroup[] = []
}

/** The private world that the page plays in. */
export interface DemoWorld {
  name: string
  /** Path of the world, such as `/w/name`. */
  prefix: string
  /** Base URL of its API, for programs. */
  baseUrl: string
  apiKey: string
  /** URL for the webhooks of the wallet's server. */
  catchUrl: string
  signingSecret: string
}

/** State that a reload of the page keeps: the wallet and all its customers. */
class Session extends Wallet {
  world: DemoWorld = {
    name: '',
    prefix: '',
    baseUrl: '',
    apiKey: '',
    catchUrl: '',
    signingSecret: '',
  }
  /** Customers that the wallet's server knows, by e-mail address. */
  customers: Record<string, Customer> = {}
  /** Cursors up to which the world's lists were read. */
  cursors = { deliveries: '0', inbox: '0' }
  player: Playing = newStory('buy')
  /** The developer's own receiver, which may get the webhooks too. */
  app = { url: '', isOn: false }
}

export function newStory(story: StoryName): Playing {
  return { story, at: 0, isPaused: true, isAtWork: false, isStuck: false, since: 0 }
}

class DemoState extends Session {
  isBusy = false
  isGone = false
  now = 0
  mode = 'running'
  activeMax = 3
  /** Why the page has no world to play in. */
  failure = ''
  isPresenting = false
  /** True while the phone shows the mail. */
  isReading = false
  /** True while only the QR code is shown, for phones in the room. */
  isSharing = false
}

export const state = new DemoState()

/** Changes the state, and draws it. */
export function change(part: Partial<DemoState>): void {
  Object.assign(state, part)
  redraw()
}

export const startOver = (email: string): void => change({ ...new Wallet(), email })

/** Everything that a reload of the page keeps. */
export function toSession(): Partial<DemoState> {
  const names = Object.keys(new Session()) as (keyof Session)[]
  return Object.fromEntries(names.map((name) => [name, state[name]]))
}

const CAUSES_MAX = 100
/** Starts from the time, so that ids go on after a reload. */
let lastId = Date.now() * 100
let waiting: Pick<WireGroup, 'kind' | 'title'> | undefined

/** Begins a group for the rows that follow; it is shown with the first one. */
export function openCause(kind: WireGroup['kind'], title: string): void {
  waiting = { kind, title }
}

/** Adds a row to the group at work, and returns the id of that group. */
export function log(row: Omit<Row, 'id'>): number {
  if (waiting) {
    const cause = { ...waiting, id: ++lastId, at: state.now, rows: [] }
    change({ causes: [...state.causes, cause].slice(-CAUSES_MAX) })
    waiting = undefined
  }
  const id = state.causes.at(-1)?.id ?? 0
  addRow(id, row)
  return id
}

/** Adds a row to a group of before. */
export function addRow(groupId: number, row: Omit<Row, 'id'>): void {
  const fresh = { ...row, id: ++lastId }
  const causes = state.causes.map((cause) =>
    cause.id === groupId ? { ...cause, rows: [...cause.rows, fresh] } : cause,
  )
  change({ causes })
}
