import { KYB_PURPOSES, SOURCES_OF_FUNDS } from '../world/kyb.ts'
import { USER_STATUSES } from '../world/state.ts'
import { isFieldName, type Kind } from './fields.ts'

/** Words of the contract: they say nothing about a person, so they stay. */
const WORDS: ReadonlySet<string> = new Set([
  ...USER_STATUSES,
  ...KYB_PURPOSES,
  ...SOURCES_OF_FUNDS,
  'pending request money transfer',
  'processing request money transfer',
  'complete',
  'cancelled',
  'canceled',
  'expired',
  'sending CAD',
  'sending USDC',
  'sending CADC',
  'success',
  'error',
  'Bearer',
  'jwt',
  'apiKey',
  'v2',
  'user.update',
  'transaction.update',
  'etransfer',
])
const NETWORK = /^(eth|poly|arb|op|base|avax|bsc|celo|sol|sx) network$/

export const isWord = (text: string): boolean => WORDS.has(text) || NETWORK.test(text)

/** Sentences that the contract's documentation prints for a success. */
const MESSAGES: ReadonlySet<string> = new Set([
  'Login code sent to user',
  'Email code validated',
  'API user created',
  'User found',
  'User imported successfully',
  'New transaction created',
  'KYB submitted',
])

const LABEL = /^(CAD|(USDC|CADC)(-(ETH|POLY|ARB|OP|BASE|AVAX|BSC|CELO|SOL|SX))?)$/i
export const isLabel = (text: string): boolean => LABEL.test(text)

/** What errors name besides fields of a body. */
const PLACES: ReadonlySet<string> = new Set([
  'apiKey',
  'authorization',
  'body',
  'content-type',
  'kyc',
  'method',
  'path',
  'query',
  'requests',
  'transaction',
  'transactions',
  'user',
  'x-api-key',
])

/** The path of a field, as errors name it: `corporation_base64_url.0.name`. */
const isFieldPath = (text: string): boolean =>
  text
    .split(/[.[\]]+/)
    .every((part) => isFieldName(part) || PLACES.has(part) || /^\d{0,3}$/.test(part))

const MEDIA_TYPE = /^(application\/(pdf|json)|image\/(png|jpe?g|webp|heic)|text\/(plain|html))$/i
/** Enough digits for money, too few for what identifies a person. */
const NUMBER = /^(NaN|-?\d{1,7}(\.\d{0,8}0*)?(e-?\d{1,3})?)$/i
const COUNT = /^-?\d{1,9}(\.\d{1,3})?$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/

const PUBLIC: Readonly<Partial<Record<Kind, (text: string) => boolean>>> = {
  amount: (text) => NUMBER.test(text),
  count: (text) => NUMBER.test(text) || COUNT.test(text),
  field: isFieldPath,
  instant: (text) => INSTANT.test(text),
  label: isLabel,
  mediaType: (text) => MEDIA_TYPE.test(text),
  message: (text) => MESSAGES.has(text),
  switch: (text) => text === 'true' || text === 'false',
  word: isWord,
}

/** Whether a value says nothing of anybody and decides how a call is answered. */
export const isPublic = (kind: Kind | undefined, text: string): boolean =>
  kind !== undefined && PUBLIC[kind]?.(text) === true
