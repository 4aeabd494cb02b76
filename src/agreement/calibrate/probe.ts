import type { SettingId } from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import type { Context } from './context.ts'
import type { Reading } from './provider.ts'
import { byStatus, isAccepted } from './reading.ts'

export const LEVELS = ['read', 'write', 'money'] as const
/** How far a run may go: only reads; users, logins and webhooks; one smallest transaction. */
export type Level = (typeof LEVELS)[number]

/** What a step needs that only the person who runs it can give. */
export const ABILITIES = {
  user: '--user EMAIL',
  code: '--code-from stdin|URL|COMMAND',
  token: '--token env:NAME (a login from the level write on)',
  newUsers: '--new-users PATTERN',
  receiver: '--webhooks PORT',
  secondKey: '--second-api-key env:NAME',
} as const
export type Ability = keyof typeof ABILITIES

/** One or more calls, made once, whose answers several probes look at. */
export interface Step<Result = unknown> {
  level: Level
  needs: readonly Ability[]
  run(context: Context): Promise<Result>
}

export type Results<Steps> = {
  readonly [Id in keyof Steps]: Steps[Id] extends Step<infer Result> ? Result : never
}

/** How one setting is found: the steps it looks at, and what their answers say. */
export interface Probe {
  setting: SettingId
  steps: readonly string[]
  /** Throws `NotMeasured` where the answers do not say it. */
  find(results: Readonly<Record<string, unknown>>, context: Context): SettingValue
}

/** The functions that make the probes which look at some steps. */
export function probesOf<Steps extends Readonly<Record<string, Step>>>() {
  type ReadingOf = {
    [Id in keyof Steps]: Steps[Id] extends Step<Reading> ? Id & string : never
  }[keyof Steps]
  return { probe, statusProbe, acceptanceProbe }

  function probe<const Ids extends readonly (keyof Steps & string)[]>(
    setting: SettingId,
    steps: Ids,
    find: (results: Pick<Results<Steps>, Ids[number]>, context: Context) => SettingValue,
  ): Probe {
    return { setting, steps, find: find as Probe['find'] }
  }

  /** Of an answer whose status alone says it. */
  function statusProbe(
    setting: SettingId,
    step: ReadingOf,
    options: Record<number, string>,
  ): Probe {
    return { setting, steps: [step], find: (all) => byStatus(all[step] as Reading, options) }
  }

  /** Of a request that is accepted under one option, and found invalid under the other. */
  function acceptanceProbe(
    setting: SettingId,
    step: ReadingOf,
    [yes, no]: [string, string],
  ): Probe {
    return { setting, steps: [step], find: (all) => (isAccepted(all[step] as Reading) ? yes : no) }
  }
}

/** A step whose result has the type of what `run` answers. */
export const step = <Result>(
  level: Level,
  needs: readonly Ability[],
  run: (context: Context) => Promise<Result>,
): Step<Result> => ({ level, needs, run })

/** A step of one call that needs nothing to be known. */
export function call(level: Level, route: string, options: CallSpec = {}): Step<Reading> {
  const { needs = [], ...given } = options
  return { level, needs, run: (context) => context.send(route, given) }
}

type CallSpec = Parameters<Context['send']>[1] & { needs?: readonly Ability[] }
