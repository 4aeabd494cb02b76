import type { Context } from './context.ts'
import { NotMeasured } from './not-measured.ts'
import { ABILITIES, type Ability, type Level } from './probe.ts'
import { rankOf, STEPS } from './probes.ts'
import type { Provider } from './provider.ts'

export type StepResult = { result: unknown } | { problem: NotMeasured }

export interface RunOptions {
  level: Level
  abilities: ReadonlySet<Ability>
  provider: Provider
  /** The context without `putBack`, which the run adds. */
  createContext(putBack: Context['putBack']): Context
  onStep?(id: string, results: ReadonlyMap<string, StepResult>, context: Context): void
}

/** Makes the calls of a level, in order, and puts back at the end whatever they changed. */
export async function runSteps(options: RunOptions) {
  const { level, abilities, provider, createContext, onStep } = options
  const results = new Map<string, StepResult>()
  const undoing: { title: string; undo: () => Promise<void> }[] = []
  const context = createContext((title, undo) => undoing.unshift({ title, undo }))
  /** What could not be put back, with how to do it by hand. */
  const leftBehind: string[] = []
  try {
    for (const [id, step] of Object.entries(STEPS)) {
      if (rankOf(step.level) > rankOf(level)) continue
      provider.step = id
      const missing = step.needs.find((ability) => !abilities.has(ability))
      const needed = missing && new NotMeasured(`it needs ${ABILITIES[missing]}`)
      results.set(id, needed ? { problem: needed } : await attempt(() => step.run(context)))
      onStep?.(id, results, context)
    }
  } finally {
    provider.ignoreSignal()
    provider.step = 'put back'
    for (const { title, undo } of undoing) {
      const undone = await attempt(undo)
      if ('problem' in undone) leftBehind.push(`${title}: ${undone.problem.message}`)
    }
  }
  return { results, leftBehind }
}

/** An answer of another shape than any that is known is no bug of ours, so it says why too. */
async function attempt(act: () => Promise<unknown>): Promise<StepResult> {
  try {
    return { result: await act() }
  } catch (error) {
    return { problem: toNotMeasured(error) }
  }
}

export function toNotMeasured(error: unknown): NotMeasured {
  if (error instanceof NotMeasured) return error
  if (error instanceof TypeError) return new NotMeasured('the answer has another shape')
  throw error
}
