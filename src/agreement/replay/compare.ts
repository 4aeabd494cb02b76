import type { Json } from '../../client/http.ts'
import type { Break, Difference } from '../differences.ts'
import { findKind, isMade, isObject, isWord, type Kind, mapFields } from '../fields.ts'
import { decodePart, findOperation, parseTarget } from '../operations.ts'
import type { RecordedMessage } from '../recording.ts'

export type Matches = ReturnType<typeof createMatches>

/** Which value of this run stands for which value of the recording. */
export function createMatches() {
  const actuals = new Map<string, string | number>()
  const find = (recorded: string | number) => actuals.get(String(recorded))
  const replace = (value: Json, kind: Kind | undefined): Json => {
    const bound = isMade(kind) && value !== null ? find(value) : undefined
    // Digits as text stay text.
    return bound !== undefined && typeof value === 'string' ? String(bound) : (bound ?? value)
  }
  return {
    bind(recorded: string | number, actual: string | number) {
      actuals.set(String(recorded), actual)
    },
    find,
    /** A target of the recording, with the values of this run. */
    target(method: string, target: string): string {
      const { pathname, searchParams } = parseTarget(target)
      const operation = findOperation(method, pathname)?.id
      const parts = pathname.split('/').map((part) => {
        const bound = find(decodePart(part))
        return bound === undefined ? part : encodeURIComponent(bound)
      })
      const query = [...searchParams].map(([name, value]): [string, string] => {
        return [name, String(replace(value, findKind(operation, name)))]
      })
      return `${parts.join('/')}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`
    },
    body: (operation: string | null, body: Json): Json => mapFields(operation, body, replace),
  }
}

/** Place of the compared values, and what may differ there. */
interface Place {
  path: string
  operation: string | null
  kind?: Kind | undefined
  matches: Matches
  /** How far instants may lie apart. */
  toleranceMs: number
}

/** Everything in which an actual value differs from the recorded one, by path. */
export function compareJson(place: Place, expected: Json, actual: Json): Difference[] {
  const { path, operation, kind } = place
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const lengths = { expected: expected.length, actual: actual.length }
    return expected.length === actual.length
      ? expected.flatMap((entry, i) => compareJson(place, entry, actual[i]))
      : [{ breaks: 'value', path: `${path}.length`, ...lengths }]
  }
  if (isObject(expected) && isObject(actual)) {
    return Object.keys({ ...expected, ...actual }).flatMap((name) => {
      const inner = {
        path: path === '' ? name : `${path}.${name}`,
        kind: findKind(operation, name),
      }
      return compareJson({ ...place, ...inner }, expected[name], actual[name])
    })
  }
  if (isSame(place, expected, actual)) return []
  // What this run made is masked in no recording, so a report names only its kind.
  const shown = isMade(kind) && isLeaf(actual) ? `another ${kind}` : actual
  return [{ breaks: breakOf(expected, actual), path, expected, actual: shown }]
}

/** A field that the recording lacks is one that a client of the sandbox would miss. */
function breakOf(expected: Json, actual: Json): Break {
  if (expected === undefined) return 'missing'
  if (actual === undefined) return 'additional'
  const typeOf = (value: Json) =>
    value === null || Array.isArray(value) ? `${value}` : typeof value
  return typeOf(expected) === typeOf(actual) ? 'value' : 'type'
}

const isLeaf = (value: Json): boolean =>
  value !== null && value !== undefined && typeof value !== 'object'

function isSame({ kind, matches, toleranceMs }: Place, expected: Json, actual: Json): boolean {
  if (expected === actual) return true
  if (!isLeaf(expected) || !isLeaf(actual) || typeof expected !== typeof actual) return false
  if (kind === 'message' || kind === 'flag' || kind === undefined) return true
  // A word that the contract does not have was masked.
  if (kind === 'word') return !isWord(expected) && !isWord(actual)
  // A client may have written it otherwise than the service does.
  if (kind === 'email') return String(expected).toLowerCase() === String(actual).toLowerCase()
  if (kind === 'instant') return Math.abs(Date.parse(expected) - Date.parse(actual)) <= toleranceMs
  if (!isMade(kind) || expected === '' || actual === '') return false
  const bound = matches.find(expected)
  if (bound !== undefined) return String(bound) === String(actual)
  matches.bind(expected, actual)
  return true
}

type Webhook = Pick<RecordedMessage, 'headers' | 'body'>

export interface WebhookPair {
  /** Position among the recorded ones; undefined for one that only this run sent. */
  index: number | undefined
  differences: Difference[]
}

/** The provider's clock and ours are not the same. */
export const TOLERANCE_MS = 5_000

/** Compares, for each transaction and user, what was recorded with what was sent now. */
export function compareWebhooks(
  recorded: readonly Webhook[],
  actual: readonly Webhook[],
  matches: Matches,
): WebhookPair[] {
  const rest = [...actual]
  const place = { path: '', operation: 'webhook', matches, toleranceMs: TOLERANCE_MS }
  const pairs = recorded.map((from, index): WebhookPair => {
    const subject = subjectOf(from, (id) => String(matches.find(id) ?? id))
    const at = rest.findIndex((to) => subjectOf(to) === subject && isAlike(from, to))
    const [to] = at === -1 ? [] : rest.splice(at, 1)
    if (to === undefined) return { index, differences: [toMissing(from, undefined)] }
    const [expected = '', own = ''] = [from, to].map(signatureHeaders)
    const names = { breaks: 'name', path: 'headers', expected, actual: own } as const
    const differences = compareJson(place, from.body, to.body)
    return { index, differences: expected === own ? differences : [...differences, names] }
  })
  const extra = rest.map((to) => ({ index: undefined, differences: [toMissing(undefined, to)] }))
  return [...pairs, ...extra]
}

function toMissing(from: Webhook | undefined, to: Webhook | undefined): Difference {
  const [expected, actual] = [from && describe(from), to && describe(to)]
  return { breaks: 'status', path: 'webhook', expected, actual }
}

const signatureHeaders = ({ headers }: Webhook): string =>
  Object.keys(headers)
    .map((name) => name.toLowerCase())
    .filter((name) => /-(timestamp|signature)$/.test(name))
    .sort()
    .join(', ')

const payloadOf = ({ body }: Webhook): Json => body?.payload ?? body

/** Identity of a webhook, without what makes it different each time. */
function describe(webhook: Webhook): string {
  const type = webhook.body?.type
  // A type that the contract does not have was masked.
  if (type !== undefined && !isWord(type)) return 'an event of another type'
  return [type ?? 'v1 webhook', payloadOf(webhook)?.status].filter(Boolean).join(' ')
}

const isAlike = (a: Webhook, b: Webhook) =>
  describe(a).replace('canceled', 'cancelled') === describe(b).replace('canceled', 'cancelled')

/** By whom they are about and in which generation; synthetic ones are about nobody known. */
function subjectOf(webhook: Webhook, toActual = (id: string) => id): string {
  const payload = payloadOf(webhook)
  const id = payload?.transactionId ?? payload?.txId ?? payload?.userId ?? payload?.email
  return `${webhook.body?.apiVersion} ${toActual(String(id))}`
}
