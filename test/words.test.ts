import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { enHosted } from '../src/dashboard/hosted/en.ts'
import { frHosted } from '../src/dashboard/hosted/fr.ts'
import { fill, toLanguage } from '../src/dashboard/hosted/words.ts'
import { fr } from '../src/demo/fr.ts'

type Table = Readonly<Record<string, string>>
const TABLES: [string, Table, Table][] = [
  // A text of the demo is its own key.
  ['the demo', Object.fromEntries(Object.keys(fr).map((text) => [text, text])), fr],
  ['the pages it opens', enHosted, frHosted],
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

describe.each(TABLES)('the words of %s', (_, english, french) => {
  it('have the same keys in both languages, and the same values to fill in', () => {
    expect(Object.keys(french).sort()).toEqual(Object.keys(english).sort())
    for (const [key, text] of Object.entries(english)) {
      expect(placeholdersOf(french[key]), key).toEqual(placeholdersOf(text))
      expect(french[key]?.trim(), key).not.toBe('')
    }
  })

  it('are all said somewhere', () => {
    const sources = readSources()
    const isSaid = (key: string) => [`'${key}'`, `"${key}"`].some((text) => sources.includes(text))
    const unused = Object.keys(english).filter((key) => !isSaid(key))
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
