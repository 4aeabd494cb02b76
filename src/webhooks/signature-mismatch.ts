import { isDeepStrictEqual } from 'node:util'
import { WRONG_SECRET } from './mutation.ts'
import { findRewriting, findSigning, type SearchRequest, type Step } from './signature-search.ts'
import { BODY_ALONE, parseJson, secretsOf } from './signature-ways.ts'

const RAW =
  'Verify the raw bytes, before anything parses them: express.raw() or request.text() in Node, ' +
  'request.get_data() in Flask, request.body in Django, php://input in PHP, io.ReadAll(r.Body) ' +
  'in Go, request.raw_post in Rails.'

/** The codes are public and must not change; the texts may. */
export const MISMATCHES = {
  'signature-wrong': [
    'The signature matches neither this secret nor any other that this world knows.',
    'After a reset, or more than one rotation, use the newest secret.',
  ],
  'signed-body-only': ['The body alone was signed.', 'Sign <timestamp>.<raw body>.'],
  'signed-otherwise': [
    'The webhook was signed in a different way.',
    'Sign <timestamp>.<raw body> with HMAC-SHA256 and the whole secret, as text.',
  ],
  'secret-before-rotation': [
    'The secret is the one from before the last rotation.',
    'Use the secret that the last rotation returned; it is shown only once.',
  ],
  'signed-before-rotation': [
    'The webhook was signed with the secret from before the last rotation.',
    'Accept the previous secret for a while after a rotation.',
  ],
  'secret-padded': ['The secret has white space or quotes around it.', 'Trim it.'],
  'secret-of-other-integrator': [
    'The secret belongs to another integrator.',
    'Each integrator has its own secret, which signs only its events.',
  ],
  'secret-wrong': [
    'The webhook was signed with another secret.',
    'Use the integrator’s current signing secret, or rotate it to get a new one.',
  ],
  'wrong-on-purpose': ['A fault or a resend signed the webhook with a wrong secret.', 'Reject it.'],
  'body-reserialised': ['The body has the same values, but different bytes.', RAW],
  'timestamp-changed': [
    'The timestamp differs from the one that was signed',
    'Pass the header as received: in seconds, not in milliseconds.',
  ],
  'body-changed': ['The body was changed after it was signed.', RAW],
} as const

/** Difference whose detail follows the message of its code. */
export interface Mismatch {
  code: keyof typeof MISMATCHES
  detail?: string
}

/** Finds how a received signature was made, where that is not from this secret and body. */
export function explainMismatch(signature: string, request: SearchRequest): Mismatch[] {
  const { body, signedBody = body, timestamp } = request
  const { found } = findSigning(signature, request)
  if (found === undefined) {
    const changes = explainBody(request, signedBody)
    return timestamp === '' ? changes : [...changes, { code: 'signature-wrong' }]
  }
  const ways = found.mistakes.flatMap(({ step, text }): Mismatch[] => {
    if (text === BODY_ALONE) return [{ code: 'signed-body-only' }]
    if (step === 'secret') return [explainSecret(request, found.secret, text)]
    return step === 'body' ? [] : [otherwise(text)]
  })
  return [...ways, ...explainBody(request, found.body)]
}

const otherwise = (mistake: string): Mismatch => ({
  code: 'signed-otherwise',
  detail: `The signer ${mistake}.`,
})

/** Explains why the receiver's secret differs from the one that signed. */
function explainSecret(
  { secret, signers }: SearchRequest,
  signed: SearchRequest['secret'] | Buffer,
  mistake: string,
): Mismatch {
  if (signed === WRONG_SECRET) return { code: 'wrong-on-purpose' }
  if (secret.trim().replace(/^(["'])(.*)\1$/, '$2') === signed) return { code: 'secret-padded' }
  const known = signers.map(secretsOf)
  if (!known.some((secrets) => secrets.includes(signed))) return otherwise(mistake)
  const own = known.find((secrets) => secrets.includes(secret))
  if (own === undefined) return { code: 'secret-wrong' }
  if (!own.includes(signed)) return { code: 'secret-of-other-integrator' }
  const isOlder = own.indexOf(secret) > 0
  return { code: isOlder ? 'secret-before-rotation' : 'signed-before-rotation' }
}

function explainBody({ body, mistakesMax }: SearchRequest, signed: string): Mismatch[] {
  if (body === signed) return []
  const isSame =
    body.trimEnd() === signed.trimEnd() || isDeepStrictEqual(parseJson(body), parseJson(signed))
  const change = findRewriting(signed, body, mistakesMax)
  const code = isSame ? 'body-reserialised' : 'body-changed'
  return [{ code, ...(change && { detail: `Your receiver ${change}.` }) }]
}

const HINTS: Readonly<Record<Step, string>> = {
  secret: 'Use the secret exactly as the configuration returned it, as text.',
  message: 'Sign <timestamp>.<raw body>, with the text of the timestamp header.',
  body: RAW,
  hash: 'Use HMAC-SHA256, with the secret as its key.',
  form: 'Write the digest as v1= and 64 lower-case hex digits.',
}

/** Difference between what a receiver computed and what it should have computed. */
export interface ComputedProblem {
  code: `computed-${Step | 'unknown'}`
  message: string
  hint: string
}

/** Finds the mistakes that lead to a computed signature; none if it is the right one. */
export function explainComputed(signature: string, request: SearchRequest): ComputedProblem[] {
  const { found, tried } = findSigning(signature, request)
  if (found === undefined) return [unknown(tried)]
  return found.mistakes.map(({ step, text }) => ({
    code: `computed-${step}`,
    message: `Your receiver ${text}.`,
    hint: HINTS[step],
  }))
}

const unknown = (tried: number): ComputedProblem => ({
  code: 'computed-unknown',
  message:
    tried === 0
      ? 'What your receiver computed is not the digest of any common hash.'
      : `No common mistake explains the signature that your receiver computed (${tried} combinations tried).`,
  hint: 'Check that it uses the signing secret, then print the bytes that it signs: they must be <timestamp>.<raw body>.',
})
