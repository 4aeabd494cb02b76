import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Live, openLive } from './control/live.ts'
// Real programs made these: test/webhooks/computed/make.mjs says how.
import made from './webhooks/computed/computed.json' with { type: 'json' }

type Language = keyof typeof made.programs
interface Problem {
  code: string
  message: string
}

const { secret, received } = made
const timestamp = Number(received.headers['x-service-timestamp'])
const receivedAt = new Date((timestamp + 5) * 1000).toISOString()
let live: Live

beforeAll(async () => {
  live = await openLive()
})
afterAll(() => live[Symbol.asyncDispose]())

async function explain(change: object) {
  const response = await fetch(`${live.url}/_sandbox/webhooks/explain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...received, secret, receivedAt, ...change }),
  })
  return (await response.json()) as { computed: Problem[]; problems: Problem[] }
}

const again = 'body: parsed the body and wrote it again, as '
const compact =
  `${again}JSON.stringify(body), Ruby's JSON.generate(body), Java's Jackson, ` +
  `Python's json.dumps(body, ensure_ascii=False, separators=(',', ':')) ` +
  `or PHP's json_encode($body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE)`
const indented =
  `${again}JSON.stringify(body, null, 2), Ruby's JSON.pretty_generate(body) ` +
  `or Python's json.dumps(body, ensure_ascii=False, indent=2)`
const python = `${again}Python's json.dumps(body) with its default separators`
const pythonOrPhp =
  `${again}Python's json.dumps(body, separators=(',', ':')) ` +
  `or PHP's json_encode($body, JSON_UNESCAPED_SLASHES)`
const alone = 'message: signed the body alone, without the timestamp'
const ownTime = 'message: signed its own time (<time>) instead of the timestamp header'
const base64 = 'form: wrote the digest in base64 without v1= before it'

/** What each program does wrong, as it must be explained. */
const MISTAKES: Record<Language, Record<string, readonly string[]>> = {
  Node: {
    'JSON.stringify': [compact],
    'JSON.stringify indented': [indented],
    'JSON.stringify alone': [compact, alone],
    'JSON.stringify of text': ['body: JSON-encoded the body a second time'],
    'JSON.stringify of a Buffer': ['body: passed a Buffer to JSON.stringify'],
    'object in a template': ['body: signed the string “[object Object]” instead of the body'],
    'undefined body': ['body: signed the string “undefined” instead of the body'],
    'empty object': ['body: signed the string “{}” instead of the body'],
    'Uint8Array in a template': [
      'body: put a Uint8Array into a string, where JavaScript writes its bytes as numbers',
    ],
    'undefined timestamp': [
      'message: signed the string “undefined” instead of the timestamp: it did not find that header',
    ],
    'binary encoding': ['body: encoded the body as “binary” (Latin-1), not UTF-8'],
    'own clock in ms': [ownTime],
    'white space removed': ['body: removed all white space from the body'],
    'trimmed secret in quotes': ['secret: used the secret with quotes around it'],
    'hex-decoded secret': ['secret: decoded the secret from hex'],
    'body alone, without v1=': [alone, 'form: wrote the digest without v1= before it'],
    Slack: ['message: signed v1:<timestamp>:<body>'],
    'hash of the body': ['body: signed the SHA-256 of the body'],
    'SHA-512': ['hash: used SHA-512'],
    base64url: [base64],
    'ISO timestamp': ['message: signed the timestamp as a date'],
  },
  Java: {
    ASCII: ['body: encoded the body as ASCII, not UTF-8'],
    'UTF-16': ['body: encoded the body as UTF-16, not UTF-8', alone],
    'Gson map': [`${again}Java's Gson with a Map`],
    'Gson tree': [`${again}Java's Gson`],
    'Jackson tree': [compact],
    'Map as text': [`${again}Java's body.toString()`],
    'Jackson pretty': [`${again}Java's Jackson with its pretty printer`],
  },
  Go: {
    'json.Marshal of a map': [`${again}Go's json.Marshal of a map`],
    'json.Marshal of a RawMessage': [
      `${again}Go's json.Marshal of a json.RawMessage or Ruby on Rails' body.to_json`,
    ],
    'json.MarshalIndent': [`${again}Go's json.MarshalIndent of a map`],
    'json.Encoder': [`${again}Go's json.Marshal of a map`, 'body: added a line break to the body'],
    'json.Encoder without HTML': [
      `${again}Go's json.Encoder with SetEscapeHTML(false), Rust's serde_json or Python's json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(',', ':'))`,
      'body: added a line break to the body',
    ],
    'bytes with %v': [
      'body: put the bytes of the body into a string, where Go’s %v writes them as numbers',
    ],
    'no dot': ['message: signed the timestamp and the body without a dot between them'],
    milliseconds: ['message: signed the timestamp in milliseconds'],
  },
  Python: {
    'json.dumps': [python],
    'json.dumps compact': [pythonOrPhp],
    'json.dumps sorted': [`${again}Python's json.dumps(body, sort_keys=True)`],
    'json.dumps sorted compact': [
      `${again}Python's json.dumps(body, sort_keys=True, separators=(',', ':'))`,
    ],
    'json.dumps in UTF-8': [`${again}Python's json.dumps(body, ensure_ascii=False)`],
    'json.dumps indented': [
      `${again}Python's json.dumps(body, indent=4) or PHP's json_encode($body, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES)`,
    ],
    'json.dumps alone': [python, alone],
    'json.dumps of the payload': [
      "body: parsed the body and wrote only its payload, as Python's json.dumps(body) with its default separators",
    ],
    'json.dumps of text': [
      "body: wrote the unparsed text of the body as JSON, as Python's json.dumps(body) with its default separators or PHP's json_encode($body, JSON_UNESCAPED_SLASHES)",
    ],
    dict: [`${again}Python's str(body)`],
    'bytes in an f-string': [
      "body: put the bytes of the body into a string, which Python writes as b'…'",
    ],
    'Latin-1 with ?': ['body: encoded the body as Latin-1, not UTF-8'],
    'read as Latin-1': ['body: decoded the body as Latin-1, not UTF-8'],
    BOM: ['body: put a byte order mark before the body'],
    'own clock': [ownTime],
    'own clock in json.dumps': [python, ownTime],
    'float timestamp': ['message: signed the timestamp as a number with a fraction'],
    'plain SHA-256': ['hash: hashed the message without the secret, and without HMAC'],
    'SHA-256 after the secret': ['hash: hashed the secret and the message, without HMAC'],
    base64: [base64],
    'standard webhooks': [
      'secret: decoded the secret from base64',
      'message: signed <event id>.<timestamp>.<body>, as Standard Webhooks',
      'form: wrote the digest in base64 with “v1,” before it instead of v1=',
    ],
    'secret with a line break': ['secret: used the secret with a line break after it'],
    'None as secret': ['secret: used the string “None” as the secret, so its secret is not set'],
  },
  PHP: {
    json_encode: [`${again}PHP's json_encode($body)`],
    'json_encode with slashes': [pythonOrPhp],
    'json_encode with Unicode': [`${again}PHP's json_encode($body, JSON_UNESCAPED_UNICODE)`],
    'json_encode pretty': [`${again}PHP's json_encode($body, JSON_PRETTY_PRINT)`],
    'empty body': ['body: signed an empty string instead of the body'],
    'array as text': ['body: signed the string “Array” instead of the body'],
    'Latin-1': ['body: encoded the body as Latin-1, not UTF-8'],
    'base64 of the hex': ['form: wrote the digest in hex and then in base64'],
    'key and message swapped': ['hash: used the message as the key and the secret as the message'],
    'SHA-1': ['hash: used SHA-1'],
  },
  Ruby: {
    to_json: [compact],
    pretty_generate: [indented],
    hash: [`${again}Ruby's body.to_s`],
    'body first': ['message: signed the body before the timestamp'],
    'body in base64': ['body: signed the body in base64, as AWS Lambda passes it'],
    'secret without whsec_': ['secret: used the secret without whsec_'],
    'upper case': ['form: wrote the digest in upper-case hex'],
  },
}

const describeAll = (problems: readonly Problem[]) =>
  problems.map(({ code, message }) =>
    `${code}: ${message}`
      .replace(/^computed-(\w+): Your receiver (.*?)(?: does)?\.$/, '$1: $2')
      .replace(/\(\d+\)/, '(<time>)'),
  )

describe.each(Object.keys(MISTAKES) as Language[])(
  'a signature computed by a program in %s',
  (language) => {
    const { computed } = made.programs[language]
    const cases = Object.entries<string>(computed)

    it.each(cases)('a computed signature is explained over HTTP: %s', async (name, signature) => {
      const explained = await explain({ computed: signature })
      expect(describeAll(explained.computed)).toEqual(MISTAKES[language][name])
    })
  },
)

it.each([
  ['in hex', `v1=${'5a'.repeat(32)}`],
  ['of SHA-1', '5a'.repeat(20)],
  ['in base64', Buffer.alloc(32, 7).toString('base64')],
])('a signature that comes from no known mistake is not explained: %s', async (_, computed) => {
  const [problem, ...others] = (await explain({ computed })).computed
  expect(others).toEqual([])
  expect(problem?.code).toBe('computed-unknown')
  expect(problem?.message).toMatch(/\(\d+ combinations tried\)/)
})

it('a computed signature that is not a digest is not searched for', async () => {
  const [problem, ...others] = (await explain({ computed: 'none at all' })).computed
  expect(others).toEqual([])
  expect(problem).toMatchObject({
    code: 'computed-unknown',
    message: 'What your receiver computed is not the digest of any common hash.',
  })
})

it('a computed signature of a long body is compared with fewer combinations', async () => {
  const body = JSON.stringify({ text: 'x'.repeat(64_000) })
  const computed = `v1=${'5a'.repeat(32)}`
  const [problem] = (await explain({ body, computed })).computed
  const [tried] = /\d+ combinations/.exec(problem?.message ?? '') ?? []
  expect(Number.parseInt(tried ?? '', 10)).toBeLessThan(2_000)
})

it('a body with endless nesting is explained without being serialised again', async () => {
  const body = '['.repeat(30_000) + ']'.repeat(30_000)
  const { problems, computed } = await explain({ body, computed: `v1=${'5a'.repeat(32)}` })
  expect(describeAll(problems)[0]).toContain('signature-wrong')
  expect(computed[0]?.code).toBe('computed-unknown')
})

it.each([
  ['Node', "JSON.stringify(body), Ruby's JSON.generate(body), Java's Jackson, Python's"],
  ['Python', "Python's json.dumps(body) with its default separators does."],
  ['PHP', "PHP's json_encode($body) does."],
  ['Ruby', "JSON.stringify(body), Ruby's JSON.generate(body), Java's Jackson, Python's"],
] as const)(
  'a body that was parsed and serialised again by a program in %s is recognised',
  async (language, writer) => {
    const { problems } = await explain({ body: made.programs[language].written })
    const message = expect.stringContaining(`parsed the body and wrote it again, as ${writer}`)
    expect(problems).toEqual([expect.objectContaining({ code: 'body-reserialised', message })])
  },
)
