import type { FieldNotes } from '../notes.ts'

const HASH = `0x${'4e'.repeat(32)}`
const ADDRESS = '0x419491dd19b88baf2fe9018252dc4effb8930a10'
const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const TOKEN = '0xf9d8ecb7389c8d11c2fef0753f0849ceacb2e047'

export const chainFields: FieldNotes = {
  networks: ['The chains; none where coins are simulated.'],
  log: [
    'The last hundred lines of this world: coins that arrived and changed nothing, and payments that failed.',
    ['60 of 100 USDC arrived for 4187851a-04a8-41ad-a5e3-c653acc88768'],
  ],
  'ChainNetwork.name': ['Name of the chain: the first of its labels.', 'ETH'],
  'ChainNetwork.labels': ['Endings of the coin labels whose coins are here.', ['ETH', 'BASE']],
  'ChainNetwork.chainId': ['Its id; null where the node does not respond.', 31_337],
  'ChainNetwork.block': ['Number of its newest block; null where the node does not respond.', 14],
  'ChainNetwork.readBlock': ['Number of the last block that this world has read.', 14],
  'ChainNetwork.account': ['The account that mints and sends, for which the node signs.', ACCOUNT],
  'ChainNetwork.funded': [
    'The account that `sendOnChain` sends from, unless it names one.',
    ACCOUNT,
  ],
  'ChainNetwork.tokens': ['The tokens that the coins are.'],
  'ChainNetwork.problem': ['Why its node does not respond; null when it does.', null],
  'tokens.coin, balances.coin': ['The coin.'],
  'tokens.address': ['Address of the contract.', TOKEN],
  'tokens.decimals': ['How many decimals its amounts have.', 6],
  'sendOnChain.hash': ['Hash of the blockchain transaction.', HASH],
  'balances.network': ['Name of the chain.', 'ETH'],
  'getChainBalances.address': ['The address whose coins are counted.', ADDRESS],
  balances: ['One row for each coin on each chain.'],
  'balances.amount': ['How many it has.', 100],
  'sendOnChain.to': ['Who gets the coins.', ADDRESS],
  'sendOnChain.from': [
    'Who sends them: the funded account by default; any other one needs enough coins, and a node that signs for it or impersonates it.',
    ACCOUNT,
  ],
  'sendOnChain.amount': ['How many coins.', 100],
  'sendOnChain.coin': ['Which coin; USDC by default.'],
  'sendOnChain.network': ['Which chain, by one of its labels; the first one by default.', 'ETH'],
}
