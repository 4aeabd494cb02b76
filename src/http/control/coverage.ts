import type { Coverage } from '../../control-api/info.ts'
import type { Situations } from '../../engine/situations.ts'
import type { Settings } from '../../world/settings/index.ts'
import type { OperationDescription } from '../operation-description.ts'
import { listSituations } from '../situations.ts'
import { implement } from './dialect.ts'

export const coverage = [
  implement('coverage', ({ c, services, who, world }) => {
    const { control, prefix } = c.env
    const situations = who.isMain && prefix === '' ? control.situations : services.situations
    return readCoverage(situations, control.operations, world.settings)
  }),
]

/** Before the first call, the report lists what can occur under the current settings. */
export function readCoverage(
  { met, calls, possible }: Situations,
  operations: readonly OperationDescription[],
  now: Settings,
): Coverage {
  const ids = possible.size > 0 ? [...possible] : listSituations(operations, now)
  const calledAt = new Map(operations.map(({ id, method, path }) => [id, `${method} ${path}`]))
  const toRow = (id: string) => {
    return { id, met: met.has(id), call: calledAt.get(id.split('/')[0] ?? '') ?? null }
  }
  return { calls, situations: ids.map(toRow) }
}
