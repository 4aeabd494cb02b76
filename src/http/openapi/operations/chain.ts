import type { OperationNotes } from '../notes.ts'

export const chainNotes: OperationNotes = {
  getChain: {
    about: `Names the chains that the sandbox was started with (\`--chain\`), with their tokens and the account that
mints and sends. Without a chain the list is empty. A node that does not answer has a \`problem\`.`,
    success: 'The chains; an empty list where coins are simulated.',
  },
  listChainTransfers: {
    about: `Lists the tokens that arrived at deposit addresses, as far as the chain was read. \`outcome\` says what
followed; settings named \`chain\` decide that. \`scanChain\` reads the blocks up to now first.`,
    success: 'The transfers of this world.',
  },
  getChainBalances: {
    about: `Reads from the tokens themselves how much an address has. It takes a wallet, a deposit address, or any
other one.`,
    success: 'One row for each coin on each chain.',
  },
  scanChain: {
    about: `Reads every block that there is now, and answers once all consequences have happened: transactions are
moved, webhooks delivered, and buys under automatic settlement paid. Send coins, call this, and look: a
test need not sleep. Without it each world looks every second.`,
    success: 'The chains as they are now, and all transfers so far.',
  },
  sendOnChain: {
    about: `Sends coins from an account of the node, as a user's wallet does; it gets them first where the
sandbox mints them. It answers when the transfer is in a block; \`scanChain\` then lets the sandbox see it.`,
    success: 'The transfer, which is in a block.',
  },
}
