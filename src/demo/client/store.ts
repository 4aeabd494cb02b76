import type { Json } from '../../client/http.ts'
import type { Side } from '../../world/money.ts'

export type Screen = 'welcome' | 'profile' | 'identify' | 'code' | 'home' | 'order' | 'pay' | 'done'

/** One line of the side panel. */
export interface WireEntry {
  id: number
  kind: 'call' | 'webhook' | 'simulate'
  title: string
  /** A status, or an outcome. */
  result: string
  ok: boolean
  sent: Json
  answered: Json
}

/** State of the app on the phone. */
export interface DemoState {
  screen: Screen
  email: string
  userId: string
  userStatus: string
  kycUrl: string
  token: string
  /** A message on the lock screen, and the login code in it. */
  notice: { text: string; code: string } | null
  side: Side
  amount: string
  coin: string
  quote: Json | null
  limits: Json | null
  transactions: Json[]
  transaction: Json | null
  isBankOpen: boolean
  problem: string
  isBusy: boolean
  now: number
  mode: string
  entries: WireEntry[]
  isPlaying: boolean
}

const listeners = new Set<() => void>()
let lastEntry = 0

export const state: DemoState = fresh()

function fresh(): DemoState {
  return {
    screen: 'welcome',
    email: '',
    userId: '',
    userStatus: '',
    kycUrl: '',
    token: '',
    notice: null,
    side: 'buy',
    amount: '250',
    coin: 'USDC-ETH',
    quote: null,
    limits: null,
    transactions: [],
    transaction: null,
    isBankOpen: false,
    problem: '',
    isBusy: false,
    now: 0,
    mode: 'running',
    entries: [],
    isPlaying: false,
  }
}

export function change(part: Partial<DemoState>): void {
  Object.assign(state, part)
  for (const listener of listeners) listener()
}

/** Back to the first screen, for a new user. */
export function startOver(email: string): void {
  const { now, mode, isPlaying } = state
  change({ ...fresh(), email, now, mode, isPlaying })
}

export function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const ENTRIES_MAX = 200

export function log(entry: Omit<WireEntry, 'id'>): void {
  lastEntry++
  change({ entries: [{ id: lastEntry, ...entry }, ...state.entries].slice(0, ENTRIES_MAX) })
}
