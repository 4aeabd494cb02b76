import type { Json } from '../../client/http.ts'
import type { Side } from '../../world/money.ts'
import type { Received } from './holdings.ts'
import type { WordKey } from './words.ts'

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

/** One line of the server's column. */
export interface Row {
  id: number
  kind: 'call' | 'webhook' | 'outside' | 'message'
  title: string
  /** A status, or an outcome. */
  result: string
  isBad?: boolean
  /** Said in the line itself: the API's own message, or what was checked. */
  note?: string
  /** Name and text of each part that can be opened. */
  parts?: readonly (readonly [name: WordKey, text: string])[]
}

/** A tap or an event outside, and everything that it led to, in order. */
export interface WireGroup {
  id: number
  kind: 'tap' | 'outside' | 'server'
  title: string
  at: number
  rows: Row[]
}

export type StoryName = 'buy' | 'sell' | 'kyc' | 'expired' | 'bank' | 'webhook'

interface Player {
  story: StoryName
  /** Steps that were begun. */
  at: number
  isPaused: boolean
  isAtWork: boolean
  /** Whether somebody used the phone meanwhile. */
  isTouched: boolean
  /** Whether it waited in vain. */
  isStuck: boolean
  /** Rows after this one are marked until the next step. */
  since: number
}

/** State of the wallet on the phone, as a new user finds it. */
class Wallet {
  screen: Screen = 'welcome'
  email = ''
  /** Name of whom the wallet registered; nobody else tells it theirs. */
  name = ''
  userId = ''
  userStatus = ''
  /** When a webhook said that. */
  userStatusAt = 0
  kycUrl = ''
  token = ''
  /** The login code that arrived in the user's messages. */
  code = ''
  notice: WordKey | '' = ''
  side: Side = 'buy'
  amount = '250'
  coin = 'USDC-ETH'
  isChoosing = false
  received: Received[] = []
  /** CAD for one coin, such as `{ USDC: 1.4015 }`, of the last quotes. */
  rates: Record<string, number> = {}
  quote: Json | null = null
  limits: Json | null = null
  transactions: Json[] = []
  transaction: Json | null = null
  /** Records of the wallet's server for each order: its quote, and what webhooks said, and when. */
  orders: Record<string, Json> = {}
  problem: WordKey | '' = ''
  problemField = ''
  /** An amount that the problem names. */
  problemAmount = ''
  losesWebhook = false
  causes: WireGroup[] = []
}

/** The wallet, and what is beside the phone. */
class DemoState extends Wallet {
  isBusy = false
  isGone = false
  now = 0
  mode = 'running'
  activeMax = 3
  /** How long an order may wait, by its side. */
  windowsMs = { buy: 3_600_000, sell: 86_400_000 }
  /** Settings of this sandbox keep anybody from signing up. */
  needsToken = false
  /** How fast a story plays. */
  speed = 1
  player: Player | null = null
  isPresenting = false

  /** The part that a session keeps. */
  kept(): Record<string, unknown> {
    const names = Object.keys(new Wallet())
    return Object.fromEntries(names.map((name) => [name, this[name as keyof this]]))
  }
}

export const state = new DemoState()
const listeners = new Set<() => void>()

export function change(part: Partial<DemoState>): void {
  Object.assign(state, part)
  for (const listener of listeners) listener()
}

/** Back to the first screen, for a new user. */
export const startOver = (email: string): void => change({ ...new Wallet(), email })

export function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const CAUSES_MAX = 100
/** Ids of two windows of a session differ, and go on after a reload. */
let lastId = Date.now() * 100
let waiting: WireGroup | undefined

/** Rows that follow belong to this, which is shown with the first of them. */
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
