import type { State } from '../../src/world/state.ts'
import { exportState } from '../../src/world/state-export.ts'
import type { World } from '../../src/world/world.ts'

/** A state as it was, and the JSON text of each of its parts. */
export interface Recording {
  state: State
  texts: Readonly<Record<string, string>>
}

export interface RecordOptions {
  /** Recorded before; parts that are the same are shared, which saves most of the work. */
  before: Recording | undefined
  /** Whether to take the past rows of the journals as read. They are looked at now and then. */
  trustsJournals: boolean
}

export function record(world: World, { before, trustsJournals }: RecordOptions): Recording {
  const state: Record<string, unknown> = {}
  const texts: Record<string, string> = {}
  let isSame = before !== undefined
  for (const [part, value] of Object.entries(exportState(world))) {
    const was = before && { text: before.texts[part] ?? '', value: Reflect.get(before.state, part) }
    const isTrusted = trustsJournals && JOURNALS.has(part)
    const now = (isTrusted && was && extend(was, value)) || copy(was, value)
    texts[part] = now.text
    state[part] = now.value
    isSame &&= now.text === was?.text
  }
  return before && isSame ? before : { state: state as unknown as State, texts }
}

interface Part {
  text: string
  value: unknown
}

const JOURNALS: ReadonlySet<string> = new Set(['events', 'messages'])

function copy(was: Part | undefined, value: unknown): Part {
  const text = JSON.stringify(value)
  return was?.text === text ? was : { text, value: JSON.parse(text) }
}

/** The part with the rows that a journal grew by. */
function extend({ text, value }: Part, rows: unknown): Part | undefined {
  if (!Array.isArray(rows) || !Array.isArray(value) || value.length === 0) return undefined
  if (rows.length < value.length) return undefined
  if (rows.length === value.length) return { text, value }
  const fresh = JSON.stringify(rows.slice(value.length))
  return { text: `${text.slice(0, -1)},${fresh.slice(1)}`, value: [...value, ...JSON.parse(fresh)] }
}
