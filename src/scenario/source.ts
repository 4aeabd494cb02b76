import { inspect } from 'node:util'
import type { Json } from '../client/http.ts'

/** Code that stands where a value would. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  [inspect.custom]() {
    return this.text
  }
}

/** Joins texts and code into one text. */
export function join(parts: readonly (string | Code)[]): string | Code {
  if (!parts.some((part) => part instanceof Code)) return parts.join('')
  const text = parts.map((part) => (part instanceof Code ? `\${${part.text}}` : part)).join('')
  return new Code(`\`${text}\``)
}

/** Writes a value as JavaScript. */
export const toSource = (value: Json): string =>
  inspect(value, { depth: null, breakLength: 96, maxArrayLength: null, maxStringLength: null })

/** Declares constants, each with a name of its own. */
export class Names {
  #taken: Set<string>

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken)
  }

  take(stem: string): Code {
    // `user12` would read as another user than `user1`, so that becomes `user1_2`.
    const base = this.#taken.has(stem) && /\d$/.test(stem) ? `${stem}_` : stem
    let name = stem
    for (let n = 2; this.#taken.has(name); n++) name = base + n
    this.#taken.add(name)
    return new Code(name)
  }
}

const IDS = ['id', 'userId', 'transactionId', 'txId', 'tx_id', 'tx']

/** Fields whose values the service makes, so that they differ from run to run. */
const MADE: ReadonlySet<string> = new Set([
  ...IDS,
  'etransferSecurityAnswer',
  'code',
  'login_code',
  'paymentId',
  'payment_id',
  'eventId',
  'rmtId',
  'rmt',
  'signingSecret',
  'quoteId',
  'gasId',
  'shareToken',
  'share_token',
  'accessToken',
  'token',
  'url',
  'verificationLink',
  'verifiedEmailUrl',
  'transactionInitiatedUrl',
  'transactionCompleteUrl',
  'transactionStatusUpdateUrl',
  'walletAddress',
  'wallet',
  'depositAddress',
])

/** Texts of the service that are the same in every run. */
const WORDS: ReadonlySet<string> = new Set([
  'field',
  'source_of_funds',
  'paymentType',
  'payment_type',
  'tokenType',
  'status',
  'userStatus',
  'accessibleBy',
  'type',
  'apiVersion',
])

export const isId = (field: string): boolean => IDS.includes(field)
export const isMade = (field: string): boolean => MADE.has(field)
/** Recognises what a saved scenario expects: amounts, counts, switches and words. */
export const isExpected = (value: Json, field: string): boolean =>
  !isMade(field) && (typeof value !== 'string' || WORDS.has(field))

export const isObject = (value: Json): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** A body with each of its values replaced. */
export function mapFields(
  value: Json,
  replace: (value: Json, field: string) => Json,
  field = '',
): Json {
  if (Array.isArray(value)) return value.map((part) => mapFields(part, replace, field))
  if (!isObject(value)) return replace(value, field)
  const fields = Object.entries(value).map(([key, part]) => [key, mapFields(part, replace, key)])
  return Object.fromEntries(fields)
}
