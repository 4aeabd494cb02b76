import type { Problem } from '../../world/domain-error.ts'
import { type Asked, querySent, type Repair } from './asked.ts'

const KEY_NAMES = ['api-key', 'apikey', 'x-apikey', 'api_key', 'x-api-token', 'key']
const TOKEN_NAMES = ['x-access-token', 'access-token', 'access_token', 'accesstoken', 'token']
const JWT = /^[\w-]{10,}\.[\w-]{10,}\.[\w-]+$/
const SEND_TOKEN = 'Authorization: Bearer <ACCESS_TOKEN>'

/** Keys and tokens in the wrong header, in the wrong form, or in the query. */
export function repairCredentials({ field }: Problem, asked: Asked): Repair | undefined {
  if (field === 'x-api-key') return repairKey(asked)
  return field === 'authorization' ? repairToken(asked) : undefined
}

function repairKey(asked: Asked): Repair | undefined {
  const { c } = asked
  const sent = c.req.header('x-api-key')
  if (sent) return repairSentKey(asked, sent)
  const authorization = c.req.header('authorization') ?? ''
  const inAuthorization = toKnownKey(asked, authorization.replace(/^\w+:? +/, ''))
  if (inAuthorization) {
    return {
      hint: 'The API key came in the header Authorization, which is for access tokens.',
      nearest: `x-api-key: ${inAuthorization}`,
    }
  }
  const place = findPlace(asked, KEY_NAMES)
  const key = place && toKnownKey(asked, place.value)
  if (!key) return undefined
  return { hint: `The API key came as ${place.where}.`, nearest: `x-api-key: ${key}` }
}

function repairSentKey(asked: Asked, sent: string): Repair | undefined {
  if (JWT.test(sent.replace(/^Bearer +/i, ''))) {
    return { hint: 'An access token came in x-api-key.', nearest: SEND_TOKEN }
  }
  const known = toKnownKey(asked, sent)
  if (!known) return undefined
  return { hint: 'The key is known without what is around it, in its own case.', nearest: known }
}

/** The API key that was meant: without quotes, blanks and a scheme, and in any case. */
function toKnownKey({ c }: Asked, text: string): string | undefined {
  const bare = unwrap(text.replace(/^(bearer|apikey|token|key)[: ]+/i, ''))
  const keys = [...c.env.services.world.integratorsByKey.keys()]
  return keys.find((key) => key.toLowerCase() === bare.toLowerCase())
}

/** Without blanks and quotes around it; a pattern for the end would try each blank in between. */
function unwrap(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isWrapping(text.charAt(start))) start++
  while (end > start && isWrapping(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

const isWrapping = (character: string) => /["'\s]/.test(character)

function repairToken(asked: Asked): Repair | undefined {
  const sent = asked.c.req.header('authorization')
  if (sent === undefined) {
    const place = findPlace(asked, TOKEN_NAMES)
    if (!place) return undefined
    return { hint: `A token came as ${place.where}.`, nearest: SEND_TOKEN }
  }
  const bare = unwrap(sent.replace(/^(\w+:? +|bearer:?)+/i, ''))
  if (toKnownKey(asked, bare)) {
    return {
      hint: 'An API key came in the header Authorization; it belongs in x-api-key.',
      nearest: SEND_TOKEN,
    }
  }
  const isMisshapen = !/^Bearer [^\s"']+$/i.test(sent) || /^bearer +bearer/i.test(sent)
  if (!isMisshapen || !JWT.test(bare)) return undefined
  return { hint: 'The token stands alone, after Bearer and a blank.', nearest: SEND_TOKEN }
}

/** Another header, or a query parameter, that has one of these names. */
function findPlace(asked: Asked, names: readonly string[]) {
  const query = Object.entries(querySent(asked))
  for (const name of names) {
    const header = asked.c.req.header(name)
    if (header) return { where: `the header ${name}`, value: header }
    const [found, value] =
      query.find(([sent]) => sent.toLowerCase().replace(/^x-/, '') === name) ?? []
    if (found && value) return { where: `the query parameter ${found}`, value }
  }
  return undefined
}
