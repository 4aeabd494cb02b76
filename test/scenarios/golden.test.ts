import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Played } from '../../src/control-api/plays.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { playHere } from './play-here.ts'
import { formatTranscript } from './transcript.ts'

const root = join(import.meta.dirname, '../..')
const names = readdirSync(join(root, 'scenarios')).map((file) => file.replace(/\.js$/, ''))
const goldenOf = (name: string) => join(root, 'test/golden', `${name}.txt`)

/** `UPDATE_GOLDEN=1 npx vitest run test/scenarios/golden.test.ts` writes the files again. */
const isUpdate = process.env.UPDATE_GOLDEN === '1'

/** Those that the command plays, too. */
const again = ['kyc-rejected-then-retried', 'v1-and-v2-side-by-side']

const HOOK_MAX_MS = 60_000
let printed: string
let played: Map<string, Played>

beforeAll(async () => {
  await using sandbox = await createSandbox()
  played = new Map()
  for (const name of names) {
    played.set(name, await playHere(sandbox, join(root, 'scenarios', `${name}.js`)))
  }
  printed = (await runInProcess(['play', ...again, '--json'])).out
  if (isUpdate)
    for (const [name, each] of played) writeFileSync(goldenOf(name), formatTranscript(each))
}, HOOK_MAX_MS)

describe('the transcripts of all scenarios', () => {
  // The golden files come from other processes.
  it('are the same bytes where the command prints them', () => {
    const scenarios = again.map((name) => played.get(name))
    expect(printed === `${JSON.stringify({ scenarios }, null, 2)}\n`).toBe(true)
  })

  it('hold nothing of this machine, this build or this moment', () => {
    const all = JSON.stringify([...played.values()])
    const own = all.replaceAll('http://127.0.0.1:9/', '').replaceAll('127.0.0.1:9', '')
    expect(own).not.toMatch(/127\.0\.0\.1|localhost|eyJ[\w-]+\.[\w-]+\.[\w-]+/)
    expect(own).not.toContain(String(new Date().getFullYear() + 1))
    expect(own).not.toContain(root)
  })

  it('have a golden file each, and no other', () => {
    const files = readdirSync(join(root, 'test/golden')).map((file) => file.replace(/\.txt$/, ''))
    expect(files.sort()).toEqual(names.sort())
  })

  it.each(names)('%s passes, with a transcript as in its golden file', (name) => {
    const each = played.get(name)
    expect(each?.problem).toBeNull()
    expect(each?.outcome).toBe('passed')
    expect(each && formatTranscript(each)).toBe(readFileSync(goldenOf(name), 'utf8'))
  })

  it.each(names)('%s imports nothing, so that it can be copied', (name) => {
    const source = readFileSync(join(root, 'scenarios', `${name}.js`), 'utf8')
    expect(source).toMatch(/^\/\/ @ts-check\n/)
    expect(source).not.toMatch(/^\s*import\b|\bimport\((?!'ramp-sandbox'\)\.)|\brequire\(/m)
  })
})
