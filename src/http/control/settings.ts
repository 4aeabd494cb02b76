import type { SettingRecord } from '../../control-api/settings.ts'
import { DomainError } from '../../world/domain-error.ts'
import { suggest } from '../../world/nearest.ts'
import { setRates } from '../../world/quotes.ts'
import {
  describeUnknownSetting,
  isSettingId,
  SETTING_IDS,
  type SettingId,
  type Settings,
  settingOf,
  strictValue,
} from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import { implement } from './dialect.ts'
import { readList, toList } from './page.ts'

export const settings = [
  implement('settings.list', ({ world, input: { query } }) => {
    const rows = SETTING_IDS.map((id) => presentSetting(world.settings, id))
    const listed = readList(rows, { query, filters: SETTING_FILTERS, present: (row) => row })
    const { q = '' } = query
    const isUnknown = q !== '' && !rows.some((row) => SETTING_FILTERS.q(row, q))
    return isUnknown ? { ...listed, unknown: describeUnmatched(q) } : listed
  }),
  implement('settings.set', ({ world, input }) => {
    const given = Object.entries(input.body as Record<string, SettingValue | null>)
    const changes = Object.fromEntries(
      given.map(([id, value]) => [id, value === 'default' && id !== 'preset' ? null : value]),
    )
    const before = world.settings
    world.changeSettings(changes)
    const now = world.settings
    const shown = SETTING_IDS.filter((id) => Object.hasOwn(changes, id) || before[id] !== now[id])
    return toList(shown.map((id) => presentSetting(now, id)))
  }),
  implement('settings.get', ({ world, param }) => {
    const id = param('id')
    if (isSettingId(id)) return presentSetting(world.settings, id)
    throw new DomainError('not-found', describeUnknownSetting(id), { field: 'id' })
  }),
  implement('rates.get', ({ world }) => world.rates),
  implement('rates.set', ({ world, input }) => setRates(world, input.body)),
]

/** Words that no setting has are often an id that was mistyped, or one with a value. */
function describeUnmatched(q: string): string {
  const [id = '', value] = q.split(' ')
  return isSettingId(id) && value
    ? `No setting matches ${q}. To change it: settings ${id}=${value}.`
    : `No setting matches ${q}${suggest(q, SETTING_IDS)}`
}

const SETTING_FILTERS = {
  q({ id, question }: SettingRecord, asked: string) {
    const text = `${id} ${question}`.toLowerCase()
    const words = asked.toLowerCase().split(' ')
    return words.every((word) => text.includes(word))
  },
  changed: (row: SettingRecord, is: boolean) => (row.value !== row.default) === is,
  open: ({ stated }: SettingRecord, is: boolean) => !stated === is,
}

function presentSetting(values: Settings, id: SettingId): SettingRecord {
  const { ref, question, why, options, stated = false, format, default: standard } = settingOf(id)
  return {
    id,
    contractRef: ref,
    question,
    options,
    why,
    stated,
    value: format(values[id]),
    default: format(standard),
    strict: format(strictValue(id)),
  }
}
