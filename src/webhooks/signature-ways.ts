import { createHash, createHmac } from 'node:crypto'
import type { Integrator } from '../world/state.ts'
import { writeInEveryWay } from './json-writers.ts'
import { WRONG_SECRET } from './mutation.ts'

export type Bytes = string | Buffer

/** Way of doing a step of a signature. The right one has no mistake. */
export interface Way<Value> {
  value: Value
  mistake?: string
  /** Number of mistakes that it counts for, because rare ones are combined with fewer others. */
  weight: number
}

const right = <Value>(value: Value): Way<Value> => ({ value, weight: 0 })

const toWays = <Value>(values: Readonly<Record<string, Value>>, weight = 1): Way<Value>[] =>
  Object.entries(values).map(([mistake, value]) => ({ value, mistake, weight }))

export type Signer = Pick<Integrator, 'name' | 'signingSecret' | 'previousSecret'>

/** Integrators whose secrets are tried. */
const SIGNERS_MAX = 20

/** The secrets, and the forms of the right one, that receivers use. */
export function listSecrets(secret: string, signers: readonly Signer[]): Way<Bytes>[] {
  const bare = secret.replace(/^whsec_/, '')
  const base64 = secret.replace(/[^A-Za-z0-9+/]/g, '')
  return withRight<Bytes>(secret, [
    ...signers.slice(0, SIGNERS_MAX).flatMap(listSecretsOf),
    ...toWays<Bytes>({
      'used the secret without the white space around it': secret.trim(),
      'used the secret without the quotes around it': secret.replace(/^\s*(["'])(.*)\1\s*$/, '$2'),
      'used the secret with a line break after it': `${secret}\n`,
      'used the secret with quotes around it': `"${secret}"`,
      'used the secret without whsec_': bare,
      'decoded the secret from base64': Buffer.from(bare, 'base64'),
      'decoded the secret from hex': Buffer.from(bare, 'hex'),
      'used the secret of a webhook that is signed wrongly on purpose': WRONG_SECRET,
      ...toConstants(
        (text) => `used ${text} as the secret, so its secret is not set`,
        ['', 'undefined', 'null', 'None'],
      ),
    }),
    ...toWays<Bytes>(
      {
        'decoded the secret from base64, whsec_ included': Buffer.from(base64, 'base64'),
        'encoded the secret in base64': Buffer.from(secret).toString('base64'),
      },
      2,
    ),
  ])
}

export const secretsOf = ({ signingSecret, previousSecret }: Signer): unknown[] => [
  signingSecret,
  previousSecret,
]

const listSecretsOf = ({ name, signingSecret, previousSecret }: Signer): Way<Bytes>[] => [
  ...toWays({
    ...(signingSecret && { [`used the secret of ${name}`]: signingSecret }),
    ...(previousSecret && {
      [`used the secret of ${name} from before the last rotation`]: previousSecret,
    }),
  }),
]

/** Texts that stand where a value is missing. */
const toConstants = (describe: (text: string) => string, texts: readonly string[]) =>
  Object.fromEntries(
    texts.map((text) => [describe(text === '' ? 'an empty string' : `the string “${text}”`), text]),
  )

const withRight = <Value>(value: Value, ways: readonly Way<Value>[]): Way<Value>[] => [
  right(value),
  ...ways.filter((way) => way.value !== value),
]

const signedInPlace = (text: string) => `signed ${text} instead of the body`

/** The texts that receivers sign in place of a body. */
export function listBodies(body: string, signedBody = body): Way<string>[] {
  const json = parseJson(body)
  const { payload } = Object(json)
  return withRight(body, [
    ...toWays({
      'signed the body as it was before it was changed': signedBody,
      ...toConstants(signedInPlace, ['', 'undefined', '[object Object]', '{}']),
    }),
    ...toWays(toConstants(signedInPlace, ['null', 'None', 'Array', '[]']), 2),
    ...listWritings(json, 'parsed the body and wrote it again'),
    ...listWritings(payload, 'parsed the body and wrote only its payload', 1),
    ...listWritings(body, 'wrote the unparsed text of the body as JSON', 1),
  ])
}

const listWritings = (json: unknown, what: string, more = 0): Way<string>[] =>
  (json === undefined ? [] : writeInEveryWay(json)).map(({ text, writers, isRare }) => ({
    value: text,
    mistake: `${what}, as ${writers} does`,
    weight: more + (isRare ? 2 : 1),
  }))

type Encode = (body: string) => Bytes

/** Things that receivers do to the text of a body before they sign it. */
export const ENCODINGS: readonly Way<Encode>[] = [
  right<Encode>((body) => body),
  ...toWays<Encode>({
    'trimmed the body': (body) => body.trim(),
    'added a line break to the body': (body) => `${body}\n`,
    'put a byte order mark before the body': (body) => `\ufeff${body}`,
    'encoded the body as Latin-1, not UTF-8': (body) =>
      Buffer.from(body.replace(/[^\0-\xff]/gu, '?'), 'latin1'),
    'decoded the body as Latin-1, not UTF-8': (body) => Buffer.from(body).toString('latin1'),
    'encoded the body as ASCII, not UTF-8': (body) => body.replace(/[^\0-\x7f]/gu, '?'),
    'signed the body in base64, as AWS Lambda passes it': (body) =>
      Buffer.from(body).toString('base64'),
    'JSON-encoded the body a second time': (body) => JSON.stringify(body),
    "put the bytes of the body into a string, which Python writes as b'…'": showPythonBytes,
    'passed a Buffer to JSON.stringify': (body) => JSON.stringify(Buffer.from(body)),
  }),
  ...toWays<Encode>(
    {
      'encoded the body as “binary” (Latin-1), not UTF-8': (body) => Buffer.from(body, 'latin1'),
      'removed all white space from the body': (body) => body.replace(/\s/g, ''),
      'encoded the body as UTF-16, not UTF-8': (body) => Buffer.from(body, 'utf16le'),
      'put the bytes of the body into a string, where Go’s %v writes them as numbers': (body) =>
        `[${Buffer.from(body).join(' ')}]`,
      'put a Uint8Array into a string, where JavaScript writes its bytes as numbers': (body) =>
        Buffer.from(body).join(),
      'signed the SHA-256 of the body': (body) => createHash('sha256').update(body).digest('hex'),
    },
    2,
  ),
]

function showPythonBytes(body: string): string {
  const escaped = JSON.stringify(Buffer.from(body).toString('latin1')).slice(1, -1)
  const bytes = escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `b'${bytes.replace(/[\x7f-\xff]/g, (each) => `\\x${each.charCodeAt(0).toString(16)}`)}'`
}

/** Seconds around the timestamp and the present that a receiver's own clock may show. */
const OWN_CLOCK_SECONDS = 60
const OWN_CLOCK_MS = 2_000

/** The texts that receivers sign instead of the timestamp. */
export function listTimes(timestamp: string, now: number): Way<string>[] {
  const seconds = Number(timestamp)
  const isTime = timestamp !== '' && seconds < 1e11
  const date = isTime ? new Date(seconds * 1000).toISOString() : timestamp
  const own = [seconds, Math.floor(now / 1000)].flatMap((at) =>
    range(at - OWN_CLOCK_SECONDS, 2 * OWN_CLOCK_SECONDS),
  )
  const ownMs = range(seconds * 1000, OWN_CLOCK_MS)
  return withRight(timestamp, [
    ...toWays({
      'signed the timestamp in milliseconds': `${timestamp}000`,
      'signed the timestamp as a number with a fraction': `${timestamp}.0`,
      ...toConstants(
        (text) => `signed ${text} instead of the timestamp: it did not find that header`,
        ['', 'undefined', 'null', 'None'],
      ),
    }),
    ...toWays(
      {
        'signed the timestamp as a date': date,
        'signed the timestamp as a date without milliseconds': date.replace('.000', ''),
      },
      2,
    ),
    ...(isTime ? [...toOwnTimes(own, 2), ...toOwnTimes(ownMs, 3)] : []),
  ])
}

const toOwnTimes = (times: readonly number[], weight: number): Way<string>[] =>
  times.map((time) => ({
    value: String(time),
    mistake: `signed its own time (${time}) instead of the timestamp header`,
    weight,
  }))

const range = (start: number, length: number) => Array.from({ length }, (_, i) => start + i)

/** Writes what stands before and behind the body in the text that is signed. */
type Frame = (time: string) => readonly [before: string, after: string]

export const BODY_ALONE = 'signed the body alone, without the timestamp'

/** The texts that receivers make of a timestamp and a body. */
export const listFrames = (eventId: string): Way<Frame>[] => [
  right<Frame>((time) => [`${time}.`, '']),
  ...toWays<Frame>({
    [BODY_ALONE]: () => ['', ''],
    'signed the timestamp and the body without a dot between them': (time) => [time, ''],
    'signed the body before the timestamp': (time) => ['', `.${time}`],
    'signed <event id>.<timestamp>.<body>, as Standard Webhooks does': (time) => [
      `${eventId}.${time}.`,
      '',
    ],
    'signed v0:<timestamp>:<body>, as Slack does': (time) => [`v0:${time}:`, ''],
    'signed v1:<timestamp>:<body>': (time) => [`v1:${time}:`, ''],
    'signed <timestamp>:<body>': (time) => [`${time}:`, ''],
  }),
  ...toWays<Frame>(
    {
      'signed the body before the timestamp, without a dot': (time) => ['', time],
      'signed <event id>.<body>': () => [`${eventId}.`, ''],
      'signed v1.<timestamp>.<body>': (time) => [`v1.${time}.`, ''],
      'signed t=<timestamp>.<body>': (time) => [`t=${time}.`, ''],
      'put a line break instead of a dot between the timestamp and the body': (time) => [
        `${time}\n`,
        '',
      ],
    },
    2,
  ),
]

export const ALGORITHMS: readonly Way<{ name: string; bytes: number }>[] = [
  right({ name: 'sha256', bytes: 32 }),
  ...toWays({
    'used SHA-1': { name: 'sha1', bytes: 20 },
    'used SHA-512': { name: 'sha512', bytes: 64 },
    'used MD5': { name: 'md5', bytes: 16 },
  }),
]

type Digest = (hash: string, secret: Bytes, message: readonly Bytes[]) => Buffer

const hmac: Digest = (hash, key, parts) => digest(createHmac(hash, key), parts)
const plain = (hash: string, parts: readonly Bytes[]) => digest(createHash(hash), parts)

export const DIGESTS: readonly Way<Digest>[] = [
  right(hmac),
  ...toWays<Digest>({
    'hashed the message without the secret, and without HMAC': (hash, _, parts) =>
      plain(hash, parts),
    'hashed the secret and the message, without HMAC': (hash, secret, parts) =>
      plain(hash, [secret, ...parts]),
    'hashed the message and the secret, without HMAC': (hash, secret, parts) =>
      plain(hash, [...parts, secret]),
    'used the message as the key and the secret as the message': (hash, secret, parts) =>
      hmac(hash, Buffer.concat(parts.map((part) => Buffer.from(part))), [secret]),
  }),
]

interface Updatable {
  update(part: Bytes): unknown
  digest(): Buffer
}

function digest(hash: Updatable, parts: readonly Bytes[]): Buffer {
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Length of the longest text that is parsed, in characters. Real webhooks are far shorter. */
const JSON_LENGTH_MAX = 64 * 1024
const NESTED_DEEPLY = /(?:[[{][^[\]{}]*){50}/

/** `undefined` for what is not JSON, or longer or deeper than any event. */
export function parseJson(text: string): unknown {
  if (text.length > JSON_LENGTH_MAX || NESTED_DEEPLY.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
