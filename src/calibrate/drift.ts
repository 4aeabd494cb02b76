import type { Json } from '../client/http.ts'
import { isSettingId, settingOf } from '../world/settings/index.ts'
import { USER_STATUSES } from '../world/state.ts'
import { type DifferenceRow, type Located, toRows } from './differences.ts'
import { errorMetBy, type Finding } from './findings.ts'
import { meaningOf } from './price.ts'
import {
  clockErrorOf,
  errorFields,
  isOk,
  type Reading,
  rawErrorFields,
  toFieldName,
} from './reading.ts'
import type { Run } from './run.ts'

type Found = Omit<Located, 'operation' | 'step' | 'call'>

export interface Drift {
  rows: DifferenceRow[]
  /** The steps all of whose responses were compared. */
  compared: string[]
}

/**
 * Finds where the provider responds differently from a sandbox that has the settings found and got
 * the same calls. Values may differ; statuses, fields, types and headers must not.
 */
export function findDrift(provider: Run, sandbox: Run, findings: readonly Finding[]): Drift {
  const isStatusKnown = explainedBy(findings)
  const rest = sandbox.readings.filter(({ isCompared }) => isCompared)
  const compared = new Set<string>()
  const missed = new Set<string>()
  const located = provider.readings.flatMap((reading, i): Located[] => {
    const { step, route, operation, isAbsent, isCompared } = reading
    const place = { operation, step, call: i + 1 }
    if (isAbsent) return [{ ...ABSENT, ...place }]
    if (!isCompared) return []
    // The n-th response of a step on both sides.
    const at = rest.findIndex((other) => other.step === step && other.route === route)
    const other = at === -1 ? undefined : rest.splice(at, 1)[0]
    const pair = other && { provider: toOwn(reading, provider), sandbox: toOwn(other, sandbox) }
    const isPair = pair && isResponse(reading) && isResponse(pair.sandbox)
    if (isPair && !lacksItems(pair)) compared.add(step)
    else missed.add(step)
    if (!isPair) return []
    const differences = [...compare(pair, isStatusKnown(pair))]
    return differences.map((difference) => ({ ...difference, ...place }))
  })
  const whole = [...compared].filter((step) => !missed.has(step))
  return { rows: toRows(located.filter(isNoFinding(findings))), compared: whole }
}

/** Recognises responses whose statuses have a row of their own, or may differ for its reason. */
function explainedBy(findings: readonly Finding[]) {
  const reported = findings.flatMap(({ setting, verdict, steps }) =>
    verdict === 'cannot imitate' && /^(status|errors|requests)\./.test(setting) ? steps : [],
  )
  const isUnknown = (id: string) =>
    findings.some(({ setting, verdict }) => setting === id && verdict === 'not known')
  /** A call with a key alone, where it is not known if the operation takes a token. */
  const isOfLogin = ({ provider, sandbox }: Pair): boolean => {
    const { sent, operation } = provider
    const auth = `auth.${operation}`
    const takesToken = isSettingId(auth) && settingOf(auth).options.includes('token')
    if (!takesToken || !isUnknown(auth) || sent.token !== undefined || sent.key !== undefined) {
      return false
    }
    const [ok, refused] = isOk(provider) ? [provider, sandbox] : [sandbox, provider]
    return isOk(ok) && refused.status === 401
  }
  return (pair: Pair): boolean => {
    const { step, problem } = pair.provider
    // An error that the provider calls a success is no error of a kind that has a row.
    if (problem !== null) return false
    const isNotMet = isUnknown(`status.${errorMetBy(step)}`)
    return reported.includes(step) || isNotMet || isOfLogin(pair)
  }
}

/** Drops differences that a finding names already: an operation's fields, or an event's id. */
function isNoFinding(findings: readonly Finding[]) {
  const others = findings.filter(({ verdict }) => verdict === 'cannot imitate')
  const whyOf = (operation: string): string => {
    const settings = [`fields.${operation}`, ...(SHAPES[operation] ?? [])]
    return others
      .flatMap(({ setting, why }) => (settings.includes(setting) ? [why] : []))
      .join(', ')
  }
  return ({ breaks, path, operation }: Located): boolean => {
    if (breaks !== 'missing' && breaks !== 'name') return true
    const field = path.replace(/^data\./, '')
    const isId = operation === 'webhook' && ['id', 'eventId'].includes(path)
    if (isId) return whyOf(operation) === ''
    return !whyOf(operation)
      .split(', ')
      .some((said) => said === `no ${field}` || said.startsWith(`${field} is `))
  }
}

/** Settings that name fields besides `fields.<operation>`. */
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  getRequirements: ['requirements.shape'],
  webhook: ['names.envelopeId'],
}

/** Recognises a page of the provider's list that does not include the run's transaction. */
function lacksItems({ provider, sandbox }: Pair): boolean {
  const [theirs, ours]: Json[] = [provider.body?.data?.items, sandbox.body?.data?.items]
  return Array.isArray(ours) && ours.length > 0 && theirs?.length === 0
}

/** A 5xx response is a failure and is not compared. */
const isResponse = ({ status }: Reading) => status > 0 && status < 500

const ABSENT: Found = {
  breaks: 'missing',
  path: 'the operation',
  sandbox: 'object',
  provider: undefined,
}

/** A list without the transactions of others, which the sandbox cannot have. */
function toOwn(reading: Reading, { known }: Run): Reading {
  const items: Json = reading.body?.data?.items
  if (!Array.isArray(items)) return reading
  const id = known.ordered?.created?.data?.id
  const data = { ...reading.body.data, items: items.filter((item: Json) => item?.id === id) }
  return { ...reading, body: { ...reading.body, data } }
}

interface Pair {
  provider: Reading
  sandbox: Reading
}

/** Yields the differences of two responses, without the status if it is reported already. */
function* compare(pair: Pair, isStatusReported: boolean): Generator<Found> {
  const { provider, sandbox } = pair
  const clockError = clockErrorOf(provider)
  if (clockError !== undefined) {
    yield {
      breaks: 'value',
      path: 'headers.date',
      sandbox: 'the same time',
      provider: clockError,
    }
  }
  const isOther = provider.status !== sandbox.status
  if (isOther && !isStatusReported) {
    const error = errorMetBy(provider.step)
    yield {
      breaks: 'status',
      path: error === undefined ? 'status' : `status of ${error}`,
      sandbox: sandbox.status,
      provider: provider.status,
    }
  }
  // An error has nothing in common with a success, nor with an error of another kind.
  if (isOk(provider) !== isOk(sandbox)) return
  const isOfCredentials = provider.status === 401
  if (isOther && !isOk(provider) && (!isStatusReported || isOfCredentials)) return
  yield* compareJson('headers', headersOf(provider), headersOf(sandbox))
  yield* compareBodies(pair)
  yield* compareErrorFields(pair)
}

function* compareBodies({ provider, sandbox }: Pair): Generator<Found> {
  const [theirs, ours] = [typeOf(provider), typeOf(sandbox)]
  const isOther = theirs !== ours && theirs !== undefined && ours !== undefined
  if (isOther) {
    yield { breaks: 'type', path: 'headers.content-type', sandbox: ours, provider: theirs }
  }
  // A page in place of JSON is one difference.
  if (!isOther || typeof provider.body !== 'string') {
    yield* compareJson('', provider.body, sandbox.body)
  }
}

/** Reports a different spelling of all fields once, and then compares plain names. */
function* compareErrorFields({ provider, sandbox }: Pair): Generator<Found> {
  const [spelt, known] = [rawErrorFields(provider), errorFields(sandbox)]
  const form = spelt.map(formOf).find((one) => one !== undefined)
  if (form !== undefined) {
    yield { breaks: 'name', path: 'errors.field', sandbox: 'a name', provider: form }
  }
  const others = errorFields(provider).filter((name) => name !== '' && !known.includes(name))
  if (others.length > 0 && known.length > 0) {
    const shown = others.map(toFieldName).join(', ')
    yield { breaks: 'name', path: 'errors.field', sandbox: known.join(', '), provider: shown }
  }
}

/** Describes the spelling of a field that is not a plain name. */
function formOf(field: string): string | undefined {
  if (/^#?\//.test(field)) return 'a JSON pointer, such as /email'
  const [, prefix] = /^(body|data|query|params|request)\./.exec(field) ?? []
  return prefix === undefined ? undefined : `a name with a prefix, such as ${prefix}.email`
}

/** Headers that the connection, a proxy or the sandbox adds; types are compared separately. */
const OF_THE_WAY =
  /^(date|connection|keep-alive|content-(type|length|encoding)|transfer-encoding|vary|via|server|cache-control|etag|set-cookie|x-sandbox-.*)$/

const headersOf = ({ headers }: Reading) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_WAY.test(name)))

const typeOf = ({ headers }: Reading) => headers['content-type']?.split(';')[0]

function* compareJson(path: string, provider: Json, sandbox: Json): Generator<Found> {
  const [theirs, ours] = [kindOf(provider), kindOf(sandbox)]
  const isNull = ours === 'null' || (theirs === 'null' && NULLABLE.test(path))
  if (theirs !== ours && !isNull) {
    yield { breaks: 'type', path: path || 'body', sandbox: ours, provider: theirs }
  } else if (isForeignStatus(path, provider)) {
    yield { breaks: 'value', path, sandbox: 'one of the contract', provider: 'another one' }
  } else if (path === 'success' && provider !== sandbox) {
    yield { breaks: 'type', path, sandbox: `${sandbox}`, provider: `${provider}` }
  } else if (theirs === 'array' && ours === 'array') {
    if (sandbox.length === 0) return
    for (const item of provider) yield* compareJson(path, item, sandbox[0])
  } else if (theirs === 'object' && ours === 'object') {
    yield* compareFields(path, provider, sandbox)
  }
}

type Fields = Readonly<Record<string, Json>>

function* compareFields(path: string, provider: Fields, sandbox: Fields): Generator<Found> {
  const renamed = renamedIn(path, provider, sandbox)
  for (const name of new Set([...Object.keys(provider), ...Object.keys(sandbox)])) {
    // The provider shows it only once, perhaps to an earlier run.
    if (name === 'signingSecret') continue
    const place = [...(path === '' ? [] : [path]), toFieldName(name)].join('.')
    const another = renamed.get(name)
    if (another !== undefined) {
      yield { breaks: 'name', path: place, sandbox: name, provider: another }
    } else if (!Object.hasOwn(sandbox, name)) {
      if ([...renamed.values()].includes(name)) continue
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

/** Fields of a quote that the provider has under another name. */
function renamedIn(path: string, provider: Fields, sandbox: Fields): Map<string, string> {
  const isQuote = Object.hasOwn(sandbox, 'quoteId') || path.endsWith('breakdown')
  const missing = Object.keys(isQuote ? sandbox : {}).filter(
    (name) => !Object.hasOwn(provider, name),
  )
  const found = missing.flatMap((name): [string, string][] => {
    const another = Object.keys(provider).find((field) => {
      return !Object.hasOwn(sandbox, field) && meaningOf(field) === name
    })
    return another === undefined ? [] : [[name, another]]
  })
  return new Map(found)
}

const STATUSES: readonly string[] = [
  ...USER_STATUSES,
  'pending request money transfer',
  'processing request money transfer',
  'complete',
  'cancelled',
  'canceled',
  'expired',
  'sending CAD',
  'sending USDC',
  'sending CADC',
  // Of each body of v1.
  'success',
  'error',
]

/** Fields that may be null on either side: of an order before it is paid, or not in the contract. */
const NULLABLE =
  /(^|\.)(paymentId|payment_id|depositAddress|externalSessionId|\w*Answer|\w+Url|data)$/

/** A status that the contract does not name. */
const isForeignStatus = (path: string, value: Json): boolean =>
  /(^|\.)(userS|s)tatus$/.test(path) && typeof value === 'string' && !STATUSES.includes(value)

function kindOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
