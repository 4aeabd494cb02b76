import { describe, expect, it } from 'vitest'
import { SETTING_IDS as ALL, type SettingId, settingOf } from '../../src/world/settings/index.ts'
import type { Row, Rows } from './rows.ts'
import { ONBOARDING_ROWS } from './rows-onboarding.ts'
import { SERVICE_ROWS } from './rows-service.ts'
import { TRADING_ROWS } from './rows-trading.ts'
import { openScene } from './scene.ts'

/** These have tables of their own, in test/tables. */
const IN_TABLES = /^(status\.(?!created$)|auth\.|responses\.fields$)/
const SETTING_IDS = ALL.filter((id) => !IN_TABLES.test(id))

const ROWS: Rows = { ...ONBOARDING_ROWS, ...TRADING_ROWS, ...SERVICE_ROWS }

it('every setting has a row here', () => {
  expect(Object.keys(ROWS).sort()).toEqual([...SETTING_IDS].sort())
})

it.each(SETTING_IDS)(
  'the rows for the setting %s try its default and each of its options',
  (id) => {
    const tried = Object.keys(rowOf(id).under)
    const { options, parse } = settingOf(id)
    const expected = typeof options === 'string' ? wordsOf(options) : options
    expect(tried).toEqual(expect.arrayContaining([...expected]))
    expect(tried.map(parse)).toContain(settingOf(id).default)
    expect(new Set(tried.map(parse)).size).toBeGreaterThan(1)
    expect(tried.map(parse)).not.toContain(undefined)
  },
)

it.each(SETTING_IDS)('the setting %s has an observable effect', (id) => {
  const seen = Object.values(rowOf(id).under).map((value) => JSON.stringify(value) ?? 'none')
  expect(new Set(seen).size).toBeGreaterThan(1)
})

describe.each(SETTING_IDS)('%s', (id) => {
  const { see, under } = rowOf(id)
  it.each(Object.entries(under))(
    `the setting ${id} = %s has the effect that its row lists`,
    async (option, expected) => {
      const scene = openScene({ [id]: option })
      expect(await see(scene)).toEqual(expected)
      await scene.app.close()
    },
  )
})

function rowOf(id: SettingId): Row {
  return ROWS[id] ?? { see: async () => undefined, under: {} }
}

/** The words in `extended | contract | an instant such as …`. */
const wordsOf = (options: string) =>
  options.split(' | ').filter((word) => options.includes(' | ') && /^[a-z-]+$/.test(word))
