import { Refusal } from './refusal.mjs'

const isText = (value) => typeof value === 'string' && value.trim() !== ''
const isFlag = (value) => typeof value === 'boolean'
const isEmail = (value) => isText(value) && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value)
const isDate = (value) =>
  isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
const isWallet = (value) => isText(value) && /^0x[0-9a-fA-F]{40}$/.test(value)
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

const NAMES = { firstName: isText, lastName: isText, dob: isDate }
const ADDRESS = { addressLine1: isText, city: isText, province: isText, postalCode: isText }
const DECLARED = { occupation: isText, pep: isFlag, tpd: isFlag }
const PROFILE = { ...NAMES, ...ADDRESS, ...DECLARED }

/** The fields of each body in the order in which they are looked at. */
const BODIES = {
  sendCode: { needed: { email: isEmail } },
  verifyCode: { needed: { email: isEmail, code: (value) => /^\d{4}$/.test(value) } },
  createUser: { needed: { email: isEmail, ...PROFILE }, other: { phone: isText } },
  updateUser: { other: { ...PROFILE, purpose: isText, olderUserInfo: isObject } },
  importKyc: { needed: { shareToken: isText } },
  createTransaction: {
    needed: {
      leftSideLabel: isText,
      rightSideLabel: isText,
      wallet: isWallet,
      quoteId: Number.isInteger,
      externalSessionId: isText,
    },
    never: ['ethCost', 'gasId'],
  },
  putWebhook: { needed: { url: URL.canParse } },
}

/** Names the first thing that is wrong, and nothing else; unknown fields are passed over. */
export function assertBody(name, body) {
  if (!isObject(body)) throw new Refusal('not_json')
  const { needed = {}, other = {}, never = [] } = BODIES[name]
  for (const [field, is] of Object.entries(needed)) {
    if (body[field] === undefined) throw new Refusal('missing', `/${field}`)
    if (!is(body[field])) throw new Refusal('malformed', `/${field}`)
  }
  for (const [field, is] of Object.entries(other)) {
    if (body[field] !== undefined && !is(body[field])) throw new Refusal('malformed', `/${field}`)
  }
  const refused = never.find((field) => field in body)
  if (refused) throw new Refusal('not_accepted', `/${refused}`)
}
