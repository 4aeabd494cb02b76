import type { ChangeJournal } from './journal.ts'
import { STEPS } from './probes.ts'
import type { Provider } from './provider.ts'
import {
  ABILITIES,
  type Ability,
  type Context,
  type Level,
  NotMeasured,
  rankOf,
  type StepResult,
  toNotMeasured,
} from './step.ts'

export interface RunOptions {
  level: Level
  abilities: ReadonlySet<Ability>
  provider: Provider
  journal: ChangeJournal
  /** The context without what the run adds. */
  createContext(more: Pick<Context, 'putBack' | 'note'>): Context
  onStep?(id: string): void
}

/** Makes the calls of a level, in order, and puts back at the end whatever they changed. */
export async function runSteps(options: RunOptions) {
  const { level, abilities, provider, journal, createContext, onStep } = options
  const results = new Map<string, StepResult>()
  const undoing: { title: string; undo: () => Promise<void> }[] = []
  const putBack: Context['putBack'] = (title, undo) => undoing.unshift({ title, undo })
  const context = createContext({ putBack, note: journal.note })
  /** What could not be put back, with how to do it by hand. */
  const leftBehind: string[] = []
  try {
    await journal.resume(context)
    for (const [id, step] of Object.entries(STEPS)) {
      if (rankOf(step.level) > rankOf(level)) continue
      provider.step = id
      const missing = step.needs.find((ability) => !abilities.has(ability))
      const needed = missing && new NotMeasured(`it needs ${ABILITIES[missing]}`)
      results.set(id, needed ? { problem: needed } : await attempt(() => step.run(context)))
      onStep?.(id)
    }
  } finally {
    provider.ignoreSignal()
    provider.step = 'put back'
    for (const { title, undo } of undoing) {
      const undone = await attempt(undo)
      if ('problem' in undone) leftBehind.push(`${title} (${undone.problem.message})`)
    }
    if (leftBehind.length === 0) journal.end()
  }
  return { results, leftBehind, context, exchanges: provider.exchanges }
}

async function attempt(act: () => Promise<unknown>): Promise<StepResult> {
  try {
    return { result: await act() }
  } catch (error) {
    return { problem: toNotMeasured(error) }
  }
}
