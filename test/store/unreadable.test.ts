import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { logIn, register } from '../helpers/story.ts'
import { type Folder, openFolder, openKept, rejectionOf } from './kept.ts'

let folder: Folder
beforeEach(async () => {
  folder = openFolder()
  await using kept = await openKept(folder.data)
  await (await logIn(kept.app)).buy()
  await register(kept.world('other').app, { email: 'bob@example.com' })
})
afterEach(() => folder[Symbol.dispose]())

/** Spoils the text of a file. */
function spoil(change: (text: string) => string, file = 'other.json'): string {
  const path = join(folder.data, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  return path
}

it.each([
  ['cut off', (text: string) => text.slice(0, -9), 'JSON'],
  ['of another version', replace('"formatVersion": 2', '"formatVersion": 1'), 'formatVersion is 1'],
  [
    'with a wrong row',
    replace('"status": "verified"', '"status": "odd"'),
    'users.0.status must be initial, active, ',
  ],
  ['without an instant', replace(/"savedAt": ".*"/, '"savedAt": "noon"'), 'savedAt is not'],
])(
  'a file that cannot be read because it is %s is reported with what to do, and stays as it is',
  async (_, change, why) => {
    const path = spoil(change)
    const before = readFileSync(path, 'utf8')
    const rejection = await rejectionOf(folder.data)
    expect(rejection).toContain(`${path} cannot be read: `)
    expect(rejection).toContain(why)
    expect(rejection).toContain('Fix it, or move it out of the folder')
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(folder.files()).toEqual(['default.json', 'other.json'])
  },
)

function replace(from: string | RegExp, to: string) {
  return (text: string) => {
    expect(text).toMatch(from)
    return text.replace(from, to)
  }
}
