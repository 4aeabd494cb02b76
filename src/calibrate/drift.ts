import type { Json } from '../client/http.ts'
import { USER_STATUSES } from '../world/state.ts'
import { type DifferenceRow, type Located, toRows } from './differences.ts'
import { type Finding, operationOf } from './findings.ts'
import { clockErrorOf, errorFields, type Reading, toFieldName } from './reading.ts'
import { PUT_BACK, WEBHOOK } from './run.ts'

type Found = Omit<Located, 'operation' | 'call'>

/**
 * What the provider responds otherwise than a sandbox that has the settings which were found and got
 * the same calls. Values differ of course; statuses, fields, types and headers may not.
 */
export function findDrift(
  provider: readonly Reading[],
  sandbox: readonly Reading[],
  findings: readonly Finding[],
): DifferenceRow[] {
  // A status that no option is has a row of its own.
  const reported = findings.flatMap(({ setting, verdict, steps }) =>
    /^(status|errors)\./.test(setting) && verdict === 'cannot imitate' ? steps : [],
  )
  const rest = [...sandbox]
  const located = provider.flatMap((reading, i): Located[] => {
    const { step, route, sent, status, isAbsent } = reading
    const operation = route === WEBHOOK ? 'webhook' : (operationOf(reading) ?? route)
    if (isAbsent) return [{ ...ABSENT, operation, call: i + 1 }]
    // The n-th response of a step on both sides; a failure of the service is no way to respond.
    const at = rest.findIndex((other) => other.step === step && other.route === route)
    const other = at === -1 ? undefined : rest.splice(at, 1)[0]
    if (sent.isTrial || step === PUT_BACK) return []
    if (!isResponse(reading) || !other || !isResponse(other)) return []
    if (status !== other.status && reported.includes(step)) return []
    const differences = [...compare(reading, other)]
    return differences.map((difference) => ({ ...difference, operation, call: i + 1 }))
  })
  return toRows(located)
}

const isResponse = ({ status }: Reading) => status > 0 && status < 500

const ABSENT: Found = {
  ...{ breaks: 'missing', path: 'the operation', sandbox: 'object', provider: undefined },
}

function* compare(provider: Reading, sandbox: Reading): Generator<Found> {
  const clockError = clockErrorOf(provider)
  if (clockError !== undefined) {
    yield { breaks: 'value', path: 'headers.date', sandbox: 'the same time', provider: clockError }
  }
  if (provider.status !== sandbox.status) {
    // `keyWrong` as `key wrong`.
    const words = provider.step.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    yield {
      breaks: 'status',
      path: `status (${words})`,
      sandbox: sandbox.status,
      provider: provider.status,
    }
    return
  }
  yield* compareJson('headers', headersOf(provider), headersOf(sandbox))
  const [theirs, ours] = [provider, sandbox].map(typeOf)
  const isOther = theirs !== ours && theirs !== undefined && ours !== undefined
  if (isOther) {
    yield { breaks: 'type', path: 'headers.content-type', sandbox: ours, provider: theirs }
  }
  // A page in place of JSON is one difference.
  if (!isOther || typeof provider.body !== 'string') {
    yield* compareJson('', provider.body, sandbox.body)
  }
  const [fields, known] = [errorFields(provider), errorFields(sandbox)]
  const others = fields.filter((name) => !known.includes(name))
  if (others.length > 0 && known.length > 0) {
    const shown = others.map(toFieldName).join(', ')
    yield { breaks: 'name', path: 'errors.field', sandbox: known.join(', '), provider: shown }
  }
}

/** What the connection, a proxy or the sandbox itself adds; the type is compared by its value. */
const OF_THE_WAY =
  /^(date|connection|keep-alive|content-(type|length|encoding)|transfer-encoding|vary|via|server|cache-control|etag|set-cookie|x-sandbox-.*)$/

const headersOf = ({ headers }: Reading) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_WAY.test(name)))

const typeOf = ({ headers }: Reading) => headers['content-type']?.split(';')[0]

function* compareJson(path: string, provider: Json, sandbox: Json): Generator<Found> {
  const [kind, other] = [kindOf(provider), kindOf(sandbox)]
  // A value that may be missing is null on either side.
  if (kind !== other && kind !== 'null' && other !== 'null') {
    yield { breaks: 'type', path: path || 'body', sandbox: other, provider: kind }
  } else if (isForeignStatus(path, provider)) {
    yield { breaks: 'value', path, sandbox: 'one of the contract', provider: 'another one' }
  } else if (kind === 'array' && other === 'array') {
    if (sandbox.length === 0) return
    for (const item of provider) yield* compareJson(path, item, sandbox[0])
  } else if (kind === 'object' && other === 'object') {
    for (const name of new Set([...Object.keys(provider), ...Object.keys(sandbox)])) {
      // It is shown once, perhaps to an earlier run.
      if (name === 'signingSecret') continue
      const place = [...(path === '' ? [] : [path]), toFieldName(name)].join('.')
      if (!Object.hasOwn(sandbox, name)) {
        const has = kindOf(provider[name])
        yield { breaks: 'additional', path: place, sandbox: undefined, provider: has }
      } else if (Object.hasOwn(provider, name)) {
        yield* compareJson(place, provider[name], sandbox[name])
      } else {
        const had = kindOf(sandbox[name])
        yield { breaks: 'missing', path: place, sandbox: had, provider: undefined }
      }
    }
  }
}

const STATUSES: readonly string[] = [
  ...USER_STATUSES,
  // The status that v1 has in each body.
  'success',
  'error',
  'sending CAD',
  'sending USDC',
  'sending CADC',
  'pending request money transfer',
  'processing request money transfer',
  'complete',
  'cancelled',
  'canceled',
  'expired',
  'sending CAD',
  'sending USDC',
  'sending CADC',
  // Of responses of v1.
  'success',
  'error',
]

/** Whether a status is one that the contract does not name. */
const isForeignStatus = (path: string, value: Json): boolean =>
  /(^|\.)(userS|s)tatus$/.test(path) && typeof value === 'string' && !STATUSES.includes(value)

function kindOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
