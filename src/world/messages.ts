import { findCoinLabel } from './coins.ts'
import { DAY, HOUR } from './duration.ts'
import { fromMicros } from './money.ts'
import { plural } from './plural.ts'
import type { LoginCode, Message, MessageKind, Transaction, User } from './state.ts'
import { describeReasons } from './word-list.ts'
import type { UserStatus } from './words.ts'
import type { World } from './world.ts'

interface Text {
  subject: string
  text: string
  code: string | null
}

type About = (transaction: Transaction) => Text

const ABOUT_TRANSACTION = {
  'money-request': ({ leftSide, rmtId }) => {
    const amount = formatCad(leftSide)
    return {
      subject: `Request for ${amount}`,
      text: `You have a request for ${amount}. To pay, approve request ${rmtId} at your bank.`,
      code: rmtId,
    }
  },
  'deposit-instructions': ({ leftSide, leftSideLabel, coin, depositAddress }) => {
    const coins = `${fromMicros(leftSide)} ${coin}`
    const chain = findCoinLabel(leftSideLabel)?.chain ?? ''
    const network = NETWORKS[chain] ?? chain
    return {
      subject: `Send your ${coins}`,
      text: `To complete your sale, send exactly ${coins} on ${network} to ${depositAddress}.`,
      code: null,
    }
  },
  'bank-refusal': ({ rmtId, status }) => {
    const end =
      status === 'cancelled'
        ? 'Your order has been cancelled.'
        : 'You can try again until the request expires.'
    return {
      subject: 'Your bank declined the e-transfer',
      text: `Your bank declined to pay request ${rmtId}. The amount may be above the bank’s own limit. ${end}`,
      code: null,
    }
  },
  'transaction-closed': ({ side, rmtId }) => ({
    subject: 'Your order has expired',
    text:
      side === 'buy'
        ? `We did not receive your e-transfer in time, so order ${rmtId} has expired. Nothing was bought.`
        : `We did not receive your coins in time, so order ${rmtId} has expired. Nothing was sold.`,
    code: null,
  }),
  payout: ({ rightSide, securityAnswer: code }) => ({
    subject: 'You received an e-transfer',
    text: code
      ? `We sent you ${formatCad(rightSide)} by e-transfer. To deposit it, give your bank this security answer: ${code}`
      : `We sent you ${formatCad(rightSide)} by e-transfer. It was deposited automatically.`,
    code,
  }),
} satisfies Partial<Record<MessageKind, About>>

/** `$1,250.00`, as English-speaking Canadians write it. */
const formatCad = (micros: number): string =>
  `$${fromMicros(micros)
    .toFixed(2)
    .replace(/\B(?=(\d{3})+\.)/g, ',')}`

const NETWORKS: Readonly<Record<string, string>> = {
  ETH: 'Ethereum',
  POLY: 'Polygon',
  ARB: 'Arbitrum',
  OP: 'Optimism',
  BASE: 'Base',
  AVAX: 'Avalanche',
  BSC: 'BNB Chain',
  CELO: 'Celo',
  SOL: 'Solana',
  SX: 'SX Network',
}

export function sendAbout(
  world: World,
  transaction: Transaction,
  kind: keyof typeof ABOUT_TRANSACTION,
): void {
  const to = world.usersById.get(transaction.userId)?.email ?? ''
  const { subject, text, code } = ABOUT_TRANSACTION[kind](transaction)
  send(world, { to, kind, subject, text, code, ref: transaction.id })
}

export function sendCode(world: World, { email: to }: User, { code, expiresAt }: LoginCode): void {
  const length = formatLength(expiresAt - world.now)
  const text = `Your login code is ${code}. It expires in ${length}.`
  send(world, { to, kind: 'login-code', subject: 'Your login code', text, code, ref: null })
}

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** `10 minutes`, `1 hour`: a length in its largest whole unit. */
function formatLength(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, each]) => ms >= each && ms % each === 0) ?? UNITS[3]
  return plural(Math.ceil(ms / unitMs), unit)
}

/** Subject and text about an identity check, by the status that it led to. */
const ABOUT_CHECK: Readonly<Partial<Record<UserStatus, [subject: string, text: string]>>> = {
  verified: ['You are verified', 'We have verified your identity. You can now buy and sell.'],
  'in-review': [
    'We are reviewing your documents',
    'Thank you for your documents. We will e-mail you when the review is done.',
  ],
  upload: ['We need one more document', 'To verify your identity, we need another document.'],
  rejected: ['We could not verify your identity', 'Your identity check failed. You can try again.'],
}

export function sendKycResult(world: World, { id, email, status, reasons }: User): void {
  const fallback = `The status of your identity check is now: ${status}.`
  const [subject, text] = ABOUT_CHECK[status] ?? ['Your identity check', fallback]
  const hasWhy = reasons.length > 0 && status !== 'verified'
  const why = hasWhy ? ` ${describeReasons(reasons)}` : ''
  send(world, { to: email, kind: 'kyc-result', subject, text: text + why, code: null, ref: id })
}

function send(world: World, request: Omit<Message, 'id' | 'pos' | 'cause' | 'sentAt'>): void {
  const { to, kind, subject, text, code, ref } = request
  const { cause, now: sentAt } = world
  const pos = world.nextPosition()
  world.send({ id: `msg_${pos}`, pos, cause, to, kind, subject, text, code, ref, sentAt })
}
