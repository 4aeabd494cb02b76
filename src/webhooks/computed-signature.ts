import { createHmac } from 'node:crypto'
import type { Integrator } from '../world/state.ts'

/** A signature that a receiver computed, and its input as far as that is known. */
export interface ComputedRequest {
  computed: string
  secret: string
  /** Text of the timestamp header, in seconds. */
  timestamp: string
  body: string
  signers: readonly Pick<Integrator, 'name' | 'signingSecret' | 'previousSecret'>[]
}

/** One difference between what a receiver computed and what it should have computed. */
export interface ComputedProblem {
  code: `computed-${'secret' | 'message' | 'body' | 'hash' | 'form' | 'unknown'}`
  message: string
  hint: string
}

/** One way of doing a step. The right one has no mistake. */
interface Way<Value> {
  value: Value
  mistake?: string
}

const HINTS = {
  secret: 'Use the secret exactly as the configuration returned it, as text.',
  message: 'Sign <timestamp>.<raw body>, with the text of the timestamp header.',
  body: 'Sign the raw bytes, before anything parses or trims them.',
  hash: 'Use HMAC-SHA256.',
  form: 'Write the digest as v1= and 64 lower-case hex digits.',
} as const
type Step = keyof typeof HINTS

const UNKNOWN: ComputedProblem = {
  code: 'computed-unknown',
  message: 'No usual mistake leads to the signature that your receiver computed.',
  hint: 'Print the bytes that it signs and the secret that it uses, and compare them with these.',
}

const HASHES: readonly Way<string>[] = [
  { value: 'sha256' },
  { value: 'sha1', mistake: 'used SHA-1' },
  { value: 'sha512', mistake: 'used SHA-512' },
]

/** Finds the mistakes that lead to a computed signature; none if it is the right one. */
export function explainComputed(request: ComputedRequest): ComputedProblem[] {
  const given = request.computed.trim()
  for (const { key, body, message, hash } of listTries(request)) {
    const digest = createHmac(hash.value, key.value).update(message.value).digest()
    const form = listForms(digest).find(({ value }) => value === given)
    if (form) return toProblems({ secret: key, body, message, hash, form })
  }
  return [UNKNOWN]
}

function* listTries(request: ComputedRequest) {
  for (const key of listKeys(request)) {
    for (const body of listBodies(request.body)) {
      for (const message of listMessages(request.timestamp, body.value)) {
        for (const hash of HASHES) yield { key, body, message, hash }
      }
    }
  }
}

function toProblems(ways: Record<Step, Way<unknown>>): ComputedProblem[] {
  const steps = Object.keys(ways) as Step[]
  return steps.flatMap((step) => {
    const { mistake } = ways[step]
    if (mistake === undefined) return []
    return [{ code: `computed-${step}`, message: `Your receiver ${mistake}.`, hint: HINTS[step] }]
  })
}

/** Integrators whose secrets are tried. */
export const SIGNERS_MAX = 20

function listKeys({ secret, signers }: ComputedRequest): Way<string | Buffer>[] {
  const bare = secret.replace(/^whsec_/, '')
  const others = signers
    .slice(0, SIGNERS_MAX)
    .flatMap(({ name, signingSecret, previousSecret }) => [
      {
        value: signingSecret ?? secret,
        mistake: `used the secret of ${name}, not the one given here`,
      },
      {
        value: previousSecret ?? secret,
        mistake: `used the secret of ${name} from before the last rotation`,
      },
    ])
  const ways: Way<string | Buffer>[] = [
    { value: secret },
    { value: secret.trim(), mistake: 'used the secret without the white space around it' },
    { value: `${secret}\n`, mistake: 'used the secret with a line break behind it' },
    { value: bare, mistake: 'used the secret without whsec_' },
    { value: Buffer.from(bare, 'base64'), mistake: 'decoded the secret from base64' },
    { value: Buffer.from(bare, 'hex'), mistake: 'decoded the secret from hex' },
    ...others,
  ]
  return ways.filter(({ value, mistake }) => mistake === undefined || value !== secret)
}

function listBodies(body: string): Way<string>[] {
  const json = parseJson(body)
  const ways: Way<string>[] = [
    { value: body },
    { value: body.trimEnd(), mistake: 'trimmed the end of the body' },
    { value: `${body}\n`, mistake: 'added a line break to the body' },
    {
      value: Buffer.from(body).toString('base64'),
      mistake: 'signed the body in base64, as AWS Lambda passes it',
    },
  ]
  if (json !== undefined) {
    ways.push(
      { value: JSON.stringify(json), mistake: 'parsed the body and wrote it again' },
      {
        value: JSON.stringify(json, null, 2),
        mistake: 'parsed the body and wrote it again, indented',
      },
    )
  }
  return ways.filter(({ value, mistake }) => mistake === undefined || value !== body)
}

const listMessages = (timestamp: string, body: string): Way<string>[] => [
  { value: `${timestamp}.${body}` },
  { value: body, mistake: 'signed the body alone, without the timestamp' },
  {
    value: `${timestamp}${body}`,
    mistake: 'signed the timestamp and the body without a dot between them',
  },
  { value: `${timestamp}000.${body}`, mistake: 'signed the timestamp in milliseconds' },
  { value: `${body}.${timestamp}`, mistake: 'signed the body before the timestamp' },
]

function listForms(digest: Buffer): Way<string>[] {
  const hex = digest.toString('hex')
  const base64 = digest.toString('base64')
  return [
    { value: `v1=${hex}` },
    {
      value: hex,
      mistake: 'computed the right digest, without the v1= that is before it in the header',
    },
    { value: hex.toUpperCase(), mistake: 'wrote the digest in upper-case hex' },
    { value: `v1=${hex.toUpperCase()}`, mistake: 'wrote the digest in upper-case hex' },
    { value: base64, mistake: 'wrote the digest in base64' },
    { value: `v1=${base64}`, mistake: 'wrote the digest in base64' },
    { value: digest.toString('base64url'), mistake: 'wrote the digest in base64url' },
  ]
}

/** `undefined` for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
