import { SETTING_IDS, type SettingId } from '../../world/settings/index.ts'
import { CONTRACT_OPERATIONS } from '../operations.ts'
import { HOOK_FINDINGS, HOOK_STEPS } from './hooks.ts'
import { MONEY_FINDINGS, MONEY_STEPS } from './money.ts'
import type { Exchange } from './provider.ts'
import { READ_FINDINGS, READ_STEPS, TOKEN_FINDINGS, TOKEN_STEPS } from './read.ts'
import {
  ABILITIES,
  type Ability,
  type Gives,
  LEVELS,
  type Level,
  rankOf,
  type Step,
} from './step.ts'
import { WRITE_FINDINGS, WRITE_STEPS } from './write.ts'

/** In the order in which they are made. */
export const STEPS: Readonly<Record<string, Step>> = {
  ...READ_STEPS,
  ...WRITE_STEPS,
  ...HOOK_STEPS,
  ...TOKEN_STEPS,
  ...MONEY_STEPS,
}

/** What the responses of each step show, some of them together with those of steps before it. */
export const FINDINGS = {
  ...{ ...READ_FINDINGS, ...WRITE_FINDINGS, ...HOOK_FINDINGS, ...TOKEN_FINDINGS },
  ...MONEY_FINDINGS,
} as Readonly<Record<string, Gives<unknown>>>

/** The steps that show a setting. */
const GIVING = new Map<string, string[]>()
for (const [id, { meets }] of Object.entries(STEPS)) {
  const met = meets === undefined ? [] : [`status.${meets}`]
  for (const setting of [...Object.keys(FINDINGS[id] ?? {}), ...met]) {
    GIVING.set(setting, [...(GIVING.get(setting) ?? []), id])
  }
}

export const stepsFor = (setting: SettingId): readonly string[] => GIVING.get(setting) ?? []

const levelOf = (step: string): Level => STEPS[step]?.level ?? 'read'

const BY_REASON: Readonly<Record<string, string>> = {
  'time would have to pass, or money to move': `login.code.ttl transactions.cancellable
    transactions.bankRefused transactions.settlement transactions.fundsAfter
    transactions.settleAfter transactions.buyWindow transactions.sellWindow transactions.expiryLag
    limits.active limits.cancelled limits.window webhooks.timeout status.expired-token
    status.quote-expired status.limit-active status.limit-cancelled tokens.afterStatusChange
    status.revoked-token v1.hooksAfterSunset v1.statusUpdateOnCreate v1.hooks.singleUrl
    status.v1-shut-down`,
  'it could lock somebody out, or replace or create something of yours': `login.code.attempts
    webhooks.withoutSecret requests.perMinute status.limit-maximum status.no-signing-secret
    status.too-many-requests status.body-too-large status.verified-field kyb.quarterOwners
    kyb.certificates status.duplicate-business status.unknown-account status.submitKyb
    status.rotateSigningSecret status.v1MakeSigningSecret`,
  'only a sandbox has it': 'tokens.time webhooks.time cors',
}

/** Settings that no call of a client may find out, each with why. */
export const UNOBSERVABLE: ReadonlyMap<string, string> = new Map(
  Object.entries(BY_REASON).flatMap(([why, ids]) =>
    ids.split(/\s+/).map((id): [string, string] => [id, why]),
  ),
)

function whyUnobservable(setting: string): string {
  const isSuccess = CONTRACT_OPERATIONS.some(({ id }) => setting === `status.${id}`)
  const other = isSuccess ? 'no success of it was seen' : 'no call of calibrate meets it'
  return UNOBSERVABLE.get(setting) ?? other
}

export interface Observability {
  setting: SettingId
  /** The lowest level at which it can be found; null for none. */
  level: Level | null
  needs: readonly Ability[]
  why: string | null
}

/** How each setting can be found, or why no call of this command shows it. */
export function listObservability(): Observability[] {
  return SETTING_IDS.map((setting) => {
    const ways = stepsFor(setting)
    const level = LEVELS.find((one) => ways.some((id) => levelOf(id) === one)) ?? null
    const lowest = ways.findLast((id) => levelOf(id) === level)
    if (lowest === undefined) return { setting, level, needs: [], why: whyUnobservable(setting) }
    return { setting, level, needs: STEPS[lowest]?.needs ?? [], why: null }
  })
}

export const isWithin = (step: string, level: Level) => rankOf(levelOf(step)) <= rankOf(level)

/** Which settings a calibration can find, at which level, and why not the others; in Markdown. */
export function formatObservability(): string {
  const rows = listObservability()
  const tables = LEVELS.map((level) => {
    const found = rows.filter((row) => row.level === level)
    const lines = found.map(({ setting, needs }) => {
      const options = needs.map((ability) => ABILITIES[ability].replaceAll('|', '\\|')).join(', ')
      return `| \`${setting}\` | ${options} |`
    })
    return toTable(`Found with \`${level}\`: ${found.length}`, 'Needs', lines)
  })
  const others = rows.filter(({ level }) => level === null)
  const lines = others.map(({ setting, why }) => `| \`${setting}\` | ${why} |`)
  return [...tables, toTable(`Not observable: ${others.length}`, 'Why', lines)].join('\n')
}

const toTable = (title: string, head: string, lines: readonly string[]) =>
  [`## ${title}`, '', `| Setting | ${head} |`, '| --- | --- |', ...lines, ''].join('\n')

/** Every call of a run, as the sandbox itself got it. */
export function formatPlan(exchanges: readonly Exchange[]): string {
  const lines = exchanges.map(({ route, path, options, step }) => {
    const [method] = route.split(' ')
    const { body, text, key = 'first', token } = options
    const credentials = [key === 'none' ? 'no key' : `${key} key`, ...(token ? ['token'] : [])]
    const sent = body === undefined ? (text ?? '') : ` ${JSON.stringify(body)}`
    return `${method} ${decodeURIComponent(path)}${sent} (${step}; ${credentials.join(', ')})`
  })
  return [
    ...lines,
    '',
    `${lines.length} calls, if the provider responds as the sandbox does. Where a bound is another`,
    'one, a search for it makes up to ten more of the same call. Ids are those of the sandbox.',
    '',
  ].join('\n')
}
