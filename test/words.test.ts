import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import frHosted from '../src/dashboard/hosted/fr.json' with { type: 'json' }
import { fill, toLanguage } from '../src/dashboard/hosted/words.ts'
import fr from '../src/demo/fr.json' with { type: 'json' }

type Table = Readonly<Record<string, string>>
/** French by its English. */
const TABLES: [string, Table][] = [
  ['the demo', fr],
  ['the pages it opens', frHosted],
]
const placeholdersOf = (text = '') => (text.match(/\{\w+\}/g) ?? []).sort()

/** The sources that may say a text. */
function readSources(): string {
  const folders = ['src/demo/client', 'src/dashboard/hosted']
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
  return files.join('\n')
}

describe.each(TABLES)('the words of %s', (_, table) => {
  it('have the same values to fill in as their translation', () => {
    for (const [english, french] of Object.entries(table)) {
      expect(placeholdersOf(french), english).toEqual(placeholdersOf(english))
      expect(french.trim(), english).not.toBe('')
    }
  })

  it('are all said somewhere', () => {
    const sources = readSources()
    const isSaid = (key: string) => [`'${key}'`, `"${key}"`].some((text) => sources.includes(text))
    const unused = Object.keys(table).filter((key) => !isSaid(key))
    expect(unused).toEqual([])
  })
})

describe('a text', () => {
  it('is filled in, keeps what is unknown, and does not break e-transfer at its hyphen', () => {
    expect(fill('{a} and {b}', { a: 1 })).toBe('1 and {b}')
    expect(fill('an e-transfer')).toBe('an e\u2011transfer')
  })

  it('is French for each French, and English for everything else', () => {
    const asked = ['fr', 'fr-CA', 'FR', 'en', 'french', '', null]
    expect(asked.map(toLanguage)).toEqual(['fr', 'fr', 'fr', 'en', 'en', 'en', 'en'])
  })
})
