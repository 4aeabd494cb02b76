import { choice, count } from './setting.ts'

/** What a transfer to a deposit address does, where a chain is behind the sandbox. */
export const CHAIN = {
  'chain.confirmations': count(1, {
    least: 1,
    most: 1000,
    ref: 'Resources: Transaction, paymentId',
    question: 'How many blocks make a transfer count, its own included?',
    why: 'Not shown; 1 counts it as soon as it is in a block.',
  }),
  'chain.tooLittle': choice(['waits', 'repriced', 'cancelled'], {
    ref: 'Resources: Transaction, depositAddress',
    question: 'What happens when less arrives than was ordered?',
    why: 'The transaction waits for the rest; `repriced` pays for what arrived at the same rate, unless the limits do not allow so little.',
  }),
  'chain.tooMuch': choice(['ordered', 'repriced'], {
    ref: 'Resources: Transaction, depositAddress',
    question: 'What is paid when more arrives than was ordered?',
    why: 'What was ordered, and a message says how much was too much; `repriced` pays for all of it, unless that is above the limits.',
  }),
  'chain.parts': choice(['added', 'separate'], {
    ref: 'Resources: Transaction, depositAddress',
    question: 'Do several transfers to one deposit address add up?',
    why: 'Users split transfers; `separate` expects one that is enough by itself.',
  }),
  'chain.wrongToken': choice(['ignored', 'cancelled'], {
    ref: 'Resources: Transaction, depositAddress',
    question: 'What happens when another token arrives?',
    why: 'The transaction still waits for its coin, and a message says what arrived.',
  }),
  'chain.notPending': choice(['message', 'silent'], {
    ref: 'Resources: Transaction, depositAddress',
    question: 'What happens to coins that arrive when nothing is waiting for them?',
    why: 'A message says that they are kept. After the expiry `transactions.final` decides first.',
  }),
  'chain.reorganised': choice(['undone', 'kept'], {
    ref: 'Resources: Transaction, paymentId',
    question: 'What if the block of a transfer is replaced, and the transfer is in no other?',
    why: 'A sell in processing waits again; `kept` trusts what was seen once.',
  }),
  'chain.time': choice(['independent', 'follow'], {
    ref: 'Resources: Transaction, paymentId',
    question: 'Which time do the blocks have that the sandbox causes?',
    why: 'That of the chain; `follow` gives them world time where the node can, as long as it moves forward.',
  }),
}
