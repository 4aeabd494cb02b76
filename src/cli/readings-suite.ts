import type { Evidence } from '../coverage/evidence.ts'
import { OPERATIONS } from '../host/operations.ts'
import { SETTING_IDS, type SettingId, settingsOn } from '../world/settings/index.ts'
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
    for (const id of settingsOn(described.id)) {
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

/** The group of a setting: the first word of its id. */
const groupOf = (id: SettingId) => id.split('.')[0] ?? id

const ALL = 'all'
const GROUPS = [...new Set(SETTING_IDS.map(groupOf))].sort()

const readGroups: Reader<string[]> = (option, text) => {
  const groups = text.split(',').map((group) => group.trim())
  const unknown = groups.find((group) => ![ALL, ...GROUPS, ...SETTING_IDS].includes(group))
  if (unknown === undefined) return groups
  const known = [ALL, ...GROUPS].join(', ')
  throw invalid(option, `${option} has no group ${unknown}; it has ${known}, and ids of settings.`)
}

export const isInGroups = (setting: SettingId, groups: readonly string[]): boolean =>
  [ALL, setting, groupOf(setting)].some((group) => groups.includes(group))

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
