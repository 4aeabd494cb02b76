import {
  ALGORITHMS,
  type Bytes,
  DIGESTS,
  ENCODINGS,
  listBodies,
  listFrames,
  listSecrets,
  listTimes,
  parseJson,
  type Signer,
  type Way,
} from './signature-ways.ts'

const STEPS = ['secret', 'body', 'message', 'hash', 'form'] as const
export type Step = (typeof STEPS)[number]

export interface Mistake {
  step: Step
  text: string
}

/** Parts that a signature should have been made from. */
export interface SearchRequest {
  secret: string
  /** Integrators whose secrets may have been used. */
  signers: readonly Signer[]
  /** The body as received. */
  body: string
  /** The body that the sandbox signed, where it is known. */
  signedBody?: string | undefined
  /** Text of the timestamp header. */
  timestamp: string
  /** The present in ms, because some receivers sign their own time. */
  now: number
  /** Most mistakes at once. Default 3. */
  mistakesMax?: number | undefined
}

export interface SearchResult {
  /** Way in which the signature was made; undefined if no combination makes it. */
  found: { secret: Bytes; body: string; mistakes: readonly Mistake[] } | undefined
  /** Combinations that were tried. */
  tried: number
}

const MISTAKES_MAX = 3
/** Bytes that one search hashes, at most. */
const HASHED_MAX = 48 * 1024 * 1024

/**
 * Finds how a signature was made. It tries combinations of a secret, a body, a message and a hash,
 * those with the fewest mistakes first.
 */
export function findSigning(signature: string, request: SearchRequest): SearchResult {
  const forms = readForms(signature)
  const sizes = new Set(forms.map(({ value }) => value.length))
  let tried = 0
  let hashed = 0
  for (const { value, mistakes } of combineAll(request, sizes)) {
    const [[[text, encode], [time, frame]], [secret, [algorithm, digest]]] = value
    const body = encode(text)
    const [before, after] = frame(time)
    hashed += body.length
    if (hashed > HASHED_MAX) break
    tried++
    const made = digest(algorithm.name, secret, [before, body, after])
    const form = forms.find((each) => each.value.equals(made))
    if (form === undefined) continue
    const found = { secret, body: body.toString(), mistakes: sort([...mistakes, ...form.mistakes]) }
    return { found, tried }
  }
  return { found: undefined, tried }
}

function* combineAll(request: SearchRequest, digestSizes: ReadonlySet<number>) {
  const { secret, signers, body, signedBody, timestamp, now } = request
  const { mistakesMax = MISTAKES_MAX } = request
  const { id, eventId = id } = Object(parseJson(body))
  const bodies = toChoices('body', listBodies(body, signedBody))
  const encodings = toChoices('body', ENCODINGS)
  const times = toChoices('message', listTimes(timestamp, now))
  const frames = toChoices('message', listFrames(String(eventId)))
  const secrets = toChoices('secret', listSecrets(secret, signers))
  const algorithms = toChoices('hash', ALGORITHMS).filter(({ value }) =>
    digestSizes.has(value.bytes),
  )
  const digests = toChoices('hash', DIGESTS)
  for (let weight = 0; weight <= mistakesMax; weight++) {
    const messages = combine(
      combine(bodies, encodings, weight),
      combine(times, frames, weight),
      weight,
    )
    const keys = combine(secrets, combine(algorithms, digests, weight), weight)
    // Those that weigh less were tried before.
    yield* combine(messages, keys, weight).filter((each) => each.weight === weight)
  }
}

/** Finds what a receiver did to a body that it got; undefined where it is none of the known ways. */
export function findRewriting(signed: string, body: string, mistakesMax = 2): string | undefined {
  const bodies = toChoices('body', listBodies(signed))
  const ways = combine(bodies, toChoices('body', ENCODINGS), mistakesMax)
  const found = ways.find(({ value: [text, encode] }) => encode(text) === body)
  return found?.mistakes.map(({ text }) => text).join(' and ')
}

const sort = (mistakes: readonly Mistake[]): readonly Mistake[] =>
  STEPS.flatMap((step) => mistakes.filter((mistake) => mistake.step === step))

interface Choice<Value> {
  value: Value
  mistakes: readonly Mistake[]
  weight: number
}

function toChoices<Value>(step: Step, ways: readonly Way<Value>[]): Choice<Value>[] {
  const choices = ways.map(({ value, mistake, weight }) => ({
    value,
    mistakes: mistake === undefined ? [] : [{ step, text: mistake }],
    weight,
  }))
  return choices.sort((a, b) => a.weight - b.weight)
}

/** Pairs choices that together weigh no more than that. Both lists begin with the lightest. */
function combine<A, B>(
  first: readonly Choice<A>[],
  second: readonly Choice<B>[],
  weightMax: number,
): Choice<[A, B]>[] {
  const pairs: Choice<[A, B]>[] = []
  for (const a of first) {
    for (const b of second) {
      const weight = a.weight + b.weight
      if (weight > weightMax) break
      const mistakes = b.mistakes.length > 0 ? [...a.mistakes, ...b.mistakes] : a.mistakes
      pairs.push({ value: [a.value, b.value], mistakes, weight })
    }
  }
  return pairs.sort((a, b) => a.weight - b.weight)
}

const PREFIX = /^(?:t=\d+, *)?(?:(?:v\d|s|signature|sha-?\d+|md5|hmac[\w-]*)[=:,] *)?/i

type Notation = [pattern: RegExp, name: string, read: (text: string) => Buffer]

const RIGHT_FORM = 'wrote the digest'

/** The ways in which receivers write a digest. */
const NOTATIONS: readonly Notation[] = [
  [/^([0-9a-f]{2})+$/, RIGHT_FORM, (text) => Buffer.from(text, 'hex')],
  [/^([0-9A-F]{2})+$/, 'wrote the digest in upper-case hex', (text) => Buffer.from(text, 'hex')],
  [
    /^([0-9a-f]{2}[-:])+[0-9a-f]{2}$/i,
    'wrote the digest with a separator between its bytes',
    (text) => Buffer.from(text.replace(/[-:]/g, ''), 'hex'),
  ],
  [/^[\w+/-]+={0,2}$/, 'wrote the digest in base64', (text) => Buffer.from(text, 'base64')],
  [/^([0-9a-f]{2})+$/, 'hex-encoded the digest twice', (text) => unhex(Buffer.from(text, 'hex'))],
  [
    /^[\w+/-]+={0,2}$/,
    'wrote the digest in hex and then in base64',
    (text) => unhex(Buffer.from(text, 'base64')),
  ],
]

const unhex = (text: Buffer) => Buffer.from(text.toString('latin1'), 'hex')

/** The digests that a signature may stand for. */
function readForms(signature: string): Choice<Buffer>[] {
  const text = signature.trim().replace(/^b?(["'])(.*)\1$/, '$2')
  const [prefix = ''] = PREFIX.exec(text) ?? []
  const written = text.slice(prefix.length)
  const wrong =
    prefix === '' ? ' without v1= before it' : ` with “${prefix}” before it instead of v1=`
  const start = prefix === 'v1=' ? '' : wrong
  return NOTATIONS.filter(([pattern]) => pattern.test(written)).map(([, name, read]) => {
    const isRight = name === RIGHT_FORM && start === ''
    const ways = isRight ? [] : [{ step: 'form' as const, text: name + start }]
    return { value: read(written), mistakes: ways, weight: 0 }
  })
}
