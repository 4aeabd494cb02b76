/** Thrown where a request is refused; the transport words it for v2 or v1. */
export class Refusal extends Error {
  constructor(status, code, field, message, headers = {}) {
    super(message)
    Object.assign(this, { status, headers, problems: [{ field, message, code }] })
  }
}

const PROVINCES = 'ab bc mb nb nl ns nt nu on pe qc sk yt'.split(' ')
const KYB_PURPOSES =
  'defi_transactions merchant_transactions payments payroll trading_investments treasury_management'
const KYB_SOURCES = 'business_revenue grants investments_treasury loans_financing'

const is = (kind, test) => ({ kind, test })
const matching = (kind, form) => is(kind, (value) => typeof value === 'string' && form.test(value))
const text = is('a text', (value) => typeof value === 'string' && /\S/.test(value))
const anyText = is('a text', (value) => typeof value === 'string')
const bool = is('true or false', (value) => typeof value === 'boolean')
const email = matching('an e-mail address', /^[^@\s]+@[^@\s]+\.[^@\s]+$/)
const code = matching('a text of four digits', /^\d{4}$/)
const date = is('a date YYYY-MM-DD', (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const parsed = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value)
})
const phone = matching('ten digits, or +1 and ten digits', /^(\+1)?\d{10}$/)
const province = is('the code of a province', (value) =>
  PROVINCES.includes(String(value).toLowerCase()),
)
const positive = is('a number above zero', (value) => Number.isFinite(value) && value > 0)
const integer = is('a whole number', (value) => Number.isInteger(value))
const oneOf = (words) => is(`one of ${words}`, (value) => words.split(' ').includes(value))
const optional = (check) => is(check.kind, (value) => value === '' || check.test(value))
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object whose fields are all given, as the checks say. */
const group = (names, other = {}) => ({
  ...is('an object', isObject),
  fields: { ...Object.fromEntries(names.split(' ').map((name) => [name, text])), ...other },
})

const PROFILE = { firstName: text, lastName: text, dob: date, addressLine1: text, city: text }
Object.assign(PROFILE, { addressLine2: anyText, province, postalCode: text, occupation: text })
Object.assign(PROFILE, { pep: bool, tpd: bool })

const OLDER =
  'sourceOfFunds intendedUseOfUSDC walletProvider walletAddress howDidYouHear whoReferredYou previousCryptoExperience'

export const BODIES = {
  createUser: { email, ...PROFILE, phone },
  updateUser: {
    ...PROFILE,
    purpose: text,
    olderUserInfo: { ...group(OLDER), partial: true },
  },
  importKyc: { share_token: text },
  sendCode: { email },
  verifyCode: { email, code },
  createTransaction: {
    ...{ leftSideLabel: text, leftSideValue: positive, rightSideLabel: text },
    ...{ wallet: text, quoteId: integer, externalSessionId: text },
  },
  putWebhook: { url: text },
  v1CreateUser: {
    ...{ email, first_name: text, last_name: text, dob: date, phone, address1: text },
    ...{ address2: anyText, city: text, province, postal: text, occupation: text },
    ...{ pep: is('true or false', isFlag), tpd: is('true or false', isFlag) },
  },
  kyb: {
    authorized_user_data: group('address1 city firstName lastName occupation postal', {
      dob: date,
      province,
    }),
    business_nature: text,
    corporate_phone: text,
    corporation_address: group('address1 city postal', { province }),
    corporation_base64_url: is('a list of documents', isDocuments),
    corporation_email: email,
    corporation_name: text,
    corporation_number: matching('digits', /^\d+$/),
    date_of_incorp: date,
    incorpCertData: is(
      'a list of texts',
      (value) => Array.isArray(value) && value.every(anyText.test),
    ),
    is_pep: bool,
    is_quarter_owner: bool,
    list_of_directors: group('directorEmails directorNames directorOccupations directorsDOB'),
    list_of_quarter_owners: group(
      'quarterOwners quarterOwnersDOB quarterOwnersEmail quarterOwnersOccupation',
    ),
    msb_reg: bool,
    paytrie_email: email,
    purpose: oneOf(KYB_PURPOSES),
    source_of_funds: oneOf(KYB_SOURCES),
    tpd: bool,
  },
}
BODIES.createUser.addressLine2 = optional(text)

function isFlag(value) {
  return typeof value === 'boolean' || value === 'true' || value === 'false'
}

function isDocuments(value) {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (row) =>
        isObject(row) &&
        text.test(row.name) &&
        text.test(row.type) &&
        /^data:[^,]+;base64,/.test(row.url),
    )
  )
}

/** Problems of a body: unknown fields first, then all missing ones, then all malformed ones. */
export function checkBody(body, fields, { required, path = '', ignoreUnknown = false }) {
  const at = (name) => path + name
  const problem = (code) => (name, message) => ({ field: at(name), message, code })
  const unknown = ignoreUnknown
    ? []
    : Object.keys(body).filter((name) => !Object.hasOwn(fields, name))
  if (unknown.length > 0) {
    return unknown.map((name) => problem('unknown_field')(name, 'This field is not known.'))
  }
  const missing = required.filter((name) => !Object.hasOwn(body, name))
  if (missing.length > 0) {
    return missing.map((name) => problem('missing_field')(name, 'This field is needed.'))
  }
  return Object.keys(fields).flatMap((name) => {
    if (!Object.hasOwn(body, name)) return []
    const field = fields[name]
    if (!field.test(body[name])) return [problem('bad_field')(name, `This must be ${field.kind}.`)]
    if (!field.fields) return []
    const inner = field.partial ? [] : Object.keys(field.fields)
    return checkBody(body[name], field.fields, {
      required: inner,
      path: `${at(name)}.`,
      ignoreUnknown,
    })
  })
}

/** Whole years between a date of birth and an instant. */
export function ageOf(dob, now) {
  const [birth, today] = [new Date(`${dob}T00:00:00Z`), new Date(now)]
  const years = today.getUTCFullYear() - birth.getUTCFullYear()
  const birthday = Date.UTC(today.getUTCFullYear(), birth.getUTCMonth(), birth.getUTCDate())
  return today.getTime() < birthday ? years - 1 : years
}
