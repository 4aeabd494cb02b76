import { assertNoProblems, DomainError, type Finding, toProblems } from './domain-error.ts'
import { formatInstant, isRealDate, NO_DATE } from './duration.ts'
import { isEmail } from './profile.ts'
import { findWrongBirth, findWrongText } from './profile-check.ts'
import { unusedUuid } from './random.ts'
import { LENGTHS } from './settings/constants.ts'
import { shorten } from './shorten.ts'
import type { Integrator, KybSubmission } from './state.ts'
import { findUsersByEmail } from './users.ts'
import type { World } from './world.ts'

export const KYB_PURPOSES = [
  'defi_transactions',
  'merchant_transactions',
  'payments',
  'payroll',
  'trading_investments',
  'treasury_management',
] as const
export const SOURCES_OF_FUNDS = [
  'business_revenue',
  'grants',
  'investments_treasury',
  'loans_financing',
] as const

export interface KybRequest {
  authorized_user_data: { dob: string }
  corporation_base64_url: { name: string; type: string; url: string }[]
  corporation_email: string
  corporation_number: string
  date_of_incorp: string
  incorpCertData: string[]
  is_quarter_owner: boolean
  paytrie_email: string
}

/** Submits a KYB; of the documents it stores only what identifies them. */
export function submitKyb(
  world: World,
  integrator: Integrator,
  { request, digest }: { request: KybRequest; digest: Digest },
): KybSubmission {
  assertNoProblems(toProblems(judge(world, request)))
  assertAccount(world, integrator, request)
  assertFirstSubmission(world, integrator, request)
  const { name } = integrator
  const count = world.kybSubmissions.filter((row) => row.integrator === name).length
  const draw = (ordinal: number) => world.random('kyb-submission', name, ordinal)
  const isUsed = (id: string) => world.kybSubmissions.some((row) => row.id === id)
  const submission: KybSubmission = {
    id: unusedUuid(draw, count + 1, isUsed),
    integrator: name,
    at: world.now,
    submission: toSubmission(request, digest),
  }
  world.insert('kybSubmissions', submission)
  return submission
}

function toSubmission(request: KybRequest, digest: Digest): KybSubmission['submission'] {
  const { corporation_base64_url: documents, incorpCertData: certificates } = request
  const kept = {
    corporation_base64_url: documents.map(({ name, url }) => toDocument(name, url, digest)),
    incorpCertData: certificates.map((sent) =>
      isShort(sent) ? sent : toDocument(null, sent, digest),
    ),
  }
  return { ...request, ...kept }
}

function assertAccount(
  world: World,
  integrator: Integrator,
  { paytrie_email: email }: KybRequest,
): void {
  if (findUsersByEmail(world, integrator, email).length > 0) return
  const message = 'paytrie_email must be the e-mail address of a registered user.'
  world.assertAccepted(new DomainError('unknown-account', message))
}

function assertFirstSubmission(world: World, { name }: Integrator, request: KybRequest): void {
  const { corporation_number: number } = request
  const isKnown = world.kybSubmissions.some(
    ({ integrator, submission }) => integrator === name && submission.corporation_number === number,
  )
  if (!isKnown) return
  const message = `The corporation ${number} has already been submitted.`
  world.assertAccepted(new DomainError('duplicate-business', message))
}

function judge(world: World, request: KybRequest): Finding[] {
  const { authorized_user_data: person, corporation_number: number } = request
  return [
    ['authorized_user_data.dob', findWrongBirth(world, person.dob)],
    ...judgeTexts(request),
    ['corporation_email', findWrongEmail(request.corporation_email)],
    ['paytrie_email', findWrongEmail(request.paytrie_email)],
    ['corporation_number', NUMBER.test(number) ? undefined : NO_NUMBER],
    ['date_of_incorp', findWrongDate(world, request.date_of_incorp)],
    ...request.corporation_base64_url.map(({ type, url }, i) =>
      judgeDocument(`corporation_base64_url.${i}`, type, url),
    ),
    ...request.incorpCertData.map((text, i): Finding => {
      return [`incorpCertData.${i}`, findWrongCertificate(text)]
    }),
  ]
}

const NUMBER = new RegExp(`^\\d{1,${LENGTHS.corporation_number.max}}$`)
const NO_NUMBER = `must be 1 to ${LENGTHS.corporation_number.max} digits and nothing else`

const findWrongEmail = (text: string) => (isEmail(text) ? undefined : 'must be an e-mail address')

/** A business and the person who acts for it may have a phone and an address in any country. */
function judgeTexts(request: KybRequest): Finding[] {
  // A business without a quarter owner may leave these fields empty.
  const mayBeEmpty = !request.is_quarter_owner
  return textsIn(request).map(([field, text]) => {
    const isFine = text === '' && mayBeEmpty && field.startsWith('list_of_quarter_owners.')
    const lengthMax = SHORT.test(field) ? LENGTHS.profile.max : LENGTHS.kyb.max
    return [field, isFine ? undefined : findWrongText(text, lengthMax)]
  })
}

/** Texts with a form of their own. */
const FORMED = [
  'dob',
  'date_of_incorp',
  'corporation_email',
  'paytrie_email',
  'corporation_number',
  'incorpCertData',
  'type',
  'url',
]
const SHORT = /^(authorized_user_data|corporation_address|corporate_phone)\b/

function textsIn(value: object, path = ''): [field: string, text: string][] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    if (FORMED.includes(name)) return []
    if (typeof part === 'string') return [[`${path}${name}`, part] as [string, string]]
    return typeof part === 'object' && part ? textsIn(part, `${path}${name}.`) : []
  })
}

function findWrongDate({ now }: World, date: string): string | undefined {
  if (!isRealDate(date)) return NO_DATE
  const isPast = date <= formatInstant(now).slice(0, 10)
  return isPast ? undefined : 'must not be after the world’s date'
}

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)(;[\w.-]+=[^;,]*)*;base64,/i
const DATA_URI_HELP = 'a data URI in base64 such as data:application/pdf;base64,JVBERi0…'
/** Longer than any head of a data URI. */
const DATA_URI_HEAD_MAX = 300

/** Checks a document. Its media type is given twice: in a field, and in the data URI. */
function judgeDocument(path: string, type: string, url: string): Finding {
  const content = parseDataUri(url)
  if (content && normalizeType(type) !== normalizeType(content.type)) {
    return [`${path}.type`, `is ${type}, but its data URI says ${content.type}`]
  }
  return [`${path}.url`, findWrongUri(url)]
}

const normalizeType = (type: string) => type.toLowerCase().replace('image/jpg', 'image/jpeg')

/** A certificate is a data URI, bare base64, or a short text such as a reference. */
function findWrongCertificate(text: string): string | undefined {
  if (/^data:/i.test(text)) return findWrongUri(text)
  if (text.trim() === '') return 'must not be empty'
  if (text.length <= LENGTHS.profile.max || isBase64(text)) return undefined
  return `must be ${DATA_URI_HELP}, bare base64, or a text of at most ${LENGTHS.profile.max} characters`
}

/** Checks the form only; the content may be anything. */
function findWrongUri(text: string): string | undefined {
  const { base64 } = parseDataUri(text) ?? {}
  if (base64 === undefined) return `must be ${DATA_URI_HELP}`
  if (base64 === '') return 'holds an empty document'
  return isBase64(base64) ? undefined : 'is not padded base64'
}

/** Hashes decoded base64. It is passed in, because world/ has no hash of its own. */
type Digest = (base64: string) => string

/** Record of a document: enough to recognise it, so that the state stays small. */
function toDocument(name: string | null, text: string, digest: Digest) {
  const { type, base64 } = parseDataUri(text) ?? { type: null, base64: text }
  return { name, type, size: Buffer.byteLength(base64, 'base64'), sha256: digest(base64) }
}

/** Certificates that are short texts are kept as they are. */
const isShort = (text: string) =>
  text.length <= LENGTHS.profile.max && parseDataUri(text) === undefined

function parseDataUri(text: string): { type: string; base64: string } | undefined {
  // Copies the type, because a slice would keep the whole document in memory.
  const [head, type] = DATA_URI.exec(shorten(text, DATA_URI_HEAD_MAX, '')) ?? []
  if (head === undefined || type === undefined) return undefined
  return { type, base64: text.slice(head.length) }
}

/**
 * Searches for a wrong character, because a pattern for the whole text would backtrack over
 * megabytes.
 */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''))
}
