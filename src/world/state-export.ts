import { FORMAT_VERSION, LIST_NAMES, type ListName, type Lists, type State } from './state.ts'
import type { World } from './world.ts'

/** The whole world as one JSON document, from which `new World` continues. */
export function exportState(world: World): State {
  const lists = LIST_NAMES.map((list) => [list, rowsOf(world, list)])
  return {
    formatVersion: FORMAT_VERSION,
    seed: world.seed,
    secret: world.secret || undefined,
    fixture: world.fixture,
    now: world.now,
    mode: world.mode,
    settings: world.changedSettings,
    rates: world.rates,
    nextQuoteId: world.nextQuoteId,
    position: world.position,
    taskCount: world.taskCount,
    ...(Object.fromEntries(lists) as Lists),
  }
}

function rowsOf(world: World, list: ListName): readonly object[] {
  const rows = world[list]
  if (Array.isArray(rows)) return rows
  return 'after' in rows ? rows.after(0) : [...(rows instanceof Map ? rows.values() : rows)]
}

/** Copies each row of a state. Lists and objects inside rows are shared: use cases replace them. */
export function copyState(state: State): State {
  const lists = LIST_NAMES.map((list) => [list, state[list].map((row) => ({ ...row }))])
  return { ...state, ...(Object.fromEntries(lists) as Lists) }
}

/** A state as JSON; undefined if the text is longer than `lengthMax` characters. */
export function formatState(state: State, lengthMax: number): string | undefined {
  const parts: string[] = []
  let length = 0
  for (const part of toParts(state)) {
    length += part.length
    if (length > lengthMax) return undefined
    parts.push(part)
  }
  return parts.join('')
}

function* toParts(state: State): Generator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(state)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (!Array.isArray(value)) yield JSON.stringify(value)
    else {
      for (const [i, row] of value.entries()) yield (i === 0 ? '[' : ',') + JSON.stringify(row)
      yield value.length === 0 ? '[]' : ']'
    }
  }
  yield '}'
}
