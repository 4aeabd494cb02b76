import { formatDuration } from './duration.ts'
import { fromMicros } from './money.ts'
import type { LoginCode, Message, MessageKind, Transaction, User } from './state.ts'
import type { World } from './world.ts'

interface Text {
  subject: string
  text: string
  code: string | null
}

/** Texts about a transaction, by the kind of the message. */
const ABOUT_TRANSACTION = {
  'money-request': (transaction) => ({
    subject: `Request for ${formatAmount(transaction)}`,
    text: `Approve the request ${transaction.rmtId} for ${formatAmount(transaction)} at your bank.`,
    code: transaction.rmtId,
  }),
  'deposit-instructions': (transaction) => ({
    subject: `Send ${formatAmount(transaction)}`,
    text: `Send ${formatAmount(transaction)} to ${transaction.depositAddress}.`,
    code: null,
  }),
  'bank-refusal': ({ rmtId }) => ({
    subject: 'Your bank refused the e-transfer',
    text: `Your bank refused to pay the request ${rmtId}; its own limit may be lower.`,
    code: null,
  }),
  'transaction-closed': ({ rmtId }) => ({
    subject: 'Your transaction expired',
    text: `Nothing arrived in time for ${rmtId}.`,
    code: null,
  }),
  payout: ({ rightSide, securityAnswer: code }) => ({
    subject: 'You received an e-transfer',
    text: `${fromMicros(rightSide)} CAD was sent to you; ${code ? `the answer is ${code}` : 'it was deposited automatically'}.`,
    code,
  }),
} satisfies Partial<Record<MessageKind, (transaction: Transaction) => Text>>

const formatAmount = ({ leftSide, leftSideLabel }: Transaction) =>
  `${fromMicros(leftSide)} ${leftSideLabel}`

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
  const text = `Your login code is ${code}. It is valid for ${formatDuration(expiresAt - world.now)}.`
  send(world, { to, kind: 'login-code', subject: 'Your login code', text, code, ref: null })
}

/** Tells the user how the identity verification ended. */
export function sendKycResult(world: World, { id, email, status, reasons }: User): void {
  const why = reasons.length > 0 ? ` Reason: ${reasons.join('; ')}.` : ''
  send(world, {
    to: email,
    kind: 'kyc-result',
    subject: 'Your identity verification',
    text: `Your identity verification is now: ${status}.${why}`,
    code: null,
    ref: id,
  })
}

function send(world: World, request: Omit<Message, 'id' | 'cursor' | 'sentAt'>): void {
  const { to, kind, subject, text, code, ref } = request
  const cursor = world.messages.last + 1
  const sentAt = world.now
  world.send({ id: `msg_${cursor}`, cursor, to, kind, subject, text, code, ref, sentAt })
}
