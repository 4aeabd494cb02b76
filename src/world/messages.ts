import type { Message, MessageKind } from './facts.ts'
import { fromMicros } from './money.ts'
import type { Transaction } from './state.ts'
import type { World } from './world.ts'

/** What a message about a transaction says; all of it lies in what never changes about one. */
export interface Letter {
  readonly kind: MessageKind
  subject(transaction: Transaction): string
  text(transaction: Transaction): string
  code(transaction: Transaction): string | null
}

const amountOf = ({ leftSide, leftSideLabel }: Transaction) =>
  `${fromMicros(leftSide)} ${leftSideLabel}`

export const MONEY_REQUEST: Letter = {
  kind: 'money-request',
  subject: (transaction) => `Request for ${amountOf(transaction)}`,
  text: (transaction) =>
    `Approve the request ${transaction.rmtId} for ${amountOf(transaction)} at your bank.`,
  code: ({ rmtId }) => rmtId,
}

export const DEPOSIT_INSTRUCTIONS: Letter = {
  kind: 'deposit-instructions',
  subject: (transaction) => `Send ${amountOf(transaction)}`,
  text: (transaction) => `Send ${amountOf(transaction)} to ${transaction.depositAddress}.`,
  code: () => null,
}

export const BANK_REFUSAL: Letter = {
  kind: 'bank-refusal',
  subject: () => 'Your bank refused the e-transfer',
  text: ({ rmtId }) => `Your bank refused to pay the request ${rmtId}; its own limit may be lower.`,
  code: () => null,
}

export const EXPIRY: Letter = {
  kind: 'transaction-closed',
  subject: () => 'Your transaction expired',
  text: ({ rmtId }) => `Nothing arrived in time for ${rmtId}.`,
  code: () => null,
}

export const PAYOUT: Letter = {
  kind: 'payout',
  subject: () => 'You received an e-transfer',
  text({ rightSide, securityAnswer }) {
    const answer = securityAnswer ? `the answer is ${securityAnswer}` : 'it was deposited by itself'
    return `${fromMicros(rightSide)} CAD were sent to you; ${answer}.`
  },
  code: ({ securityAnswer }) => securityAnswer,
}

/** Writes to the user of a transaction. */
export function writeLetter(world: World, transaction: Transaction, letter: Letter): void {
  world.send(new WrittenLetter(world, transaction, letter))
}

/** Its words are made when they are read, because most messages of a long life never are. */
class WrittenLetter implements Message {
  readonly cursor: number
  readonly sentAt: number
  readonly #world: World
  readonly #transaction: Transaction
  readonly #letter: Letter

  constructor(world: World, transaction: Transaction, letter: Letter) {
    this.cursor = world.messages.last + 1
    this.sentAt = world.now
    this.#world = world
    this.#transaction = transaction
    this.#letter = letter
  }

  get id(): string {
    return messageId(this.cursor)
  }

  get to(): string {
    return this.#world.usersById.get(this.#transaction.userId)?.email ?? ''
  }

  get kind(): MessageKind {
    return this.#letter.kind
  }

  get subject(): string {
    return this.#letter.subject(this.#transaction)
  }

  get text(): string {
    return this.#letter.text(this.#transaction)
  }

  get code(): string | null {
    return this.#letter.code(this.#transaction)
  }

  get ref(): string {
    return this.#transaction.id
  }

  toJSON(): Message {
    const { id, cursor, to, kind, subject, text, code, ref, sentAt } = this
    return { id, cursor, to, kind, subject, text, code, ref, sentAt }
  }
}

export const messageId = (cursor: number): string => `msg_${cursor}`
