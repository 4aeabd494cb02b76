/** The provider's own numbers and names, which `choices.json` lists; a test may override each. */
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

export const TERMS = {
  rates: { USDC: 1.3725, CADC: 1 },
  labels: ['USDC', 'CADC', 'USDC-ETH', 'USDC-POLY', 'USDC-SOL', 'USDC-BASE', 'CADC-POLY'],
  bareChain: 'POLY',
  feeRate: 0.01,
  feeMin: 0.75,
  spread: 0.0025,
  gas: { ETH: 1.5, SOL: 0, POLY: 0.2, BASE: 0.2 },
  quoteMax: 10_000_000,
  quoteTtlMs: 10 * MINUTE,

  userRequired: ['email', 'firstName', 'lastName', 'dob'],
  initialStatus: 'active',
  ageMin: 19,
  olderAge: 65,

  codeTtlMs: 5 * MINUTE,
  codeAttemptsMax: 3,
  tokenTtlMs: HOUR,
  kycLinkTtlMs: 24 * HOUR,

  transactionRequired: ['leftSideValue', 'wallet', 'quoteId'],
  cadMin: 10,
  cadMax: 7_500,
  selfServeMin: 50,
  externalSessionIdMax: 64,
  cancelledStatus: 'canceled',
  listLimit: 10,
  listLimitMax: 50,
  /** Whether an id in a path that is none is a malformed field. */
  checksIds: false,

  headerPrefix: 'X-Harbour',
  securityAnswerField: 'bankTransferSecurityAnswer',
  webhookTimeoutMs: 3 * SECOND,
  requestsPerMinuteMax: 600,
  v1Until: '2027-06-30T00:00:00Z',
}
