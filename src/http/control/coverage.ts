import type { Coverage } from '../../control-api/info.ts'
import type { Situations } from '../../engine/situations.ts'
import type { Settings } from '../../world/settings/index.ts'
import type { OperationDescription } from '../operation-description.ts'
import { listNeverMet, listSituations } from '../situations.ts'
import { implement } from './dialect.ts'

export const coverage = [
  implement('coverage', ({ c, services, who, world }) => {
    const { control, prefix } = c.env
    const situations = who.isMain && prefix === '' ? control.situations : services.situations
    return presentCoverage(situations, control.operations, world.settings)
  }),
]

/** Situations that have occurred, and those that can occur under these settings. */
export function presentCoverage(
  { calls, met }: Pick<Situations, 'calls' | 'met'>,
  operations: readonly OperationDescription[],
  settings: Settings,
): Coverage {
  return { calls, met: [...met], neverMet: listNeverMet(listSituations(operations, settings), met) }
}
