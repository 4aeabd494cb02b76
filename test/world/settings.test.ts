import { describe, expect, it } from 'vitest'
import { DomainError } from '../../src/world/domain-error.ts'
import {
  formatSettings,
  parseSettings,
  SETTING_IDS,
  settingOf,
  toSettings,
} from '../../src/world/settings/index.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'

const defaults = toSettings({})

describe('settings', () => {
  it('read what they write, all of them', () => {
    const written = formatSettings(defaults)
    expect(toSettings(parseSettings(written))).toEqual(defaults)
    expect(formatSettings(toSettings(parseSettings(written)))).toEqual(written)
  })

  it('read each of the options that they name', () => {
    for (const id of SETTING_IDS) {
      const { options } = settingOf(id)
      if (typeof options === 'string') continue
      for (const option of options)
        expect(parseSettings({ [id]: option })).toEqual({ [id]: settingOf(id).parse(option) })
    }
  })

  it('beside the preset contract win, wherever they stand', () => {
    const strict = parseSettings({
      'quotes.ttl': '5m',
      preset: 'contract',
      'users.visibility': 'platform',
    })
    expect(strict).toMatchObject({ 'auth.updateUser': 'token', 'users.visibility': 'platform' })
    expect(strict['quotes.ttl']).toBe(300_000)
  })

  it('are back at their defaults under the preset default', () => {
    expect(toSettings(parseSettings({ preset: 'default' }))).toEqual(defaults)
  })

  it('each say where in the contract, what is asked and why', () => {
    for (const id of SETTING_IDS) {
      const { ref, question, why, options } = settingOf(id)
      expect([id, ref, question, why].every((text) => text.length > 3)).toBe(true)
      expect(question).toContain('?')
      expect(options.length).toBeGreaterThan(1)
    }
  })

  it.each<[string, SettingValue, SettingValue]>([
    ['quotes.ttl', 'PT90S', 90_000],
    ['quotes.ttl', '5000', 5_000],
    ['limits.active', '7', 7],
    ['v1.sunset', '2026-12-31T00:00:00Z', '2026-12-31T00:00:00Z'],
    ['names.headerPrefix', 'X-Acme-Pay', 'X-Acme-Pay'],
  ])('take %s = %s', (id, given, meant) => {
    expect(parseSettings({ [id]: given })).toEqual({ [id]: meant })
  })

  it.each<[string, SettingValue, string]>([
    ['quotes.ttl', 'soon', 'a length of time'],
    ['quotes.ttl', '36526d', 'a length of time'],
    ['quotes.ttl', '-1h', 'a length of time'],
    ['limits.active', 2.5, 'a whole number from 0'],
    ['limits.maximum', 0.0000001, 'at most six decimals'],
    ['quotes.fee', 0.51, 'from 0 to 0.5'],
    ['responses.fields', 'round', 'full | contract'],
    ['names.headerPrefix', 'X Acme', 'a header prefix'],
    ['v1.sunset', 'tomorrow', 'extended | contract'],
    ['limits.actve', 3, 'limits.active'],
    ['no.such', 1, 'There is no setting no.such'],
    ['preset', 'strict', 'preset must be default | contract'],
  ])('refuse %s = %s and say what would work', (id, given, advice) => {
    expect(errorOf(() => parseSettings({ [id]: given }))).toContain(advice)
  })
})

function errorOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof DomainError) return error.message
    throw error
  }
  return 'no refusal'
}
