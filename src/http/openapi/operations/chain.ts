import type { OperationNotes } from '../notes.ts'

export const chainNotes: OperationNotes = {
  getChain: {
    about: `Names the chains that the sandbox was started with (\`--chain\`), with their tokens and the account that
mints and sends. Without a chain the list is empty. A node that does not respond has a \`problem\`.
A transfer that is short, late or of another token leaves the transaction as it is, with a line in \`log\`.`,
    success: 'The chains; an empty list where coins are simulated.',
  },
  getChainBalances: {
    about: `Reads from the tokens themselves how much an address has. It takes a wallet, a deposit address, or any
other one.`,
    success: 'One row for each coin on each chain.',
  },
  scanChain: {
    about: `Reads every block up to now. Where the coins that arrived at the deposit address of a sell reach its amount,
the sell is processing, with the hash as its \`paymentId\`; under automatic settlement buys are paid. It responds once
webhooks are delivered, so a test need not sleep: send coins, call this, and look. By itself a sandbox looks every second.`,
    success: 'The chains as they are now, and what did not fit.',
  },
  sendOnChain: {
    about: `Sends coins from an account of the node, as a user's wallet does; it gets them first where the
sandbox mints them. It responds when the transfer is in a block; \`scanChain\` then lets the sandbox see it.`,
    success: 'The transfer, which is in a block.',
  },
}
