import type { Json } from '../../client/http.ts'
import type { SandboxEvent } from '../../client/types.ts'
import type { ActionRecord, RequestRecord } from '../../http/control/wire.ts'

interface Lever {
  verb: 'post' | 'put' | 'patch' | 'delete'
  /** Below `/_sandbox`. */
  path: string
  body: Json
}

const USER = '/simulate/users/:subject'
const TRANSACTION = '/simulate/transactions/:subject'

/** Actions that a scenario does again, and what a step says of them. */
const LEVERS: Readonly<
  Record<string, [path: string, title: (who: string, input: Json) => string]>
> = {
  simulateKyc: [`${USER}/kyc`, (who, { status }) => `The identity check of ${who}: ${status}`],
  simulateAccess: [`${USER}/access`, (who) => `${who} changes who may act without a token`],
  simulateAccount: [`${USER}/account`, (who) => `The account of ${who} changes`],
  addUser: ['/users', (who) => `${who} is added`],
  simulateBuy: [`${USER}/buy`, (who) => `${who} buys`],
  simulateSell: [`${USER}/sell`, (who) => `${who} sells`],
  simulateFundsReceived: [`${TRANSACTION}/funds-received`, () => 'The money arrives'],
  simulateSettled: [`${TRANSACTION}/settled`, () => 'The transaction is settled'],
  simulateBankRefused: [`${TRANSACTION}/bank-refused`, () => 'The bank refuses the payment'],
  simulateExpired: [`${TRANSACTION}/expired`, () => 'The transaction expires'],
  simulateCancelled: [`${TRANSACTION}/cancelled`, () => 'The transaction is cancelled'],
  simulateStatus: [`${TRANSACTION}/status`, (_, { status }) => `The status becomes ${status}`],
  putRates: ['/rates', () => 'The price of a coin changes'],
  patchSettings: ['/settings', () => 'Settings change'],
  createFault: ['/faults', () => 'A fault is added'],
  clearFaults: ['/faults', () => 'The faults are cleared'],
}
const VERBS: Readonly<Record<string, Lever['verb']>> = {
  putRates: 'put',
  patchSettings: 'patch',
  clearFaults: 'delete',
}

/** Pages are of one time, so what a person did there is done by the lever behind them. */
function nameOfLever(operation: string, { decision }: Json): string {
  if (operation === 'decideKyc') return 'simulateKyc'
  if (operation !== 'answerMoneyRequest') return operation
  return decision === 'approve' ? 'simulateFundsReceived' : 'simulateBankRefused'
}

export function toLever(operation: string, input: Json): Lever | undefined {
  const name = nameOfLever(operation, input)
  const [path] = LEVERS[name] ?? []
  const { decision, ...body } = input
  return path === undefined ? undefined : { verb: VERBS[name] ?? 'post', path, body }
}

interface Told {
  caused: readonly SandboxEvent[]
  who: string
  input: Json
}

/** What an action or a length of time was about. */
export function titleOfAction({ operation }: ActionRecord, { caused, who, input }: Told) {
  const [, title] = LEVERS[nameOfLever(operation, input)] ?? []
  if (title) return title(who, input)
  const { type, status } = caused.at(-1) ?? {}
  if (status === undefined) return undefined
  if (status === 'expired') return 'The transaction expires'
  return `${type === 'user.update' ? 'The user' : 'The transaction'} becomes ${status}`
}

const CALLS: Readonly<Record<string, (who: string, body: Json) => string>> = {
  createUser: (who) => `${who} registers`,
  v1GenerateApiLink: (who) => `${who} registers`,
  verifyLoginCode: (who) => `${who} logs in`,
  v1VerifyLoginCode: (who) => `${who} logs in`,
  importKyc: (who) => `A verification of ${who} is imported`,
  createTransaction: (_, body) => toOrder(body),
  v1CreateTransaction: (_, body) => toOrder(body),
  cancelTransaction: () => 'The order is cancelled',
  submitKyb: () => 'A business submits its verification',
}

const toOrder = ({ leftSideLabel, leftSideValue, rightSideLabel }: Json) =>
  `An order of ${rightSideLabel} for ${leftSideValue} ${leftSideLabel}`

/** The title of a call that begins a step. */
export function titleOfCall({ operation, status }: RequestRecord, who: string, body: Json) {
  const title = CALLS[operation ?? '']?.(who, body ?? {})
  return title === undefined || status < 400 ? title : `${title}, which is rejected`
}

const UNITS: readonly (readonly [ms: number, word: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
]

export function toWords(ms: number): string {
  const [unit, word] = UNITS.find(([length]) => ms >= length) ?? [60_000, 'minute']
  const count = Math.round(ms / unit)
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

export const lowerFirst = (title: string) =>
  title.replace(/^(A|An|The) /, (word) => word.toLowerCase())

/** What the result of an operation is called. */
export const STEMS: Readonly<Record<string, string>> = {
  createUser: 'registered',
  findUsers: 'found',
  createQuote: 'quote',
  v1PriceQuote: 'quote',
  createTransaction: 'order',
  v1CreateTransaction: 'order',
  verifyLoginCode: 'verified',
  v1VerifyLoginCode: 'verified',
  createKycLink: 'link',
  getTransaction: 'read',
  cancelTransaction: 'cancelled',
  listTransactions: 'page',
}

/** The part of an address before the `@`, as a name. */
export function stemOf(email: string): string {
  const name = (email.split('@')[0] ?? '').replace(/[^A-Za-z0-9]+/g, '')
  return /^[A-Za-z]/.test(name) ? name : `user${name}`
}
