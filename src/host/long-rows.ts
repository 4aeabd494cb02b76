import type { KybSubmission, State, Transaction, User } from '../world/state.ts'
import type { World } from '../world/world.ts'

/** A status and when it was entered. */
const CHANGE_BYTES = 60

/** Characters that callers choose, and what a row gains over time; `usual` is part of what each counts for. */
const LENGTHS = {
  users: {
    usual: 500,
    of: ({ profile, reasons, history }: User) =>
      lengthOf(profile.olderUserInfo ?? {}) +
      lengthOf(profile) +
      lengthOf(reasons) +
      CHANGE_BYTES * history.length,
  },
  transactions: {
    usual: 500,
    of: ({ wallet, externalSessionId, securityAnswer, history }: Transaction) =>
      lengthOf({ wallet, externalSessionId, securityAnswer }) + CHANGE_BYTES * history.length,
  },
  kybSubmissions: {
    usual: 2_000,
    of: ({ submission }: KybSubmission) => JSON.stringify(submission).length,
  },
}
type List = keyof typeof LENGTHS

/** Looks at the rows of a world that are much longer than others, and at each as it changes. */
export interface LongRows {
  /** Bytes beyond those that every row counts for. */
  readonly bytes: number
}

export function followLongRows(world: World): LongRows {
  const extras = new Map<object, number>()
  let bytes = 0
  for (const list of Object.keys(LENGTHS) as List[]) for (const row of world[list]) look(list, row)
  world.listen({
    onTouch(kind, row) {
      if (kind in LENGTHS) look(kind as List, row)
    },
  })
  return {
    get bytes() {
      return bytes
    },
  }

  function look(list: List, row: object) {
    const extra = toExtra(list, row)
    const before = extras.get(row) ?? 0
    if (extra === before) return
    bytes += extra - before
    extras.set(row, extra)
  }
}

/** The same of a state that is no world yet. */
export function countLongRows(state: State): number {
  let bytes = 0
  for (const list of Object.keys(LENGTHS) as List[])
    for (const row of state[list]) bytes += toExtra(list, row)
  return bytes
}

function toExtra(list: List, row: object): number {
  const { usual, of } = LENGTHS[list]
  return Math.max(0, of(row as never) - usual)
}

function lengthOf(texts: object): number {
  let length = 0
  for (const name in texts) {
    const text = (texts as Record<string, unknown>)[name]
    if (typeof text === 'string') length += text.length
  }
  return length
}
