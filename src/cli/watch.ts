import { statSync } from 'node:fs'
import { realTime } from '../real-time.ts'
import { DomainError } from '../world/domain-error.ts'
import { invalid } from './option-values.ts'
import type { Serving } from './serving.ts'
import type { ServingGiven } from './serving-options.ts'

/** Interval for looking at files, because mounted folders send no events. */
const LOOK_EVERY_MS = 200

type Texts = Readonly<Record<string, unknown>>

interface Watching {
  texts: Texts
  /** Reads the options again, and with them the files that they name. */
  again: () => Pick<ServingGiven, 'values'>
  serving: Pick<Serving, 'reload'>
  say: (reloaded: Reloaded) => void
}

/** A changed file, with what differs now or why it cannot be used. */
export interface Reloaded {
  file: string
  changes: readonly string[]
  problem?: string
}

/** Throws if no file is named, or if a reload would replace worlds of a data file. */
export function assertWatchable({ data, ...texts }: Texts): void {
  if (data !== undefined) {
    throw invalid('--watch', '--watch cannot be used with --data, whose worlds it would replace.')
  }
  if (filesIn(texts).length > 0) return
  const message = '--watch needs a file: --fixture FILE, --settings FILE or --set @FILE.'
  throw invalid('--watch', message)
}

/**
 * Loads a fixture or a settings file anew each time it changes, until the process ends. No change
 * is missed once this has returned.
 */
export function watchFiles({ texts, again, serving, say }: Watching): void {
  for (const file of filesIn(texts)) watch(file, () => say(reload(file)))

  function reload(file: string): Reloaded {
    try {
      const changes = serving.reload(again().values, { anew: file === texts.fixture })
      return { file, changes }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return { file, changes: [], problem: error.problems.map(({ message }) => message).join(' ') }
    }
  }
}

function watch(file: string, changed: () => void): void {
  let known = stampOf(file)
  realTime.setInterval(() => {
    const stamp = stampOf(file)
    if (stamp === known) return
    known = stamp
    changed()
  }, LOOK_EVERY_MS)
}

/** Tells one content of a file from the next; undefined where there is no file. */
function stampOf(file: string): string | undefined {
  try {
    const { mtimeMs, size } = statSync(file)
    return `${mtimeMs} ${size}`
  } catch {
    return undefined
  }
}

function filesIn({ fixture, settings, set = [] }: Texts): string[] {
  const named = typeof fixture === 'string' && /\.json$|[\\/]/.test(fixture) ? [fixture] : []
  const sets = (set as string[]).flatMap((text) => (text.startsWith('@') ? [text.slice(1)] : []))
  return [...named, ...(typeof settings === 'string' ? [settings] : []), ...sets]
}

export function formatReloaded({ file, changes, problem }: Reloaded): string {
  if (problem !== undefined) return `${file} changed and cannot be used: ${problem}`
  const seen = changes.length > 0 ? `: ${changes.join(', ')}` : ''
  return `${file} changed and was loaded${seen}`
}
