import type { Action } from '../../engine/timeline.ts'
import type { World } from '../../world/world.ts'
import { formatInstant, formatLength, formatShort } from '../format.ts'

/** The sort of an action, in a word. */
export const KIND_WORDS: Record<Action['kind'], string> = {
  simulation: 'Simulated',
  clock: 'Clock',
  change: 'Changed',
  task: 'Scheduled',
}

type Input = Readonly<Record<string, unknown>>

/** What an action was, in a few words. */
export function formatAction(action: Action, world: World): string {
  const words = WORDS[action.operation]
  if (words === undefined) return action.operation
  return typeof words === 'string' ? words : words(action, readInput(action), world)
}

const WORDS: Readonly<Partial<Record<string, string | Formatter>>> = {
  simulateFundsReceived: arrived,
  'receive-funds': arrived,
  simulateSettled: 'Settled',
  'settle-transaction': 'Settled',
  simulateBankRefused: 'Bank declined',
  simulateExpired: 'Expired',
  'expire-transaction': 'Expired',
  simulateCancelled: 'Cancelled',
  simulateStatus: (_, { status }) => `Status forced: ${status}`,
  simulateBuy: () => 'Buy made',
  simulateSell: () => 'Sell made',
  addUser: () => 'User added',
  simulateKyc: (_, { status, after }) =>
    `Identity check: ${status}${after === undefined ? '' : ', later'}`,
  decideKyc: (_, { status }) => `Identity check: ${status}`,
  'change-kyc-status': 'Identity check ended',
  answerMoneyRequest: (_, { decision }) =>
    decision === 'approve' ? 'Approved at the bank' : 'Bank declined',
  simulateAccess: 'Key-only access',
  simulateAccount: (_, input) => `Account: ${Object.keys(input).join(', ')}`,
  simulateShareToken: 'Share token made',
  advanceClock: ({ at, until }) =>
    `Advanced ${formatLength(until - at)}, to ${formatShort(until, at)}`,
  freezeClock: ({ until }) => `Frozen at ${formatInstant(until)}`,
  resumeClock: 'Resumed',
  patchSettings: (_, input) => `Settings: ${Object.keys(input).join(', ')}`,
  putRates: 'Rates',
  createFault: 'Fault added',
  deleteFault: 'Fault removed',
  clearFaults: 'Faults removed',
  resendDelivery: ({ subject }) => `Webhook resent: ${subject}`,
}

type Formatter = (action: Action, input: Input, world: World) => string

function arrived({ subject }: Action, _: Input, { transactionsById }: World): string {
  const isSell = transactionsById.get(subject ?? '')?.side === 'sell'
  return isSell ? 'Coins arrived' : 'E-transfer arrived'
}

/** Long inputs were cut, and then are no JSON. */
function readInput({ input }: Action): Input {
  try {
    return JSON.parse(input ?? '{}') ?? {}
  } catch {
    return {}
  }
}
