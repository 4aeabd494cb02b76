import type { Json } from '../client/http.ts'

/** Kinds of differences, the one that breaks most clients first. */
export const BREAKS = ['status', 'missing', 'type', 'name', 'value', 'additional'] as const
export type Break = (typeof BREAKS)[number]

/** Difference between two responses to the same call. */
export interface Difference {
  breaks: Break
  /** Path without list indexes, such as `data.items.status`, `status` or `headers.retry-after`. */
  path: string
  /** Value of each side; undefined for none. */
  sandbox: Json
  provider: Json
}

/** Equal differences of several calls. */
export interface DifferenceRow extends Difference {
  operations: string[]
  /** Numbers of the calls. */
  calls: number[]
  /** The steps that made the calls, with their operations. */
  seen: { operation: string; step: string }[]
}

export interface Located extends Difference {
  operation: string
  step: string
  call: number
}

/** Equal differences as one row each, the worst first. */
export function toRows(differences: readonly Located[]): DifferenceRow[] {
  const rows = new Map<string, DifferenceRow>()
  for (const { operation, step, call, ...difference } of differences) {
    const { breaks, path } = difference
    const pair = [difference.sandbox, difference.provider]
    // Values differ from call to call, and statuses from operation to operation.
    const what = breaks === 'status' ? [operation, ...pair] : breaks === 'name' ? pair : []
    const isOwn = breaks === 'value' && !path.startsWith('headers.')
    const key = JSON.stringify([breaks, path, isOwn ? operation : '', ...what])
    const row = rows.get(key) ?? { ...difference, operations: [], calls: [], seen: [] }
    rows.set(key, row)
    if (!row.operations.includes(operation)) row.operations.push(operation)
    if (!row.calls.includes(call)) row.calls.push(call)
    row.seen.push({ operation, step })
  }
  const rank = ({ breaks }: DifferenceRow) => BREAKS.indexOf(breaks)
  return [...rows.values()].sort((a, b) => rank(a) - rank(b))
}

/** Checks if a path is ignored, by any part of it or with its operation in front. */
export function isIgnored(
  { operation, path }: { operation: string; path: string },
  ignored: readonly string[],
): boolean {
  const place = `.${operation}.${path}.`
  return ignored.some((part) => place.includes(`.${part.replace(/^\$\.?/, '')}.`))
}

const SHOWN_MAX = 120

export function formatValue(value: Json): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}
