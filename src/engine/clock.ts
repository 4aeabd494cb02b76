import { DomainError } from '../world/domain-error.ts'
import { INSTANT_HELP, parseInstant } from '../world/duration.ts'
import type { ClockMode } from '../world/state.ts'
import { toVisible } from '../world/word-list.ts'

/** Start of a clock; `at` is undefined for the present. */
export interface ClockStart {
  mode: ClockMode
  at: number | undefined
}

/** `running`, `frozen`, an instant (frozen there) or `running@<instant>`. */
export function parseClock(text: string): ClockStart {
  if (text === 'running' || text === 'frozen') return { mode: text, at: undefined }
  const [, running, instant = ''] = /^(running@)?(.+)$/.exec(text) ?? []
  const at = parseInstant(instant)
  if (at !== undefined) return { mode: running ? 'running' : 'frozen', at }
  throw new DomainError(
    'invalid',
    `clock must be running, frozen, ${INSTANT_HELP}, or running@ followed by an instant, not ${toVisible(text)}.`,
    { field: 'clock' },
  )
}
