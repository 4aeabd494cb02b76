// What `node scripts/break.mjs` changes, and what came of it: for each row the small
// changes of src that break it, and the tests that failed then.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const BREAKS_FILE = join(root, 'scripts/breaks.json')
export const RESULT_FILE = join(root, 'scripts/break-results.json')

/** By row: `{ says, file, text, instead }`. The text is in the file once. */
export const readBreaks = () => JSON.parse(readFileSync(BREAKS_FILE, 'utf8'))

/** By row and by what a change says: `{ change, commit, test: { file, title } }`. */
export const readResult = () => JSON.parse(readFileSync(RESULT_FILE, 'utf8'))

/** Tells whether a result is that of the change as it is now, by a test that still exists. */
export const isKnown = (change, found) =>
  found?.change === fingerprintOf(change) && found.test !== null && hasTest(found.test)

export const fingerprintOf = ({ file, text, instead }) =>
  createHash('sha256')
    .update(JSON.stringify([file, text, instead]))
    .digest('hex')
    .slice(0, 12)

export const countOf = (source, text) => source.split(text).length - 1

function hasTest({ file, title }) {
  const path = join(root, file)
  return existsSync(path) && listTitles(readFileSync(path, 'utf8')).some((each) => each.test(title))
}

const FIRST_ARGUMENT = /\(\s*(['"`])((?:\\.|(?!\1)[^\n\\])*)\1,/g
/** What a row of a table fills in. */
const FILLED_IN = /%[a-z]|\$\{[^}]*\}|\$\w+/

/** Patterns of the titles of tests in a source, after which nothing follows in a full title. */
const listTitles = (source) =>
  [...source.matchAll(FIRST_ARGUMENT)]
    .map(([, , text]) => text.replace(/\\(.)/g, '$1').split(FILLED_IN))
    .filter((parts) => /\w{2}/.test(parts.join('')))
    .map((parts) => new RegExp(`(^| )${parts.map(toPattern).join('.+')}$`, 's'))

const toPattern = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
