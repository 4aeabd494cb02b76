import { EVM_WALLET, SOLANA_WALLET } from '../helpers/story.ts'
import type { Pools } from './arbitrary.ts'

const EMAILS = ['alice@example.com', 'bob@example.com', 'carol@example.com', 'nobody@example.com']
const CLOSED = 'http://127.0.0.1:9/hooks'

const many = <Value>(value: Value, times: number): Value[] => Array(times).fill(value)

/**
 * Values that let a call get far. What begins with `$` is looked up in the world when the call is
 * made, so that a sequence of calls can be replayed and shrunk.
 */
export const POOLS: Pools = {
  addressLine1: ['100 Example Street'],
  after: ['0', '1', '2', '99'],
  by: ['1ms', '1m', 'PT1H', '1d', 60_000],
  city: ['Toronto'],
  clock: ['frozen', '2026-07-02T00:00:00Z', '2026-07-02T00:00:00.001Z', 'soon'],
  code: ['$code', '0000', '1234'],
  corporate_phone: ['4165550100'],
  corporation_email: EMAILS,
  corporation_number: ['1', '1234567'],
  count: [1, 2],
  date_of_incorp: ['2020-02-29'],
  deliver: ['wait', 'async'],
  dob: ['1990-04-12', '2008-07-01', '1966-07-01', '2020-01-01', '1990-02-30'],
  email: EMAILS,
  externalSessionId: ['session-1', ''],
  fixture: ['default', 'verified-user', 'nope'],
  formatVersion: [1, 2, -1],
  id: ['$tx', '$tx', 'req_1', 'dlv_1', 'fault_1', 'quotes.ttl', 'x'],
  leftSideLabel: [...many('CAD', 8), 'USDC-ETH', 'CADC', 'usdc'],
  leftSideValue: [...many(100, 10), 10, 9.99, 9999, 9999.01, 0, -1, 1e9, 0.1234567, '100'],
  limit: [1, 20, 100, 101, 0],
  loginCode: ['1234', null],
  login_code: ['$code', '0000', '12'],
  maximumCad: [0, 50, null],
  name: ['one', 'two', 'default', 'hooks', '-'],
  offset: [0, 1, 1.5],
  operation: ['createUser', 'listFaults'],
  outcome: ['refused', 'delivered'],
  paytrie_email: EMAILS,
  phone: ['4165550199', '+14165550199', '416'],
  postal: ['M5V 3L9', 'm5v3l9'],
  postalCode: ['M5V 3L9', 'D1A 1A1'],
  province: ['ON', 'qc', 'AB', 'XX'],
  quoteId: [...many('$quote', 8), 100_001, 1],
  ref: ['$tx', '$alice'],
  rightSideLabel: [...many('USDC-ETH', 8), 'USDC-SOL', 'CADC', 'CAD'],
  seed: ['a', 'b'],
  shareToken: ['$share', 'expired', '_act-x-jwt-e30.e30.'],
  share_token: ['$share', 'not-found'],
  status: ['verified', 'rejected', 'complete', 'cancelled', 'on hold'],
  timeout: ['0', '1ms', 0, 'x', '61s'],
  to: ['2026-07-01T12:00:01Z', '2026-07-03T00:00:00Z', '2020-01-01T00:00:00Z'],
  token: ['$kyc', 'x'],
  transactionCompleteUrl: [CLOSED, ''],
  transactionInitiatedUrl: [CLOSED, 'ftp://x'],
  transactionStatusUpdateUrl: [CLOSED],
  txId: ['$tx', '$tx', '$tx', '$foreignTx', 'x'],
  tx_id: ['$tx', '$tx', '$foreignTx', 'x'],
  url: [CLOSED, CLOSED, 'http://169.254.169.254/', 'ftp://x', 'https://10.0.0.1/'],
  user: ['$alice', '$carol', 'bob@example.com', 'x'],
  userId: ['$alice', '$alice', '$bob', '$carol', 'x'],
  verifiedEmailUrl: [CLOSED],
  wallet: [...many(EVM_WALLET, 8), SOLANA_WALLET, '0x', ''],
  webhookUrl: [CLOSED],
}
