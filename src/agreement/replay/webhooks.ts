import type { Json } from '../../client/http.ts'
import type { Difference } from '../differences.ts'
import type { RecordedMessage } from '../recording.ts'
import { compareJson } from './compare.ts'
import type { Matches } from './matches.ts'

export type SentOrSeen = Pick<RecordedMessage, 'headers' | 'body'>

export interface WebhookPair {
  /** Position among the recorded ones; undefined for one that only this run sent. */
  index: number | undefined
  differences: Difference[]
}

/** Compares, for each transaction and user, what was recorded with what was sent now. */
export function compareWebhooks(
  recorded: readonly SentOrSeen[],
  actual: readonly SentOrSeen[],
  matches: Matches,
): WebhookPair[] {
  const actualOf = group(actual, (id) => id)
  const pairs: WebhookPair[] = []
  const groups = group(recorded, (id) => String(matches.find(id) ?? id))
  for (const [subject, expected] of groups) {
    const sent = actualOf.get(subject) ?? []
    actualOf.delete(subject)
    for (const [from, to] of align(expected, sent)) {
      pairs.push(comparePair(from, to, recorded, matches))
    }
  }
  for (const extra of [...actualOf.values()].flat()) {
    pairs.push(comparePair(undefined, extra, recorded, matches))
  }
  return pairs
}

function comparePair(
  from: SentOrSeen | undefined,
  to: SentOrSeen | undefined,
  recorded: readonly SentOrSeen[],
  matches: Matches,
): WebhookPair {
  const index = from && recorded.indexOf(from)
  if (from === undefined || to === undefined) {
    const [expected, actual] = [from && describe(from.body), to && describe(to.body)]
    return { index, differences: [{ breaks: 'status', path: 'webhook', expected, actual }] }
  }
  const place = { path: '', operation: 'webhook', matches, toleranceMs: TOLERANCE_MS }
  const names = [from, to].map(({ headers }) => signatureHeaders(headers))
  return {
    index,
    differences: [
      ...compareJson(place, from.body, to.body),
      ...(names[0] === names[1]
        ? []
        : [{ breaks: 'name' as const, path: 'headers', expected: names[0], actual: names[1] }]),
    ],
  }
}

/** The provider's clock and ours are not the same. */
export const TOLERANCE_MS = 5_000

const signatureHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.keys(headers)
    .map((name) => name.toLowerCase())
    .filter((name) => /-(timestamp|signature)$/.test(name))
    .sort()
    .join(', ')

/** What a webhook is, without what makes it different each time. */
function describe(body: Json): string {
  const payload = body?.payload ?? body
  return `${body?.type ?? 'v1 webhook'} ${payload?.status}`
}

/** By whom they are about and in which generation; synthetic ones are about nobody known. */
function group(webhooks: readonly SentOrSeen[], toActual: (id: string) => string) {
  const groups = new Map<string, SentOrSeen[]>()
  for (const webhook of webhooks) {
    const { body } = webhook
    const payload = body?.payload ?? body
    const id = payload?.transactionId ?? payload?.txId ?? payload?.userId ?? payload?.email
    const key = `${body?.apiVersion} ${toActual(String(id))}`
    groups.set(key, [...(groups.get(key) ?? []), webhook])
  }
  return groups
}

type Aligned = [from: SentOrSeen | undefined, to: SentOrSeen | undefined]

/** The longest run of equal statuses goes together; the rest has no other side. */
function align(expected: readonly SentOrSeen[], actual: readonly SentOrSeen[]): Aligned[] {
  const rows = expected.length + 1
  const lengths = Array.from({ length: rows }, () => new Array<number>(actual.length + 1).fill(0))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = expected.length - 1; i >= 0; i--) {
    for (let j = actual.length - 1; j >= 0; j--) {
      const row = lengths[i]
      if (!row) continue
      row[j] = isAlike(expected[i], actual[j])
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: Aligned[] = []
  for (let i = 0, j = 0; i < expected.length || j < actual.length; ) {
    const [from, to] = [expected[i], actual[j]]
    if (from && to && isAlike(from, to)) pairs.push([expected[i++], actual[j++]])
    else if (to === undefined || (from && at(i + 1, j) >= at(i, j + 1))) {
      pairs.push([expected[i++], undefined])
    } else pairs.push([undefined, actual[j++]])
  }
  return pairs
}

const isAlike = (a: SentOrSeen | undefined, b: SentOrSeen | undefined) =>
  a !== undefined && b !== undefined && alikeText(a.body) === alikeText(b.body)

const alikeText = (body: Json) => describe(body).replace('canceled', 'cancelled')
