import { isDeepStrictEqual } from 'node:util'
import { realTime } from '../real-time.ts'
import { compareStates, formatValue } from '../scenario/expect.ts'
import { plural } from '../world/plural.ts'

/** Reads the state of a receiver as it is now. */
export type ReadState = () => Promise<unknown>

const LOOK_EVERY_MS = 15
/** Longest that one look counts for: where the machine stands still, nothing could change. */
const LOOK_MAX_MS = 30
const SETTLE_MAX_MS = 15_000

/** A state that kept changing until time was up. */
export class Restless extends Error {
  constructor(path: string) {
    super(`\`${path}\` is still changing after ${SETTLE_MAX_MS / 1_000} s`)
  }
}

export interface SettleOptions {
  /** For so long the state must not change. */
  quietMs: number
  /** A state that must last for `holdMs` only. */
  wanted?: { state: unknown; holdMs: number } | undefined
}

/** Waits until a state no longer changes; `changedMs` is when it changed last, 0 if never. */
export async function settle(read: ReadState, { quietMs, wanted }: SettleOptions) {
  let state = await read()
  let [passedMs, changedMs] = [0, 0]
  for (const startedAt = realTime.elapsed(); ; ) {
    const isWanted = wanted !== undefined && isDeepStrictEqual(state, wanted.state)
    if (passedMs - changedMs >= (isWanted ? wanted.holdMs : quietMs)) return { state, changedMs }
    const lookedAt = realTime.elapsed()
    await realTime.pause(LOOK_EVERY_MS)
    const next = await read()
    passedMs += Math.min(realTime.elapsed() - lookedAt, LOOK_MAX_MS)
    if (isDeepStrictEqual(next, state)) continue
    const [difference] = compareStates(next, state)
    if (realTime.elapsed() - startedAt > SETTLE_MAX_MS) {
      throw new Restless(difference?.path || 'state')
    }
    state = next
    changedMs = passedMs
  }
}

/** Words the first place where two states differ, such as "`wallet` ends as 2 instead of 1". */
export function describeDifference(actual: unknown, expected: unknown, verb = 'ends as'): string {
  const [first, ...more] = compareStates(actual, expected)
  if (first === undefined) return 'the state differs'
  const others = more.length === 0 ? '' : ` (and ${plural(more.length, 'more difference')})`
  const usual = formatValue(first.expected)
  const how =
    first.actual === undefined
      ? `is missing; expected ${usual}`
      : first.expected === undefined
        ? `${verb} ${formatValue(first.actual)}; it should be missing`
        : `${verb} ${formatValue(first.actual)} instead of ${usual}`
  return `\`${first.path || 'state'}\` ${how}${others}`
}

const SHOWN_MAX = 30

/** Two states as lines below each other; those that only one has are marked. */
export function showBoth(actual: unknown, expected: unknown): string[] {
  const [lines, others] = [toLines(actual), toLines(expected)]
  const marked = [
    ...others.filter((line) => !lines.includes(line)).map((line) => `- ${line}`),
    ...lines.filter((line) => !others.includes(line)).map((line) => `+ ${line}`),
  ]
  return marked.length > SHOWN_MAX ? [...marked.slice(0, SHOWN_MAX), '…'] : marked
}

/** Lines that say by themselves where they stand: a path and a value each. */
function toLines(state: unknown, path = ''): string[] {
  if (state === null || typeof state !== 'object' || Object.keys(state).length === 0) {
    return [`${path || 'state'}: ${formatValue(state)}`]
  }
  const dot = path === '' ? '' : `${path}.`
  return Object.entries(state).flatMap(([name, part]) => toLines(part, dot + name))
}

/**
 * Sorts the fields of a state and removes the ignored ones: a plain name anywhere in the state, or a
 * dotted path from the root, in which `*` matches any name or list index.
 */
export function toComparable(state: unknown, ignored: readonly string[] = []): unknown {
  const paths = ignored.map((path) => path.split('.'))
  const isIgnored = (at: readonly string[]) =>
    paths.some((path) =>
      path.length === 1
        ? path[0] === at.at(-1)
        : path.length === at.length && path.every((part, i) => part === '*' || part === at[i]),
    )
  return rebuild(state, [])

  function rebuild(value: unknown, at: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((entry, i) => rebuild(entry, [...at, String(i)]))
    if (value === null || typeof value !== 'object') return value
    const kept = Object.entries(value)
      .filter(([name]) => !isIgnored([...at, name]))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(kept.map(([name, part]) => [name, rebuild(part, [...at, name])]))
  }
}

/** Removes what a state holds of others: the parts that name them, and nothing of one's own. */
export function withoutOthers(
  state: unknown,
  { others, own }: { others: readonly string[]; own: readonly string[] },
): unknown {
  const names = (text: unknown) => others.some((id) => String(text).includes(id))
  const isOfOthers = (name: string, part: unknown): boolean => {
    if (names(name)) return true
    if (part === null || typeof part !== 'object') return typeof part === 'string' && names(part)
    const isRecord = Object.values(part).some((value) => typeof value === 'string' && names(value))
    return isRecord && !own.some((id) => JSON.stringify(part).includes(id))
  }
  return remove(state)

  function remove(value: unknown): unknown {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.filter((part) => !isOfOthers('', part)).map(remove)
    const kept = Object.entries(value).filter(([name, part]) => !isOfOthers(name, part))
    return Object.fromEntries(kept.map(([name, part]) => [name, remove(part)]))
  }
}
