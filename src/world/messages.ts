import { fromMicros } from './money.ts'
import type { Transaction } from './state.ts'
import type { World } from './world.ts'

export function sendMoneyRequest(world: World, transaction: Transaction): void {
  const { rmtId } = transaction
  const amount = formatAmount(transaction)
  sendTo(world, transaction, {
    kind: 'money-request',
    subject: `Request for ${amount}`,
    text: `Approve the request ${rmtId} for ${amount} at your bank.`,
    code: rmtId,
  })
}

export function sendDepositInstructions(world: World, transaction: Transaction): void {
  const amount = formatAmount(transaction)
  sendTo(world, transaction, {
    kind: 'deposit-instructions',
    subject: `Send ${amount}`,
    text: `Send ${amount} to ${transaction.depositAddress}.`,
  })
}

export function sendBankRefused(world: World, transaction: Transaction): void {
  sendTo(world, transaction, {
    kind: 'bank-refusal',
    subject: 'Your bank refused the e-transfer',
    text: `Your bank refused to pay the request ${transaction.rmtId}; its own limit may be lower.`,
  })
}

export function sendExpiry(world: World, transaction: Transaction): void {
  sendTo(world, transaction, {
    kind: 'transaction-closed',
    subject: 'Your transaction expired',
    text: `Nothing arrived in time for ${transaction.rmtId}.`,
  })
}

export function sendPayout(world: World, transaction: Transaction): void {
  const { rightSide, securityAnswer } = transaction
  const how = securityAnswer ? `the answer is ${securityAnswer}` : 'it was deposited automatically'
  sendTo(world, transaction, {
    kind: 'payout',
    subject: 'You received an e-transfer',
    text: `${fromMicros(rightSide)} CAD was sent to you; ${how}.`,
    code: securityAnswer,
  })
}

type MessageRequest = Omit<Parameters<World['send']>[0], 'to' | 'ref' | 'code'> & {
  code?: string | null
}

function sendTo(
  world: World,
  { id, userId }: Transaction,
  { kind, subject, text, code = null }: MessageRequest,
): void {
  const to = world.usersById.get(userId)?.email ?? ''
  world.send({ to, kind, subject, text, code, ref: id })
}

const formatAmount = ({ leftSide, leftSideLabel }: Transaction) =>
  `${fromMicros(leftSide)} ${leftSideLabel}`
