import { findRefusal, namesShownBy, SHOWN_BY } from '../http/run-change.ts'
import { RESOURCES, type Resource } from '../webhooks/run-change.ts'
import { EVENTS } from '../world/event-types.ts'
import { plural } from '../world/plural.ts'
import { findError } from '../world/settings/errors.ts'
import { toSettings } from '../world/settings/index.ts'
import { EVENT_TYPES } from '../world/words.ts'
import type { Outcome, Verdict } from './loop.ts'
import { Suite, type SuiteRun, type SuiteVariation } from './suite.ts'

/** A suite whose provider is damaged: it should fail. */
export class DamagedSuite extends Suite {
  override judge(run: SuiteRun, variation: SuiteVariation | undefined): Verdict {
    const verdict = super.judge(run, variation)
    if (variation === undefined || run.problem !== null) return verdict
    if (run.code !== 0) return { kind: 'held' }
    return verdict.kind === 'held' ? { kind: 'held', note: UNNOTICED } : verdict
  }
}

const UNNOTICED = 'unnoticed'

type Operation = Parameters<typeof namesShownBy>[0]

/** What is worth most comes first: money, addresses, statuses, and operations that move money. */
const WORTH: readonly RegExp[] = [
  /value|amount|fee|gas|spread|total|rate|minimum|maximum|Transaction$/i,
  /address|wallet|secret/i,
  /status|complete|Quote$/i,
  /./,
]

/** Lists damages of the provider: fields that are left out, and operations that are refused. */
export function listDamages(
  { evidence: { met } }: SuiteRun,
  operations: readonly Operation[],
): SuiteVariation[] {
  const isUsed = ({ id }: Operation) => met.includes(id)
  const used = operations.filter((operation) => operation.dialect.isContract && isUsed(operation))
  const fields = RESOURCES.flatMap((resource) =>
    [...new Set([...namesIn(resource, used), ...namesInEvents(resource, met)])].map((field) =>
      toLeftOut(resource, field),
    ),
  )
  const worthOf = ({ id }: SuiteVariation) => WORTH.findIndex((pattern) => pattern.test(id))
  const damages = [...fields, ...used.map(({ id }) => toRefused(id))]
  return damages.sort((one, other) => worthOf(one) - worthOf(other))
}

/** Fields of a resource in the responses that a suite has got. */
function namesIn(resource: Resource, used: readonly Operation[]): string[] {
  return used
    .filter(({ id }) => SHOWN_BY[resource].some((each) => each === id))
    .flatMap(namesShownBy)
}

function namesInEvents(resource: Resource, met: readonly string[]): string[] {
  const types = EVENT_TYPES.filter(
    (type) => type.startsWith(`${resource}.`) && met.includes(`webhook/${type}/delivered`),
  )
  return types.flatMap((type) => Object.keys(EVENTS[type].payload().shape))
}

function toLeftOut(resource: Resource, field: string): SuiteVariation {
  return {
    id: `${resource}.${field}`,
    words: `${resource}.${field} is left out`,
    kind: 'fields',
    change: { leftOut: { resource, field } },
    about: [],
  }
}

function toRefused(id: string): SuiteVariation {
  const code = findRefusal(id, toSettings({}))
  const error = code === undefined ? '503' : `${findError(code)?.status} ${code}`
  return {
    id,
    words: `${id} is refused (${error})`,
    kind: 'operations',
    change: { refused: id },
    about: [],
  }
}

/** What a suite would not miss. */
export interface UncheckedReport {
  unchecked: readonly { id: string; words: string }[]
  noticed: number
  unclear: readonly { id: string; why: string }[]
  runs: number
  leftOut: number
  isStopped: boolean
  problem: string | null
}

export function reportUnchecked(outcome: Outcome<SuiteVariation, SuiteRun>): UncheckedReport {
  const { results, runs, leftOut, isStopped, problem } = outcome
  const unchecked = results.flatMap(({ variation: { id, words }, verdict }) =>
    verdict.kind === 'held' && verdict.note === UNNOTICED ? [{ id, words }] : [],
  )
  const held = results.filter(({ verdict }) => verdict.kind === 'held').length
  const unclear = results.flatMap(({ variation: { id }, verdict }) =>
    verdict.kind === 'unclear' ? [{ id, why: verdict.why }] : [],
  )
  return { unchecked, noticed: held - unchecked.length, unclear, runs, leftOut, isStopped, problem }
}

export function formatUnchecked(report: UncheckedReport, title: string): string {
  const { unchecked, noticed, unclear, runs, leftOut, isStopped, problem } = report
  const changes = plural(noticed + unchecked.length + unclear.length, 'change')
  const counts = [`${noticed} noticed`, `${unchecked.length} unchecked`]
  if (unclear.length > 0) counts.push(`${unclear.length} unclear`)
  if (leftOut > 0) counts.push(`${leftOut} not tried`)
  return [
    title,
    '',
    ...(unchecked.length === 0 ? [] : ['Your suite stays green even if:']),
    ...unchecked.map(({ words }) => `  ${words}`),
    ...unclear.map(({ id, why }) => `Unclear: ${id} (${why})`),
    ...(problem === null ? [] : [`No verdict: ${problem}`]),
    `${isStopped ? 'Stopped: ' : ''}${changes} in ${plural(runs, 'run')}: ${counts.join(', ')}`,
  ].join('\n')
}
