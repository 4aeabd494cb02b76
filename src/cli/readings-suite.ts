import type { Evidence } from '../coverage/evidence.ts'
import { OPERATIONS } from '../host/operations.ts'
import { settingsOn } from '../http/concerns.ts'
import { SETTING_IDS, type SettingId, settingOf } from '../world/settings/index.ts'
import type { OptionSpecs } from './command.ts'
import { COUNT, invalid, type Reader } from './option-values.ts'

const CONTRACT = OPERATIONS.filter(({ dialect }) => dialect.isContract)
const WEBHOOKS = [...new Set(CONTRACT.map(({ dialect }) => dialect))].flatMap(({ describe }) =>
  Object.entries(describe.webhooks ?? {}),
)

/** Settings that concern what a suite calls and receives, each with those operations and webhooks. */
export function concernedBy(evidence: readonly Evidence[], met: ReadonlySet<string>) {
  const called = new Set(evidence.flatMap(({ under }) => under).flatMap((each) => each.called))
  const operations = CONTRACT.filter(({ id }) => called.has(id))
  const webhooks = WEBHOOKS.filter(([name]) => isSent(name.replace(/^v1\./, ''), met))
  const concerned = new Map<SettingId, string[]>()
  for (const described of [...operations, ...webhooks.map(([, webhook]) => webhook)]) {
    for (const id of settingsOn(described)) {
      concerned.set(id, [...(concerned.get(id) ?? []), described.id])
    }
  }
  return concerned
}

const isSent = (webhook: string, met: ReadonlySet<string>) =>
  [...met].some((id) => id.startsWith(`webhook/${webhook}/`) && !id.endsWith('/unset'))

/** Operations of the contract that succeeded. */
export const succeededIn = (met: ReadonlySet<string>): string[] =>
  CONTRACT.map(({ id }) => id).filter((id) => met.has(id))

/** Resources that are not called like their path. */
const RENAMED: Readonly<Record<string, string>> = {
  auth: 'login',
  'webhook-configurations': 'webhooks',
}

/** What an operation, or a webhook, is about. */
function resourceOf(id: string): string {
  const path = CONTRACT.find((each) => each.id === id)?.path
  if (path === undefined) return 'webhooks'
  if (path === '/submitKYB') return 'kyb'
  const [, version, resource = ''] = path.split('/')
  return version === 'v2' ? (RENAMED[resource] ?? resource) : 'v1'
}

/** Groups of a setting: the prefix of its name, and the resources of its operations. */
function groupsOf(id: SettingId): string[] {
  const named = settingOf(id).on.filter((each) => /[a-z][A-Z]/.test(each))
  return [id.split('.')[0] ?? id, ...named.map(resourceOf)]
}

const ALL = 'all'
const GROUPS = [...new Set(SETTING_IDS.flatMap(groupsOf))].sort()

const readGroups: Reader<string[]> = (option, text) => {
  const groups = text.split(',').map((group) => group.trim())
  const unknown = groups.find((group) => ![ALL, ...GROUPS, ...SETTING_IDS].includes(group))
  if (unknown === undefined) return groups
  const known = [ALL, ...GROUPS].join(', ')
  throw invalid(option, `${option} has no group ${unknown}; it has ${known}, and ids of settings.`)
}

export const isInGroups = (setting: SettingId, groups: readonly string[]): boolean =>
  [ALL, setting, ...groupsOf(setting)].some((group) => groups.includes(group))

export const READINGS_OPTIONS = {
  readings: {
    value: '[GROUP,…]',
    read: readGroups,
    values: [ALL, ...GROUPS],
    bare: ALL,
    help: 'run the command again under each other reading of the contract that concerns it',
  },
  jobs: { ...COUNT, help: 'how many readings to try at once; 1 by default' },
  'readings-max': { ...COUNT, help: 'the most readings to try, the most likely first' },
} as const satisfies OptionSpecs
