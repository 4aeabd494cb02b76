import { ApiError } from '../lib/api.ts'
import { customer } from './customer.ts'
import { followUp, isBehind } from './follow.ts'
import { PROFILE_FIELDS, sendCode } from './onboarding.ts'
import { keepSession } from './session.ts'
import { change, openCause, state, type WireGroup } from './store.ts'
import { isOpen } from './transactions.ts'

let last: Promise<void> = Promise.resolve()
let waiting = 0
let busy = 0

interface Work {
  kind: WireGroup['kind']
  title: string
  run: () => Promise<void> | void
  /** Leaves the buttons enabled, and reads only what nothing before it has read. */
  isQuiet?: boolean
}

/**
 * Runs jobs one at a time, each with all its consequences, so that the rows are in causal order
 * and the same in every run.
 */
export function enqueue(work: Work): Promise<void> {
  const weight = work.isQuiet ? 0 : 1
  waiting++
  busy += weight
  change({ isBusy: busy > 0 })
  last = last.then(async () => {
    await perform(work)
    waiting--
    busy -= weight
    change({ isBusy: busy > 0 })
  })
  return last
}

async function perform({ kind, title, run, isQuiet }: Work): Promise<void> {
  openCause(kind, title)
  await settle(async () => run())
  if (!isQuiet || isBehind()) await settle(followUp)
  keepSession()
}

/** The user taps a button; ignored while the tap before it is at work. */
export async function tap(button: string, run: () => Promise<void> | void): Promise<void> {
  if (state.isBusy) return
  change({ problem: '', problemField: '', notice: '', isReading: false })
  const title = `${customer().name || 'The customer'} taps “${button}”`
  await enqueue({ kind: 'tap', title, run })
}

/** Runs something that others do, such as the bank or the clock. */
export function outside(title: string, run: () => Promise<unknown>): Promise<void> {
  change({ problem: '', notice: '' })
  return enqueue({ kind: 'outside', title, run: async () => void (await run()) })
}

export async function idle(): Promise<void> {
  while (waiting > 0) await last
}

async function settle(work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    // Anything else is a mistake in this page, which the console should show.
    if (!(error instanceof ApiError)) reportError(error)
    const { status = 0, field = '' } = error instanceof ApiError ? error : {}
    const isGone = error instanceof ApiError && status === 0
    const isDown = isGone || status >= 500 || status === 429
    const problem = isDown ? SERVICE : toProblem(status, field)
    change({ problem, problemField: field, isGone })
    if (problem !== SESSION_OVER) return
    await settle(sendCode)
    change({ problem })
  }
}

const SERVICE = 'Our payment partner is not responding. Check your activity, then try again.'
export const SESSION_OVER = 'For your security, log in again.'
export const WRONG_CODE = 'That code is wrong or has expired.'

const BY_FIELD: Readonly<Record<string, string>> = {
  code: WRONG_CODE,
  leftSideValue: 'This amount is outside your limits.',
  quoteId: 'This rate has expired. Get a new one.',
  txId: 'This order can no longer be cancelled.',
}

/** Says an error in words for customers. The server's column shows the API's own message. */
function toProblem(status: number, field: string) {
  const { screen, token } = state
  if (status === 401 && token !== '') return SESSION_OVER
  if (status !== 0 && field === 'transactions') return toLimitProblem()
  if (status !== 0 && BY_FIELD[field]) return BY_FIELD[field]
  if (screen === 'profile' && field === 'email') {
    return 'There is already an account with this e-mail address.'
  }
  const isForm = status !== 0 && (screen === 'welcome' || screen === 'profile')
  return isForm ? askToCheck(field) : 'That did not work. Try again.'
}

export function askToCheck(field: string): string {
  const label = PROFILE_FIELDS.find(([name]) => name === field)?.[1]
  return `Please check: ${label ?? (field === 'email' ? 'E-mail address' : 'what you entered')}.`
}

/** Tells the two limits on orders apart by how many are open. */
function toLimitProblem(): string {
  const isFull = state.transactions.filter(isOpen).length >= state.activeMax
  return isFull
    ? 'You have too many open orders. Finish or cancel one first.'
    : 'Too many of your orders were cancelled or expired today. Try again tomorrow.'
}
