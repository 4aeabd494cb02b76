import type { Step } from './scene.ts'
import {
  advanceClock,
  changeSettings,
  forceStatus,
  importState,
  moveTransaction,
  reset,
  restoreSnapshot,
  reviewUser,
  setAccount,
  setRates,
  takeSnapshot,
} from './steps-control.ts'
import {
  cancelTransaction,
  createQuote,
  createTransaction,
  listTransactions,
  readTransaction,
  useOldQuote,
  useOldToken,
} from './steps-trading.ts'
import {
  createUser,
  importKyc,
  readUser,
  sendLoginCode,
  updateUser,
  verifyLoginCode,
} from './steps-users.ts'
import type { Make, View } from './view.ts'

/** How often each is tried, in all lives together. */
const WEIGHTS: readonly [Make, number][] = [
  [createTransaction, 20],
  [moveTransaction, 12],
  [advanceClock, 12],
  [createQuote, 9],
  [cancelTransaction, 7],
  [sendLoginCode, 3],
  [readTransaction, 4],
  [listTransactions, 4],
  [readUser, 4],
  [createUser, 4],
  [reviewUser, 4],
  [setAccount, 3],
  [updateUser, 3],
  [verifyLoginCode, 1],
  [importKyc, 2],
  [useOldQuote, 1.5],
  [useOldToken, 0.7],
  [setRates, 1.5],
  [changeSettings, 1.5],
  [takeSnapshot, 1],
  [restoreSnapshot, 1],
  [forceStatus, 1.2],
  [reset, 0.35],
  [importState, 0.35],
]
const TOTAL = WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0)
const TRIES_MAX = 100

/** Any step that the world has something for and that is offered. */
export function chooseStep(view: View, isOffered: (step: Step) => boolean): Step {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const step = draw(view)(view)
    if (step && isOffered(step)) return step
  }
  throw new Error('The world has nothing for any step.')
}

function draw({ dice }: View): Make {
  let left = (dice.below(1_000_000) / 1_000_000) * TOTAL
  for (const [make, weight] of WEIGHTS) {
    left -= weight
    if (left < 0) return make
  }
  return createTransaction
}
