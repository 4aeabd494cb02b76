import { LABELS } from '../world/coins.ts'
import { CONSTANTS } from '../world/settings/constants.ts'
import { ERRORS, type ErrorCode, errorsOn, isGeneral, isRefused } from '../world/settings/errors.ts'
import { type Settings, settingOf } from '../world/settings/index.ts'
import { namesIn } from '../world/settings/setting.ts'
import { LEGACY_HOOKS } from '../world/state.ts'
import { EVENT_TYPES, USER_STATUSES } from '../world/words.ts'
import type { OperationDescription } from './operation-description.ts'

/** Something that an integration can meet. */
export interface Situation {
  /** Stable, such as `expired-sell`, `createTransaction/not-verified` or `wrong-code`. */
  id: string
  /** Name of the situation, in a few words. */
  text: string
  /** A command of `ramp-sandbox` that makes it happen, or what to do. */
  how: string
}

type Words = readonly [text: string, how: string]

const MOVES: Readonly<Record<string, Words>> = {
  created: ['is created', 'send POST /v2/transactions'],
  processing: ['receives its funds', 'tx ID funds-received'],
  complete: ['is complete', 'tx ID settled --through'],
  expired: ['expires', 'tx ID expired'],
  cancelled: ['is cancelled', 'tx ID cancelled'],
  largest: [
    'for the largest amount',
    'place an order for the largest amount accepted (limits.maximum)',
  ],
  smallest: [
    'for the smallest amount',
    'place an order for the smallest amount accepted (limits.minimum)',
  ],
}

const BECAME: Readonly<Record<string, Words>> = {
  delivered: ['is acknowledged with 2xx', 'webhook set URL'],
  again: ['arrives a second time', 'fault add webhook --duplicate'],
  refused: ['fails, and is not retried', 'respond with 500, or stop your receiver'],
  timeout: ['gets no response in time', 'make your receiver respond later than webhooks.timeout'],
  unset: [
    'is not sent, because no webhook URL is configured',
    'webhook set none, then make the event happen',
  ],
}

/** Failures in between that concern money. */
const ACCIDENTS: Readonly<Record<string, Words>> = {
  'response-lost': [
    'A response is lost after the call ran',
    'fault add api --operation createTransaction --connection lost',
  ],
  'two-orders-at-once': [
    'Two orders are placed at the same time',
    'send two POST /v2/transactions without waiting for the first',
  ],
  'limit-left-behind': [
    'An order succeeds once a 24-hour limit no longer applies',
    'get the error limit-cancelled, then: clock advance 25h',
  ],
  'rotated-secret': [
    'A webhook reports on an order that is older than the signing secret',
    'rotate the secret while an order is open, then: tx ID settled --through',
  ],
  'response-503': ['The service responds with 503 or another 5xx', 'fault add api --status 503'],
  'response-429': ['The service responds with 429', 'fault add api --status 429'],
  'late-kyc-link': ['A KYC link is opened after it has expired', 'clock advance 31m'],
  'late-login-code': ['A login code is used after it has expired', 'clock advance 11m'],
}

/** What leads to an error: a command, or what to send. */
const CAUSES: Readonly<Record<string, string>> = {
  'expired-token': 'clock advance 61m',
  'quote-expired': 'clock advance 31m',
  'not-verified': 'user kyc USER rejected',
  'unverified-login': 'user kyc USER rejected',
  'limit-active': 'settings limits.active=1',
  'limit-cancelled': 'settings limits.cancelled=1',
  'not-cancellable': 'tx ID funds-received',
  'too-many-requests': 'settings requests.perMinute=1',
  'v1-shut-down': 'settings v1.sunset=contract',
  'invalid-share-token': 'user share-token EMAIL expired',
  'missing-key': 'send no API key',
  'unknown-key': 'send an API key that does not exist',
  'missing-token': 'send no access token',
  'invalid-token': 'send a malformed access token',
  'other-user': 'send the access token of another user',
  'user-not-found': 'send a user id that does not exist',
  'malformed-json': 'send a body that is not a JSON object',
  'invalid-body': 'leave out a required field',
  'body-too-large': 'send a body of more than 1 MiB',
  'unsupported-media-type': 'send a body as text/plain',
  'invalid-query': 'leave out a required parameter',
  'unknown-user': 'send an e-mail address that is not registered',
  'wrong-code': 'send a wrong login code',
  'duplicate-user': 'register an e-mail address twice',
  'unknown-quote': 'send a quoteId that does not exist',
  'quote-labels': 'send labels that differ from those of the quote',
  'limit-minimum': 'order for less than limits.minimum',
  'limit-maximum': 'order for more than limits.maximum',
  'page-too-large': 'send a limit above the maximum',
  'unknown-transaction': 'send a transaction id that does not exist',
  'invalid-url': 'send an http:// URL of another machine',
  'too-many-decimals': 'send an amount with more than two decimals in CAD',
  'quote-spent': 'use a quote twice',
  'quote-amount': 'send an amount that differs from that of the quote',
  'unknown-field': 'send a field that the contract does not name',
  'revoked-token': 'user kyc USER rejected',
  'verified-field': 'change the name of a verified user',
  'already-verified': 'ask for the KYC link of a verified user',
  'unknown-email': 'send an e-mail address that is not registered',
  'no-webhook-configuration': 'send it before webhooks are configured',
  'no-webhook-to-test': 'send it before webhooks are configured',
  'no-signing-secret': 'send it before webhooks are configured',
}

const MONEY = ['Transactions', 'Quotes and limits']

/** Every situation that can occur under these settings, most important first. */
export function listSituations(
  operations: readonly OperationDescription[],
  settings: Settings,
): Situation[] {
  const contract = operations.filter(({ dialect }) => dialect.isContract)
  const isLegacy = ({ contract: row }: OperationDescription) => row?.area === 'Legacy v1'
  const isMoney = ({ contract: row }: OperationDescription) => MONEY.includes(row?.area ?? '')
  const v2 = contract.filter((operation) => !isLegacy(operation))
  const describe = (some: readonly OperationDescription[]) =>
    some.flatMap((operation) => describeOperation(operation, settings))
  return [
    ...describeOrders(),
    ...EVENT_TYPES.flatMap(describeWebhook),
    ...USER_STATUSES.filter((status) => status !== 'initial').map((status) =>
      toSituation(`kyc-${status}`, [
        `A user’s status becomes ${status}`,
        `user kyc USER ${status}`,
      ]),
    ),
    toSituation('kyc-lost', ['A user is no longer verified', 'user kyc USER rejected']),
    ...Object.entries(ACCIDENTS).map(([id, words]) => toSituation(id, words)),
    ...describe(v2.filter(isMoney)),
    ...describeNetworks(settings),
    ...describe(v2.filter((operation) => !isMoney(operation))),
    ...describeGeneralErrors(contract, settings),
    ...describe(contract.filter(isLegacy)),
    ...LEGACY_HOOKS.flatMap(describeWebhook),
  ]
}

const toSituation = (id: string, [text, how]: Words): Situation => ({ id, text, how })

const describeOrders = () =>
  Object.entries(MOVES).flatMap(([move, [text, how]]) =>
    ['buy', 'sell'].map((side) => toSituation(`${move}-${side}`, [`A ${side} ${text}`, how])),
  )

const describeWebhook = (webhook: string) =>
  Object.entries(BECAME).map(([became, [text, how]]) =>
    toSituation(`webhook/${webhook}/${became}`, [`${webhook} ${text}`, how]),
  )

function describeNetworks(settings: Settings): Situation[] {
  const labels = [...namesIn(settings['quotes.labels']), CONSTANTS['quotes.bareLabels'].value]
  const chains = labels.map((label) => label.split('-').at(-1) ?? '')
  const networks = new Set(chains.filter((chain) => !LABELS.includes(chain)))
  return [...networks].map((network) =>
    toSituation(`network-${network}`, [
      `An order on ${network}`,
      `order with the label USDC-${network}`,
    ]),
  )
}

/** An operation that succeeds, and each error of its own. */
function describeOperation(operation: OperationDescription, settings: Settings): Situation[] {
  const { id, method, path } = operation
  const errors = errorsOn(id).filter((code) => !isGeneral(code) && canOccur(code, settings))
  return [
    toSituation(id, [`${method} ${path} succeeds`, `send ${method} ${path}`]),
    ...errors.map((code) =>
      toSituation(`${id}/${code}`, [`${method} ${path}: ${code}`, causeOf(code)]),
    ),
  ]
}

/** An error that many operations have counts once, for whichever call meets it. */
function describeGeneralErrors(
  contract: readonly OperationDescription[],
  settings: Settings,
): Situation[] {
  const codes = new Set(contract.flatMap(({ id }) => errorsOn(id)).filter(isGeneral))
  return [...codes]
    .filter((code) => canOccur(code, settings))
    .map((code) => toSituation(code, [`Any call: ${code}`, causeOf(code)]))
}

const causeOf = (code: ErrorCode) => CAUSES[code] ?? ERRORS[code].says.replace(/\.$/, '')

/** Returns true for an error that the settings make possible. */
function canOccur(code: ErrorCode, settings: Settings): boolean {
  const { needs } = ERRORS[code]
  if (code === 'v1-shut-down' && settings['v1.sunset'] === 'extended') return false
  if (needs !== undefined && settings[needs] === settingOf(needs).default) return false
  return isRefused(settings, code)
}

/** Returns true if a situation is among those that were met. */
export const isMet = (id: string, met: Iterable<string>): boolean => {
  for (const each of met) if (each === id || each.endsWith(`/${id}`)) return true
  return false
}

const LEGACY_ID = new RegExp(`^v1|^webhook/(${LEGACY_HOOKS.join('|')})/`)

/** Situations that no call has met; those of v1 only for a client that calls it. */
export function listNeverMet(all: readonly Situation[], met: ReadonlySet<string>): Situation[] {
  const usesV1 = [...met].some((id) => id.startsWith('v1'))
  return all.filter(({ id }) => !isMet(id, met) && (usesV1 || !LEGACY_ID.test(id)))
}
