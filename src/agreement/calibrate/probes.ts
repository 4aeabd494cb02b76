import { SETTING_IDS, type SettingId } from '../../world/settings/index.ts'
import { HOOK_PROBES, HOOK_STEPS } from './hooks.ts'
import { MONEY_PROBES, MONEY_STEPS } from './money.ts'
import { type Ability, LEVELS, type Level, type Probe, type Step } from './probe.ts'
import { READ_PROBES, READ_STEPS, TOKEN_STEPS } from './read.ts'
import { UNOBSERVABLE } from './unobservable.ts'
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
export const PROBES: readonly Probe[] = [
  ...WRITE_PROBES,
  ...HOOK_PROBES,
  ...READ_PROBES,
  ...MONEY_PROBES,
]

/** The lowest level at which each setting can be found, and what that needs; or why none would do. */
export function listObservability() {
  return SETTING_IDS.map((setting) => {
    const ranks = probesFor(setting).map((probe) => rankOf(levelOf(probe)))
    const lowest = probesFor(setting).findLast((_, i) => ranks[i] === Math.min(...ranks))
    const why = lowest ? null : (UNOBSERVABLE[setting] ?? null)
    const needs = lowest ? needsOf(lowest) : []
    return { setting, level: lowest ? levelOf(lowest) : null, needs, why }
  })
}

export const probesFor = (setting: SettingId) => PROBES.filter((probe) => probe.setting === setting)

export const rankOf = (level: Level) => LEVELS.indexOf(level)

/** That of the step which goes furthest. */
export function levelOf({ steps }: Probe): Level {
  const ranks = steps.map((id) => rankOf(STEPS[id]?.level ?? 'read'))
  return LEVELS[Math.max(...ranks)] ?? 'read'
}

const needsOf = ({ steps }: Probe): Ability[] => [
  ...new Set(steps.flatMap((id) => STEPS[id]?.needs ?? [])),
]
