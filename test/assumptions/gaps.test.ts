import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSettingId, SETTING_IDS, settingOf } from '../../src/world/settings/index.ts'
import gaps from '../gaps.json' with { type: 'json' }

/** The contract is no part of the project; where it lies beside the checkout, it is counted. */
const CONTRACT = join(import.meta.dirname, '../../../shared/provider-contract.md')
const MARK = 'not shown'

const hasContract = existsSync(CONTRACT)
if (!hasContract) console.warn(`The gaps are not counted: ${CONTRACT} is not there.`)

describe('the gaps of the contract', () => {
  it('name only settings that exist', () => {
    const named = gaps.flatMap(({ settings }) => settings)
    expect(named.filter((id) => !isSettingId(id))).toEqual([])
  })

  it('name every setting that the contract does not state', () => {
    const named = new Set(gaps.flatMap(({ settings }) => settings))
    // A gap stands for a table, of which every row is left open by it.
    const assumed = SETTING_IDS.filter((id) => !settingOf(id).stated && !TABLES.test(id))
    expect(assumed.filter((id) => !named.has(id))).toEqual([])
  })

  it('each have a setting or say why none is needed, and say what the contract does not mark', () => {
    for (const { text, settings, note = '' } of gaps) {
      if (settings.length === 0) expect(note, text).toMatch(/\.$/)
      if (!text.includes(MARK) && !SELF_EVIDENT.test(text)) expect(note, text).toMatch(/\.$/)
    }
  })
})

const TABLES = /^(status|auth|fields)\./

/** Words of the contract that mean a gap by themselves. */
const SELF_EVIDENT = /neutral word|accept either|briefly|on request|a single string appears/

describe.skipIf(!hasContract)('the contract beside the checkout', () => {
  const contract = hasContract ? readFileSync(CONTRACT, 'utf8') : ''

  it('holds the text of every gap, once', () => {
    const counts = gaps.map(({ text }) => [text, contract.split(text).length - 1])
    expect(counts.filter(([, count]) => count !== 1)).toEqual([])
  })

  it(`says ${MARK} nowhere else than in these gaps`, () => {
    const covered = gaps.flatMap(({ text }) =>
      positionsIn(text).map((position) => contract.indexOf(text) + position),
    )
    expect(covered.sort((a, b) => a - b)).toEqual(positionsIn(contract))
  })

  it('has the sections that the settings point to', () => {
    const headings = Array.from(contract.matchAll(/^##+ (.+)$/gm), ([, title = '']) => title)
    const places = SETTING_IDS.map((id) => settingOf(id).ref.split(':')[0] ?? '')
    const unknown = places.filter((place) => !headings.some((title) => title.startsWith(place)))
    expect(unknown).toEqual([])
  })
})

function positionsIn(text: string): number[] {
  return Array.from(text.matchAll(new RegExp(MARK, 'g')), ({ index }) => index)
}
