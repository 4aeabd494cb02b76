import { SETTING_IDS, type SettingId } from '../../world/settings/index.ts'
import { CONTRACT_OPERATIONS } from '../operations.ts'
import { HOOK_PROBES, HOOK_STEPS } from './hooks.ts'
import { MONEY_PROBES, MONEY_STEPS } from './money.ts'
import { READ_PROBES, READ_STEPS, TOKEN_STEPS } from './read.ts'
import { type Ability, LEVELS, type Level, type Probe, rankOf, type Step } from './step.ts'
import { whyUnobservable } from './unobservable.ts'
import { WRITE_PROBES, WRITE_STEPS } from './write.ts'

/** In the order in which they are made. */
export const STEPS: Readonly<Record<string, Step>> = {
  ...READ_STEPS,
  ...WRITE_STEPS,
  ...HOOK_STEPS,
  ...TOKEN_STEPS,
  ...MONEY_STEPS,
}

/** Of several probes for one setting, the last that says something counts. */
const PROBES: readonly Probe[] = [...WRITE_PROBES, ...HOOK_PROBES, ...READ_PROBES, ...MONEY_PROBES]

export const probesFor = (setting: SettingId) => PROBES.filter((probe) => probe.setting === setting)

/** The steps whose responses show the status of a success or an error. */
export function statusSteps(setting: SettingId): string[] {
  const [, code = ''] = /^status\.(.*)$/.exec(setting) ?? []
  return Object.entries(STEPS).flatMap(([id, { refusal }]) => (refusal?.code === code ? [id] : []))
}

const isSuccess = (setting: SettingId) =>
  CONTRACT_OPERATIONS.some(({ id }) => setting === `status.${id}`)

/** The lowest level at which each setting can be found, and what that needs; or why none would do. */
export function listObservability() {
  return SETTING_IDS.map((setting) => {
    const ways = [
      ...probesFor(setting).map(({ steps }) => steps),
      ...statusSteps(setting).map((id) => [id]),
    ]
    const ranks = ways.map((steps) => rankOf(levelOf(steps)))
    const lowest = ways.findLast((_, i) => ranks[i] === Math.min(...ranks))
    if (lowest) return { setting, level: levelOf(lowest), needs: needsOf(lowest), why: null }
    const why = isSuccess(setting) ? 'no success of it was seen' : whyUnobservable(setting)
    return { setting, level: null, needs: [], why }
  })
}

/** That of the step which goes furthest. */
export function levelOf(steps: readonly string[]): Level {
  const ranks = steps.map((id) => rankOf(STEPS[id]?.level ?? 'read'))
  return LEVELS[Math.max(...ranks)] ?? 'read'
}

const needsOf = (steps: readonly string[]): Ability[] => [
  ...new Set(steps.flatMap((id) => STEPS[id]?.needs ?? [])),
]
