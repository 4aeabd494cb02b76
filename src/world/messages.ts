import { fromMicros } from './money.ts'
import type { Message, MessageKind, Transaction } from './state.ts'
import type { World } from './world.ts'

type Text = Pick<Message, 'subject' | 'text'> & Partial<Pick<Message, 'code'>>

/** Texts for a user about a transaction, by the kind of the message. */
const TEXTS = {
  'money-request': (transaction) => ({
    subject: `Request for ${amountOf(transaction)}`,
    text: `Approve the request ${transaction.rmtId} for ${amountOf(transaction)} at your bank.`,
    code: transaction.rmtId,
  }),
  'deposit-instructions': (transaction) => ({
    subject: `Send ${amountOf(transaction)}`,
    text: `Send ${amountOf(transaction)} to ${transaction.depositAddress}.`,
  }),
  'bank-refusal': ({ rmtId }) => ({
    subject: 'Your bank refused the e-transfer',
    text: `Your bank refused to pay the request ${rmtId}; its own limit may be lower.`,
  }),
  'transaction-closed': ({ rmtId }) => ({
    subject: 'Your transaction expired',
    text: `Nothing arrived in time for ${rmtId}.`,
  }),
  payout: ({ rightSide, securityAnswer: code }) => ({
    subject: 'You received an e-transfer',
    text: `${fromMicros(rightSide)} CAD was sent to you; ${code ? `the answer is ${code}` : 'it was deposited automatically'}.`,
    code,
  }),
} satisfies Partial<Record<MessageKind, (transaction: Transaction) => Text>>

export function sendAbout(world: World, transaction: Transaction, kind: keyof typeof TEXTS): void {
  const to = world.usersById.get(transaction.userId)?.email ?? ''
  world.send({ to, kind, code: null, ...TEXTS[kind](transaction), ref: transaction.id })
}

const amountOf = ({ leftSide, leftSideLabel }: Transaction) =>
  `${fromMicros(leftSide)} ${leftSideLabel}`
