import { findError } from '../world/settings/errors.ts'

/** What an integrator loses where a situation goes wrong, the worst first. */
export const AREAS = [
  'Edge cases',
  'Transactions',
  'Webhooks',
  'Time',
  'Money',
  'Orders and quotes',
  'Verification',
  'Users and login',
  'Webhook configuration',
  'v1',
  'Every call',
] as const
export type Area = (typeof AREAS)[number]

export interface Situation {
  id: string
  area: Area
  /** What happens, in a few words. */
  text: string
  /** A command, or a control operation, that makes it happen; or what the client has to do. */
  how: string
}

type Words = Omit<Situation, 'id'>

/** Words of a situation, from its id and the call that it is about. */
export function describeSituation(id: string, call: string | null): Situation {
  if (call !== null) return { id, ...describeCall(id, call) }
  const others = OTHERS[id]
  if (others) return { id, ...others }
  const [first = '', webhook = '', became = ''] = id.split('/')
  if (first === 'webhook') return { id, ...describeWebhook(webhook, became) }
  const [, kind = id, subject = ''] = /^(\w+)-(.*)$/.exec(id) ?? []
  if (kind === 'kyc') {
    const how = `user kyc USER ${subject}`
    return { id, area: 'Verification', text: `A user becomes ${subject}`, how }
  }
  if (kind === 'network') {
    const how = `place an order with USDC-${subject}`
    return { id, area: 'Money', text: `An order on ${subject}`, how }
  }
  return { id, ...describeTransaction(kind, subject) }
}

const OTHERS: Readonly<Record<string, Words>> = {
  'response-lost': {
    area: 'Edge cases',
    text: 'A response is lost after the call was run',
    how: 'fault add api --operation createTransaction --connection lost',
  },
  'two-orders-at-once': {
    area: 'Edge cases',
    text: 'Two orders are placed at the same time',
    how: 'send two POST /v2/transactions without waiting for the first',
  },
  'rotated-secret': {
    area: 'Edge cases',
    text: 'The webhook of an order that is older than the signing secret',
    how: 'rotate the secret while an order is open, then: tx ID settled --through',
  },
  'response-503': {
    area: 'Edge cases',
    text: 'The service responds with 503 or another 5xx',
    how: 'fault add api --status 503',
  },
  'response-429': {
    area: 'Edge cases',
    text: 'The service responds with 429',
    how: 'fault add api --status 429',
  },
  'kyc-lost': {
    area: 'Verification',
    text: 'A user is no longer verified',
    how: 'user kyc USER rejected',
  },
  'late-kyc-link': {
    area: 'Time',
    text: 'A KYC link is opened after it expired',
    how: 'clock advance 31m',
  },
  'late-login-code': {
    area: 'Time',
    text: 'A login code is used after it expired',
    how: 'clock advance 11m',
  },
  'limit-left-behind': {
    area: 'Time',
    text: 'An order succeeds once a limit of 24 hours has passed',
    how: 'clock advance 25h',
  },
}

const MOVES: Readonly<Record<string, { text: string; how: string; area?: Area }>> = {
  created: { text: 'is created', how: 'place it: POST /v2/transactions' },
  processing: { text: 'has its funds, and is processing', how: 'tx ID funds-received' },
  complete: { text: 'is complete', how: 'tx ID settled --through' },
  cancelled: { text: 'is cancelled', how: 'tx ID cancelled' },
  expired: { text: 'expires', how: 'tx ID expired' },
  smallest: { text: 'of the smallest amount', how: 'order the minimum of limits', area: 'Money' },
  largest: { text: 'of the largest amount', how: 'order the maximum of limits', area: 'Money' },
}

function describeTransaction(move: string, side: string): Words {
  const { text = move, how = '', area = 'Transactions' } = MOVES[move] ?? {}
  return { area, text: `A ${side} ${text}`, how }
}

const BECAME: Readonly<Record<string, { text: string; how: string }>> = {
  delivered: { text: 'is handled with 2xx', how: 'webhook set URL' },
  refused: {
    text: 'is refused, and not sent again',
    how: 'respond with 500, or stop your receiver',
  },
  timeout: { text: 'is not answered in time', how: 'do not respond for webhooks.timeout' },
  unset: { text: 'has nowhere to go', how: 'let it happen before webhooks are configured' },
  again: { text: 'arrives a second time', how: 'fault add webhook --duplicate' },
}

function describeWebhook(webhook: string, became: string): Words {
  const { text = became, how = '' } = BECAME[became] ?? {}
  const isV2 = webhook.includes('.')
  return { area: isV2 ? 'Webhooks' : 'v1', text: `${webhook} ${text}`, how }
}

/** Commands that lead to an error of the contract. */
const CAUSES: Readonly<Record<string, string>> = {
  'expired-token': 'clock advance 30d',
  'quote-expired': 'clock advance 31m',
  'not-verified': 'user kyc USER rejected',
  'unverified-login': 'user kyc USER rejected',
  'limit-active': 'settings limits.active=1',
  'limit-cancelled': 'settings limits.cancelled=1',
  'not-cancellable': 'tx ID funds-received',
  'too-many-requests': 'settings requests.perMinute=1',
  'v1-shut-down': 'clock advance 365d',
  'invalid-share-token': 'user share-token EMAIL expired',
}
/** Errors that the passage of time causes. */
const LATE = ['expired-token', 'quote-expired', 'revoked-token']
const ORDERS =
  /^(createTransaction|createQuote|cancelTransaction|getTransaction|listTransactions|getLimits)$/
const SETTINGS_OF_WEBHOOKS = /WebhookConfiguration$|^rotateSigningSecret$/
const OF_EVERY_CALL =
  /^(missing-key|unknown-key|missing-token|invalid-token|other-user|user-not-found|revoked-token|malformed-json|invalid-body|invalid-query|unknown-field|body-too-large|unsupported-media-type|too-many-requests|expired-token|v1-shut-down)$/

function describeCall(id: string, call: string): Words {
  const [operation = '', code] = id.split('/')
  if (code === undefined) {
    return { area: areaOf(operation), text: `${call} succeeds`, how: `call ${call}` }
  }
  const says = findError(code)?.says.replace(/\.$/, '') ?? code
  return {
    area: areaOf(operation, code),
    text: `${call}: ${code}`,
    how: CAUSES[code] ?? says,
  }
}

function areaOf(operation: string, code = ''): Area {
  if (operation.startsWith('v1')) return 'v1'
  const isOrder = ORDERS.test(operation)
  if (isOrder && LATE.includes(code)) return 'Time'
  if (OF_EVERY_CALL.test(code)) return 'Every call'
  if (isOrder) return 'Orders and quotes'
  return SETTINGS_OF_WEBHOOKS.test(operation) ? 'Webhook configuration' : 'Users and login'
}
