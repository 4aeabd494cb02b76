import { Refusal } from './refusals.mjs'

const PROVINCES = 'ab bc mb nb nl ns nt nu on pe qc sk yt'.split(' ')
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
const optional = (check) => is(check.kind, (value) => value === '' || check.test(value))
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object of texts, all of which are needed. */
function group(names, other = {}) {
  const texts = Object.fromEntries(names.split(' ').map((name) => [name, text]))
  const fields = { ...texts, ...other }
  return { ...is('an object', isObject), fields, required: Object.keys(fields) }
}

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
    olderUserInfo: { ...group(OLDER), required: [] },
  },
  importKyc: { share_token: text },
  sendCode: { email },
  verifyCode: { email, code },
  createTransaction: {
    ...{ leftSideLabel: text, leftSideValue: positive, rightSideLabel: text },
    ...{ wallet: text, quoteId: integer, externalSessionId: text },
  },
  putWebhook: { url: text },
}
BODIES.createUser.addressLine2 = optional(text)

/** Refuses unknown fields first, then all that are missing, then all that are malformed. */
export function assertBody(body, shape) {
  const problems = findProblems(body, shape, '')
  if (problems.length > 0) throw Object.assign(new Refusal(problems[0].code), { problems })
}

function findProblems(body, { fields, required }, path) {
  const name = (code) => (field) => new Refusal(code, { field: path + field }).problems[0]
  const unknown = Object.keys(body).filter((field) => !Object.hasOwn(fields, field))
  if (unknown.length > 0) return unknown.map(name('unknown_field'))
  const missing = required.filter((field) => !Object.hasOwn(body, field))
  if (missing.length > 0) return missing.map(name('missing_field'))
  return Object.entries(fields).flatMap(([field, { kind, test, ...inner }]) => {
    if (!Object.hasOwn(body, field)) return []
    const message = `This must be ${kind}.`
    if (!test(body[field])) return [{ ...name('bad_field')(field), message }]
    return inner.fields ? findProblems(body[field], inner, `${path}${field}.`) : []
  })
}

/** Whole years between a date of birth and an instant. */
export function ageOf(dob, now) {
  const [birth, today] = [new Date(`${dob}T00:00:00Z`), new Date(now)]
  const years = today.getUTCFullYear() - birth.getUTCFullYear()
  const birthday = Date.UTC(today.getUTCFullYear(), birth.getUTCMonth(), birth.getUTCDate())
  return today.getTime() < birthday ? years - 1 : years
}
