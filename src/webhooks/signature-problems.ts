export interface SignatureProblem {
  code: keyof typeof HINTS
  message: string
  hint: string
}

export const toProblem = (code: SignatureProblem['code'], message: string): SignatureProblem => ({
  code,
  message,
  hint: HINTS[code],
})

const RAW = 'Verify the raw bytes, before anything parses them: express.raw(), request.text().'
const SIGN = 'Sign the timestamp, a dot and the body: <timestamp>.<raw body>.'
const ALL_HEADERS = 'Pass all headers as received; a proxy or a framework may have removed it.'

/** The codes are public and stay; the texts may change. */
const HINTS = {
  'timestamp-missing': ALL_HEADERS,
  'signature-missing': ALL_HEADERS,
  'header-prefix': 'The setting names.headerPrefix is what both names start with.',
  'timestamp-format': 'It is Unix time in seconds, such as 1751328000.',
  'timestamp-milliseconds': 'It is Unix time in seconds: divide by 1000 and round down.',
  'timestamp-changed': 'Take it from the header of the same request.',
  'timestamp-stale': 'It is wall time, not world time: compare it with the time of arrival.',
  'timestamp-ahead': 'It is wall time, not world time: compare it with the time of arrival.',
  'signature-prefix': 'The header is v1= followed by the digest.',
  'signature-case': 'Write it in lower case: signatures are compared byte by byte.',
  'signature-encoding': 'Write it in lower-case hex: digest("hex"), hexdigest().',
  'signature-format': 'It is an HMAC-SHA256, which has 64 hexadecimal digits.',
  'signature-wrong': 'After a reset, or more than one rotation, use the newest secret.',
  'signed-body-only': SIGN,
  'signed-without-dot': SIGN,
  'signed-backwards': SIGN,
  'secret-before-rotation':
    'Use the secret that the last rotation answered; it is shown only once.',
  'signed-before-rotation': 'Accept the previous secret for a while after a rotation.',
  'secret-missing': 'Check that the variable it is read from is set.',
  'secret-padded': 'Trim it: files and variables often end with a line break.',
  'secret-form': 'The key is the whole text of the secret, whsec_ included.',
  'secret-of-other-integrator': 'Each integrator has its own secret, which signs only its events.',
  'secret-wrong': 'Copy it from the first PUT of the configuration, or rotate it to get a new one.',
  'spoilt-on-purpose': 'The receiver is right to reject it.',
  'body-missing': RAW,
  'body-cut': RAW,
  'body-charset': RAW,
  'body-reserialised': RAW,
  'body-changed': RAW,
} as const

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

export interface SignatureHeaders {
  timestamp: string | undefined
  /** The timestamp as it must be signed. */
  seconds: string | undefined
  /** Lower-case hex. */
  digest: string | undefined
  problems: SignatureProblem[]
}

/** Reads the two headers, also in a wrong form from which the value can be made out. */
export function readSignatureHeaders(headers: HeaderRecord, prefix: string): SignatureHeaders {
  const problems: SignatureProblem[] = []
  const report = (...problem: Parameters<typeof toProblem>) => problems.push(toProblem(...problem))
  const timestamp = findHeader('timestamp')
  const signature = findHeader('signature')
  return { timestamp, seconds: readSeconds(timestamp), digest: readDigest(signature), problems }

  function findHeader(end: 'timestamp' | 'signature'): string | undefined {
    const name = `${prefix}-${end}`.toLowerCase()
    const found = entriesOf(headers).filter(([key]) => key.endsWith(`-${end}`))
    const [key, value] = found.find(([other]) => other === name) ?? found[0] ?? []
    if (key === undefined) report(`${end}-missing`, `The header ${name} is missing.`)
    else if (key !== name) report('header-prefix', `The header is ${key}, not ${name}.`)
    return value
  }

  function readSeconds(text: string | undefined): string | undefined {
    if (text === undefined) return undefined
    if (!/^\d{1,15}$/.test(text)) {
      report('timestamp-format', 'The timestamp is not a whole number of seconds.')
      return undefined
    }
    if (Number(text) < MILLISECONDS_MIN) return text
    report('timestamp-milliseconds', 'The timestamp is in milliseconds.')
    return String(Math.floor(Number(text) / 1000))
  }

  function readDigest(text: string | undefined): string | undefined {
    if (text === undefined) return undefined
    const [, scheme, rest = ''] = /^(?:([a-z]\w{0,9})=)?(.*)$/s.exec(text) ?? []
    if (scheme !== 'v1') report('signature-prefix', 'The signature does not start with v1=.')
    if (/^[0-9a-f]{64}$/.test(rest)) return rest
    if (/^[0-9a-f]{64}$/i.test(rest)) {
      report('signature-case', 'The digest is in upper-case hex.')
      return rest.toLowerCase()
    }
    if (/^[\w+/-]{43}=?$/.test(rest)) {
      report('signature-encoding', 'The digest is in base64.')
      return Buffer.from(rest, 'base64').toString('hex')
    }
    const message = `The digest has ${rest.length} characters and is not 64 hexadecimal digits.`
    report('signature-format', message)
    return undefined
  }
}

const MILLISECONDS_MIN = 1e11

/** Names in lower case, each with its first value. */
function entriesOf(headers: HeaderRecord): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const first = typeof value === 'string' ? value : value?.[0]
    return first === undefined ? [] : [[name.toLowerCase(), first]]
  })
}

/** How a body differs from the one that was signed; undefined when it does not. */
export function findBodyProblem(body: string, signed: string): SignatureProblem | undefined {
  if (body === signed) return undefined
  if (body === '') return toProblem('body-missing', 'The body is empty.')
  if (Buffer.from(body, 'latin1').toString() === signed) {
    return toProblem('body-charset', 'The body is UTF-8 that was read as Latin-1.')
  }
  const path = findDifference(parseJson(signed), parseJson(body), '')
  if (path === undefined || body.trimEnd() === signed.trimEnd()) {
    return toProblem('body-reserialised', 'The body has the same values in other bytes.')
  }
  if (signed.startsWith(body)) {
    const message = `The body ends after ${body.length} of ${signed.length} characters.`
    return toProblem('body-cut', message)
  }
  return toProblem('body-changed', `The body was changed after it was signed, at ${path}.`)
}

/** `undefined` for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where two values first differ, whatever the order of their fields. */
function findDifference(expected: unknown, actual: unknown, path: string): string | undefined {
  if (
    !isObject(expected) ||
    !isObject(actual) ||
    Array.isArray(expected) !== Array.isArray(actual)
  ) {
    return Object.is(expected, actual) ? undefined : path || 'its start'
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const below = path === '' ? name : `${path}.${name}`
    const isInBoth = Object.hasOwn(expected, name) && Object.hasOwn(actual, name)
    const found = isInBoth ? findDifference(expected[name], actual[name], below) : below
    if (found !== undefined) return found
  }
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object'
