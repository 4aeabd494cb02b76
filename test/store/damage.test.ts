import { randomUUID } from 'node:crypto'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/store.ts'
import { readState } from '../helpers/state.ts'
import { logIn, register } from '../helpers/story.ts'
import { type Folder, openFolder, openKept, rejectionOf } from './kept.ts'
import { rewrite } from './rewrite.ts'

const RUNS = Number(process.env.DAMAGE_RUNS ?? 40)

/** A folder with a data file as a kill would leave it, compacted and with changes since. */
async function openLived(): Promise<Folder & { killed: string; state: string }> {
  const folder = openFolder()
  await using kept = await openKept(folder.file)
  await (await logIn(kept.app)).buy()
  await register(kept.app, { email: 'bob@example.com' })
  const state = await readState(kept.app)
  return Object.assign(folder, { killed: folder.copy('killed'), state })
}

const read = (file: string) => readFileSync(file, 'utf8')

/** Rejected with these words, and not a byte of it is another afterwards. */
async function expectRejected(folder: Folder, file: string, ...words: string[]) {
  const before = folder.bytes(file)
  const rejection = await rejectionOf(file)
  for (const word of words) expect(rejection).toContain(word)
  expect(folder.bytes(file)).toEqual(before)
}

describe('a data file that is damaged', () => {
  it(`is rejected with the place, or read as it was, whichever byte is another (${RUNS} times)`, {
    timeout: 120_000,
  }, async () => {
    using folder = await openLived()
    const bytes = readFileSync(folder.killed)
    const file = folder.path('mutated')
    const last = bytes.length - 1
    const at = fc.oneof(fc.nat(last), fc.constantFrom(0, 8, 9, last - 1, last))
    await fc.assert(
      fc.asyncProperty(at, fc.integer({ min: 1, max: 255 }), async (place, mask) => {
        const mutated = Buffer.from(bytes)
        mutated[place] = (bytes[place] ?? 0) ^ mask
        writeFileSync(file, mutated)
        const line = bytes.subarray(0, place).toString('latin1').split('\n').length
        await expectRejected(folder, file, `is damaged in line ${line},`)
      }),
      { numRuns: RUNS },
    )
  })

  it('is read as it was when the leftovers of an ended process are damaged', async () => {
    using folder = await openLived()
    writeFileSync(`${folder.killed}.lock`, '{"id":"x","pid":0')
    writeFileSync(`${folder.killed}.${randomUUID()}.tmp`, 'half of a copy')
    await using kept = await openKept(folder.killed, { silentMs: 1 })
    expect(await readState(kept.app)).toBe(folder.state)
    expect(Object.keys(folder.bytes(folder.killed))).toEqual(['', '.lock'])
  })

  it('is rejected when a line is missing, twice or in another place', async () => {
    using folder = await openLived()
    const lines = read(folder.killed).trimEnd().split('\n')
    const at = lines.findIndex((line) => line.includes('["users",'))
    for (const [changed, line] of [
      [lines.toSpliced(at, 1), at + 1],
      [lines.toSpliced(at, 0, lines[at] ?? ''), at + 2],
      [lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''), at + 1],
    ] as const) {
      writeFileSync(folder.killed, `${changed.join('\n')}\n`)
      await expectRejected(folder, folder.killed, `is damaged in line ${line},`)
    }
  })

  it.each([
    ['of another program', () => '{"users":[]}', 'is damaged in line 1'],
    ['of another format', newer, 'has the format version 4; this version of ramp-sandbox reads 3'],
    [
      'with a first line of another length',
      shorter,
      'is damaged in line 1, which begins at byte 0',
    ],
    ['with a world that was never whole', notWhole, 'is damaged in line 3'],
    ['with a row that means nothing', oddRow, 'default, that cannot be used: users.0.status'],
  ])('is rejected when it is %s', async (_, damage, words) => {
    using folder = await openLived()
    writeFileSync(folder.killed, damage(read(folder.killed)))
    await expectRejected(folder, folder.killed, folder.killed, words)
  })
})

describe('a data file whose end is missing', () => {
  it('is read up to its last whole group, wherever it was cut', async () => {
    using folder = await openLived()
    const text = read(folder.killed)
    const groups = text.trimEnd().split('["end",null]\n')
    const lastGroup = text.length - (groups.at(-1)?.length ?? 0) - 1
    const places = [lastGroup, lastGroup + 9, text.length - 1]
    for (const cut of places) {
      folder.copy('cut', folder.killed)
      truncateSync(folder.path('cut'), cut)
      const store = await openStore(folder.path('cut'))
      expect(store.cut.leftOutBytes).toBe(cut - lastGroup)
      await store.close()
      await using again = await openKept(folder.path('cut'))
      const { items } = await again.get('/users')
      const emails = items.map(({ email }: { email: string }) => email)
      expect(emails).toContain('alice@example.com')
      expect(emails).not.toContain('bob@example.com')
    }
    await using whole = await openKept(folder.killed)
    expect(await readState(whole.app)).toBe(folder.state)
  })
})

describe('a path that cannot be a data file', () => {
  it('is readable by its owner alone, because worlds hold secrets', async () => {
    using folder = openFolder()
    const store = await openStore(folder.file)
    expect(statSync(folder.file).mode & 0o077).toBe(0)
    expect(statSync(`${folder.file}.lock`).mode & 0o077).toBe(0)
    await store.close()
  })
})

const newer = (text: string) =>
  rewrite(text, ([header]) => header?.splice(1, 1, { formatVersion: 4 }))
const shorter = (text: string) =>
  text.replace(/.*\n/, (line) => {
    const json = line.slice(9).trimEnd()
    return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
  })
const notWhole = (text: string) =>
  rewrite(text, (lines) => Object.assign(lines[2]?.[1] as object, { isWhole: false }))
const oddRow = (text: string) =>
  rewrite(text, (lines) => {
    for (const [kind, row] of lines) {
      if (kind === 'users') Object.assign(row as object, { status: 'odd' })
    }
  })
