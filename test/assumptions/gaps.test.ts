import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONSTANTS, LENGTHS } from '../../src/world/settings/constants.ts'
import { SETTING_IDS, settingOf } from '../../src/world/settings/index.ts'
import gaps from '../gaps.json' with { type: 'json' }

/** The contract is no part of the project; where it lies beside the checkout, it is counted. */
const CONTRACT = join(import.meta.dirname, '../../../shared/provider-contract.md')
const MARK = 'not shown'

const hasContract = existsSync(CONTRACT)
if (!hasContract) console.warn(`The gaps are not counted: ${CONTRACT} is not there.`)

const named = new Set(gaps.flatMap(({ settings }) => settings))

it('the gaps of the contract name only settings and constants that exist', () => {
  const known = [...SETTING_IDS, ...Object.keys(CONSTANTS), ...Object.keys(LENGTHS)]
  expect([...named].filter((id) => !known.includes(id))).toEqual([])
})

it('the gaps of the contract name every setting and every constant that the contract does not state', () => {
  const constants = Object.entries<{ value: unknown; stated?: boolean }>(CONSTANTS)
  const rows = [...SETTING_IDS.map((id) => [id, settingOf(id)] as const), ...constants]
  // A gap stands for a table, of which every row is left open by it.
  const assumed = rows.filter(([id, { stated }]) => !stated && !TABLES.test(id))
  expect(assumed.map(([id]) => id).filter((id) => !named.has(id))).toEqual([])
})

it('each gap of the contract has a setting or says why none is needed, and explains itself if the contract does not mark it', () => {
  for (const { text, settings, note = '' } of gaps) {
    if (settings.length === 0) expect(note, text).toMatch(/\.$/)
    if (!text.includes(MARK) && !SELF_EVIDENT.test(text)) expect(note, text).toMatch(/\.$/)
  }
})

const TABLES = /^(status|auth)\./

/** Words of the contract that mean a gap by themselves. */
const SELF_EVIDENT = /neutral word|accept either|briefly|on request|a single string appears/

describe.skipIf(!hasContract)('the contract beside the checkout', () => {
  const contract = hasContract ? readFileSync(CONTRACT, 'utf8') : ''

  it('the contract beside the checkout holds the text of every gap, once', () => {
    const counts = gaps.map(({ text }) => [text, contract.split(text).length - 1])
    expect(counts.filter(([, count]) => count !== 1)).toEqual([])
  })

  it(`the contract beside the checkout says ${MARK} only in these gaps`, () => {
    const covered = gaps.flatMap(({ text }) =>
      positionsIn(text).map((position) => contract.indexOf(text) + position),
    )
    expect(covered.sort((a, b) => a - b)).toEqual(positionsIn(contract))
  })

  it('the contract beside the checkout has the sections that settings and constants point to', () => {
    const headings = Array.from(contract.matchAll(/^##+ (.+)$/gm), ([, title = '']) => title)
    const rows = [
      ...SETTING_IDS.map(settingOf),
      ...Object.values(CONSTANTS),
      ...Object.values(LENGTHS),
    ]
    const places = rows.map(({ ref }) => ref.split(':')[0] ?? '')
    const unknown = places.filter((place) => !headings.some((title) => title.startsWith(place)))
    expect(unknown).toEqual([])
  })
})

function positionsIn(text: string): number[] {
  return Array.from(text.matchAll(new RegExp(MARK, 'g')), ({ index }) => index)
}
