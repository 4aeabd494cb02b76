import { DomainError, type Problem } from './domain-error.ts'
import { formatInstant, isRealDate } from './duration.ts'
import {
  type Digest,
  findCertificateProblems,
  findDocumentProblems,
  keepCertificate,
  keepDocument,
} from './kyb-documents.ts'
import { findBirthProblems, isEmail, TEXT_LENGTH_MAX } from './profile.ts'
import { uuid } from './random.ts'
import { isRefused } from './settings/errors.ts'
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

/** As the contract spells it (Endpoints: Corporate verification). */
export interface KybRequest {
  authorized_user_data: {
    address1: string
    city: string
    dob: string
    firstName: string
    lastName: string
    occupation: string
    postal: string
    province: string
  }
  business_nature: string
  corporate_phone: string
  corporation_address: { address1: string; city: string; postal: string; province: string }
  corporation_base64_url: { name: string; type: string; url: string }[]
  corporation_email: string
  corporation_name: string
  corporation_number: string
  date_of_incorp: string
  incorpCertData: string[]
  is_pep: boolean
  is_quarter_owner: boolean
  list_of_directors: Record<string, string>
  list_of_quarter_owners: Record<string, string>
  msb_reg: boolean
  paytrie_email: string
  purpose: (typeof KYB_PURPOSES)[number]
  source_of_funds: (typeof SOURCES_OF_FUNDS)[number]
  tpd: boolean
}

/** Of the documents, only what identifies them is stored. */
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
    ...findPersonProblems(world, request),
    ...findTextProblems(world, request),
    ...findDateProblems(world, request),
    ...request.corporation_base64_url.flatMap(({ name, type, url }, i) => [
      ...findTextProblem(`corporation_base64_url.${i}.name`, name),
      ...findDocumentProblems(`corporation_base64_url.${i}`, type, url),
    ]),
    ...request.incorpCertData.flatMap((text, i) =>
      findCertificateProblems(`incorpCertData.${i}`, text),
    ),
  ]
}

/** A business and the person who acts for it may have a phone and an address in any country. */
function findPersonProblems(world: World, request: KybRequest): Problem[] {
  const { dob, ...person } = request.authorized_user_data
  return [
    ...findUnusable('authorized_user_data', person),
    ...findBirthProblems(world, dob, 'authorized_user_data.dob'),
    ...findUnusable('corporation_address', request.corporation_address),
    ...findTextProblem('corporate_phone', request.corporate_phone, TEXT_LENGTH_MAX),
  ]
}

function findUnusable(path: string, texts: object): Problem[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    findTextProblem(`${path}.${name}`, text, TEXT_LENGTH_MAX),
  )
}

function findTextProblems({ settings }: World, request: KybRequest): Problem[] {
  const { business_nature, corporation_name, corporation_number } = request
  const problems = Object.entries({ business_nature, corporation_name }).flatMap(([field, text]) =>
    findTextProblem(field, text),
  )
  for (const [name, text] of Object.entries(request.list_of_directors)) {
    problems.push(...findTextProblem(`list_of_directors.${name}`, text))
  }
  // Not every business has someone who owns a quarter of it.
  const mayBeEmpty = settings['kyb.quarterOwners'] === 'may-be-empty' && !request.is_quarter_owner
  for (const [name, text] of Object.entries(request.list_of_quarter_owners)) {
    if (text === '' && mayBeEmpty) continue
    problems.push(...findTextProblem(`list_of_quarter_owners.${name}`, text))
  }
  for (const field of ['corporation_email', 'paytrie_email'] as const) {
    if (isEmail(request[field])) continue
    problems.push({ field, message: `${field} must be an e-mail address.` })
  }
  if (!/^\d{1,30}$/.test(corporation_number)) {
    const field = 'corporation_number'
    problems.push({ field, message: `${field} must be 1 to 30 digits and nothing else.` })
  }
  return problems
}

function findTextProblem(field: string, text: string, lengthMax = LIST_LENGTH_MAX): Problem[] {
  if (text.trim() === '') return [{ field, message: `${field} must not be empty.` }]
  if (text.length <= lengthMax) return []
  return [{ field, message: `${field} may have at most ${lengthMax} characters.` }]
}

/** Some texts hold one entry for each of several people. */
const LIST_LENGTH_MAX = TEXT_LENGTH_MAX * 10

function findDateProblems({ now }: World, request: KybRequest): Problem[] {
  const { date_of_incorp, list_of_directors, list_of_quarter_owners } = request
  const problems: Problem[] = []
  const field = 'date_of_incorp'
  if (!isRealDate(date_of_incorp)) {
    problems.push({ field, message: `${field} must be a date that exists, as YYYY-MM-DD.` })
  } else if (date_of_incorp > formatInstant(now).slice(0, 10)) {
    problems.push({ field, message: `${field} must not lie ahead of the date of the world.` })
  }
  return [
    ...problems,
    ...findUnreal('list_of_directors.directorsDOB', list_of_directors.directorsDOB),
    ...findUnreal(
      'list_of_quarter_owners.quarterOwnersDOB',
      list_of_quarter_owners.quarterOwnersDOB,
    ),
  ]
}

/** The contract gives these no format; what is written as a date must exist. */
function findUnreal(field: string, text = ''): Problem[] {
  // A text that is too long is reported already, and may hold a million dates.
  if (text.length > LIST_LENGTH_MAX) return []
  const dates = text.match(/\d{4}-\d\d-\d\d/g) ?? []
  return dates
    .filter((date) => !isRealDate(date))
    .map((date) => ({ field, message: `${field} holds ${date}, which is not a date that exists.` }))
}
