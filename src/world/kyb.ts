import { DomainError, type Problem } from './domain-error.ts'
import { formatInstant, isRealDate } from './duration.ts'
import { findBirthProblems, isEmail, TEXT_LENGTH_MAX } from './profile.ts'
import { uuid } from './random.ts'
import { isRefused } from './settings/errors.ts'
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

/** The fields that a rule is about; a submission has all that the contract names. */
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
  const problems = findKybProblems(world, request)
  if (problems.length > 0) throw DomainError.ofMany(problems)
  assertAccount(world, integrator, request)
  assertFirstSubmission(world, integrator, request)
  const { name } = integrator
  const ordinal = world.kybSubmissions.filter((row) => row.integrator === name).length + 1
  const submission: KybSubmission = {
    id: uuid(world.random('kyb-submission', name, ordinal)),
    integrator: name,
    at: world.now,
    submission: {
      ...request,
      corporation_base64_url: request.corporation_base64_url.map((sent) =>
        keepDocument(sent, digest),
      ),
      incorpCertData: request.incorpCertData.map((sent) => keepCertificate(sent, digest)),
    },
  }
  world.insert('kybSubmissions', submission)
  return submission
}

function assertAccount(
  world: World,
  integrator: Integrator,
  { paytrie_email: email }: KybRequest,
): void {
  if (!isRefused(world.settings, 'unknown-account')) return
  if (findUsersByEmail(world, integrator, email).length > 0) return
  const message = 'paytrie_email must be the e-mail address of a registered user.'
  throw new DomainError('unknown-account', message)
}

function assertFirstSubmission(world: World, { name }: Integrator, request: KybRequest): void {
  if (!isRefused(world.settings, 'duplicate-business')) return
  const { corporation_number: number } = request
  const isKnown = world.kybSubmissions.some(
    ({ integrator, submission }) => integrator === name && submission.corporation_number === number,
  )
  if (!isKnown) return
  const message = `The corporation ${number} was submitted already.`
  throw new DomainError('duplicate-business', message)
}

/** Everything that is wrong with the values, under the path of each. */
function findKybProblems(world: World, request: KybRequest): Problem[] {
  return [
    ...findBirthProblems(world, request.authorized_user_data.dob, 'authorized_user_data.dob'),
    ...findTextProblems(world, request),
    ...findDateProblems(world, request),
    ...request.corporation_base64_url.flatMap(({ type, url }, i) =>
      findDocumentProblems(`corporation_base64_url.${i}`, type, url),
    ),
    ...request.incorpCertData.flatMap((text, i) =>
      findCertificateProblems(`incorpCertData.${i}`, text),
    ),
  ]
}

/** A business and the person who acts for it may have a phone and an address in any country. */
function findTextProblems({ settings }: World, request: KybRequest): Problem[] {
  // Not every business has someone who owns a quarter of it.
  const mayBeEmpty = settings['kyb.quarterOwners'] === 'may-be-empty' && !request.is_quarter_owner
  const problems = textsIn(request).flatMap(([field, text]) => {
    if (text === '' && mayBeEmpty && field.startsWith('list_of_quarter_owners.')) return []
    return findTextProblem(field, text, SHORT.test(field) ? TEXT_LENGTH_MAX : LIST_LENGTH_MAX)
  })
  for (const field of ['corporation_email', 'paytrie_email'] as const) {
    if (!isEmail(request[field])) {
      problems.push({ field, message: `${field} must be an e-mail address.` })
    }
  }
  if (!/^\d{1,30}$/.test(request.corporation_number)) {
    const field = 'corporation_number'
    problems.push({ field, message: `${field} must be 1 to 30 digits and nothing else.` })
  }
  return problems
}

/** Texts with a form of their own. */
const FORMED = [
  ...['dob', 'date_of_incorp', 'corporation_email', 'paytrie_email', 'corporation_number'],
  ...['incorpCertData', 'type', 'url'],
]
const SHORT = /^(authorized_user_data|corporation_address|corporate_phone)\b/

function textsIn(value: object, path = ''): [field: string, text: string][] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    if (FORMED.includes(name)) return []
    if (typeof part === 'string') return [[`${path}${name}`, part] as [string, string]]
    return typeof part === 'object' && part ? textsIn(part, `${path}${name}.`) : []
  })
}

function findTextProblem(field: string, text: string, lengthMax: number): Problem[] {
  if (text.trim() === '') return [{ field, message: `${field} must not be empty.` }]
  if (text.length <= lengthMax) return []
  return [{ field, message: `${field} may have at most ${lengthMax} characters.` }]
}

/** Some texts hold one entry for each of several people. */
const LIST_LENGTH_MAX = TEXT_LENGTH_MAX * 10

function findDateProblems({ now }: World, { date_of_incorp: date }: KybRequest): Problem[] {
  const field = 'date_of_incorp'
  if (!isRealDate(date)) {
    return [{ field, message: `${field} must be a date that exists, as YYYY-MM-DD.` }]
  }
  if (date <= formatInstant(now).slice(0, 10)) return []
  return [{ field, message: `${field} must not lie ahead of the date of the world.` }]
}

/** Record of a document: enough to recognise it, so that the state stays small. */
interface KybDocument {
  name: string | null
  type: string | null
  /** In bytes. */
  size: number
  sha256: string
}

/** Hashes decoded base64. It is passed in, because world/ has no hash of its own. */
type Digest = (base64: string) => string

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)(;[\w.-]+=[^;,]*)*;base64,/i
const DATA_URI_HELP = 'a data URI in base64 such as data:application/pdf;base64,JVBERi0…'
/** Longer than any head of a data URI. */
const DATA_URI_HEAD_MAX = 300

/** Finds the mistake in a document. It names its media type twice: beside its URI and in it. */
function findDocumentProblems(path: string, type: string, url: string): Problem[] {
  const content = parseDataUri(url)
  if (content && normalizeType(type) !== normalizeType(content.type)) {
    const message = `${path}.type is ${type}, but its data URI says ${content.type}.`
    return [{ field: `${path}.type`, message }]
  }
  return findUriProblems(`${path}.url`, url)
}

const normalizeType = (type: string) => type.toLowerCase().replace('image/jpg', 'image/jpeg')

/** A certificate is a data URI, bare base64, or a short text such as a reference. */
function findCertificateProblems(field: string, text: string): Problem[] {
  if (/^data:/i.test(text)) return findUriProblems(field, text)
  if (text.trim() === '') return [{ field, message: `${field} must not be empty.` }]
  if (text.length <= TEXT_LENGTH_MAX || isBase64(text)) return []
  const message = `${field} must be ${DATA_URI_HELP}, base64, or at most ${TEXT_LENGTH_MAX} characters.`
  return [{ field, message }]
}

/** The form only: any content will do for a document. */
function findUriProblems(field: string, text: string): Problem[] {
  const content = parseDataUri(text)
  if (!content) return [{ field, message: `${field} must be ${DATA_URI_HELP}.` }]
  const { base64 } = content
  if (base64 === '') return [{ field, message: `${field} holds an empty document.` }]
  if (isBase64(base64)) return []
  return [{ field, message: `${field} holds text that is not base64, with its padding.` }]
}

function keepDocument({ name, url }: { name: string; url: string }, digest: Digest): KybDocument {
  const { type, base64 } = parseDataUri(url) ?? { type: null, base64: '' }
  return { name, type, size: sizeOf(base64), sha256: digest(base64) }
}

/** Short texts are kept as they are. */
function keepCertificate(text: string, digest: Digest): KybDocument | string {
  const content = parseDataUri(text)
  if (content === undefined && text.length <= TEXT_LENGTH_MAX) return text
  const { type, base64 } = content ?? { type: null, base64: text }
  return { name: null, type, size: sizeOf(base64), sha256: digest(base64) }
}

function parseDataUri(text: string): { type: string; base64: string } | undefined {
  // A copy: the type is kept, and a part of the text would keep all of it in memory.
  const [head, type] = DATA_URI.exec(shorten(text, DATA_URI_HEAD_MAX, '')) ?? []
  if (head === undefined || type === undefined) return undefined
  return { type, base64: text.slice(head.length) }
}

/** Looks for a wrong character: a pattern for all of it would backtrack over megabytes. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''))
}

const sizeOf = (base64: string) => Buffer.byteLength(base64, 'base64')
