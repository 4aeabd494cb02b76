import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createExports } from '../../src/store/export-document.ts'
import { importDocument } from '../../src/store/import-document.ts'
import { World } from '../../src/world/world.ts'
import { openControl } from '../control/control.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { readState } from '../helpers/state.ts'
import { logIn } from '../helpers/story.ts'

const RUNS = Number(process.env.STATE_RUNS ?? (isFullDepth ? 100 : 25))
const COUNT = isFullDepth ? 100_000 : 5_000
const USERS = isFullDepth ? 20_000 : 5_000

async function exportSmall(): Promise<string> {
  await using control = openControl()
  await (await logIn(control.app)).buy({ externalSessionId: 'é漢🙂 "]}\\' })
  return readState(control.app)
}

/** Cut into pieces, anywhere, also within a character. */
async function* cut(text: string | Buffer, places: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  const sorted = places.map((place) => place % bytes.length).sort((a, b) => a - b)
  let from = 0
  for (const to of [...sorted, bytes.length]) {
    yield bytes.subarray(from, to)
    from = to
  }
}

const Places = fc.array(fc.nat(1_000_000), { maxLength: 50 })

describe('a document in pieces', () => {
  it('is what JSON.parse makes of it, however it is cut and laid out', async () => {
    const text = await exportSmall()
    const state = JSON.parse(text)
    await fc.assert(
      fc.asyncProperty(Places, fc.constantFrom('', 1, '\t', '\r\n  '), async (places, space) => {
        const laidOut = JSON.stringify(state, null, space)
        expect(await importDocument(cut(laidOut, places))).toEqual(state)
      }),
      { numRuns: RUNS },
    )
  })

  it('is rejected whenever JSON.parse would reject it', async () => {
    const text = await exportSmall()
    const Character = fc.constantFrom(...'{}[],:"\\ 0x\n'.split(''), '')
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length), Character, Places, async (at, character, places) => {
        const edited = text.slice(0, at) + character + text.slice(at + 1)
        // Half of a pair of characters cannot be sent.
        const changed = Buffer.from(edited).toString()
        const read = await importDocument(cut(changed, places)).catch(() => undefined)
        if (read !== undefined) expect(read).toEqual(JSON.parse(changed))
      }),
      { numRuns: RUNS },
    )
  })

  it.each([
    '{}{}',
    '{,}',
    '{"users":1[]}',
    '{"users":[]"tasks":[]}',
    '{"users":[],}',
    '{"users":[,]}',
    '{"users":[1,]}',
    '[{}]',
    '{"a" 1}',
    '{"users":[\u00a0]}',
    '{"users":[}',
    '{"users":[]',
    '5',
    '',
  ])('is rejected: %s', async (text) => {
    await expect(importDocument(cut(text, []))).rejects.toThrow(/JSON|format|users/)
  })

  it.each([
    ['with a list that is unknown', '{"accounts":[', 'Unrecognized key: "accounts"'],
    ['with a list twice', '{"users":[],"users":[', 'users: is there twice'],
    [
      'of another format, whatever its rows are',
      '{"formatVersion":9,"users":[',
      'formatVersion is 9',
    ],
  ])('is rejected where that is seen: %s', async (_, text, words) => {
    await expect(importDocument(cut(text, []))).rejects.toThrow(words)
  })

  it('may not have a row longer than a string can be', { timeout: 60_000 }, async () => {
    async function* endless() {
      yield Buffer.from('{"formatVersion":1,"users":["')
      for (let i = 0; i < 40; i++) yield Buffer.alloc(1024 * 1024, 'x')
      yield Buffer.from('"]}')
    }
    await expect(importDocument(endless())).rejects.toThrow('more than 33554432 bytes')
  })

  it('must be UTF-8', async () => {
    const latin1 = Buffer.from('{"formatVersion":1,"users":[{"city":"Montréal"}]}', 'latin1')
    await expect(importDocument(cut(latin1, []))).rejects.toThrow('UTF-8')
  })

  it('must not be compressed', async () => {
    await using control = openControl()
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const { status, errors } = await control.refused('PUT', '/state', { text: '{}', headers })
    expect([status, errors[0]?.field]).toEqual([415, 'content-encoding'])
  })

  it('may not be nested without end', async () => {
    const text = `{"formatVersion":1,"kybSubmissions":[${'['.repeat(100_000)}`
    await expect(importDocument(cut(text, []))).rejects.toThrow('at most 100 deep')
  })
})

describe(`a state of ${COUNT.toLocaleString('en')} transactions`, () => {
  it('is exported and comes back in', { timeout: 120_000 }, async () => {
    const state = JSON.parse(await exportSmall())
    const [transaction] = state.transactions
    for (let i = 1; i < COUNT; i++) {
      const id = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
      state.transactions.push({ ...transaction, id })
    }
    state.users[0].transactionCount = COUNT
    const text = JSON.stringify(state)
    await using control = openControl()
    await control.put('/state', state)
    expect((await control.get('/transactions?limit=1')).total).toBe(COUNT)
    const exported = await readState(control.app)
    expect(exported.length).toBe(text.length)
    expect(exported === text).toBe(true)
  })
})

describe('exports that nobody reads', () => {
  it('keep others out until some of them are', async () => {
    const world = new World(JSON.parse(await exportSmall()))
    const exports = createExports(1)
    const take = () => exports.take(() => world)
    const [first, ...others] = await Promise.allSettled([take(), take(), take()])
    expect(others.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(take()).rejects.toMatchObject({ detail: { code: 'too-many-exports' } })
    if (first.status === 'fulfilled') first.value.splice(0)
    expect(await take()).not.toEqual([])
  })
})

describe('a state that is exported while it changes', () => {
  it('is that of one moment, and lets others have their turn', { timeout: 60_000 }, async () => {
    const users = Array.from({ length: USERS }, (_, i) => ({ email: `u${i}@example.com` }))
    await using control = openControl({ fixture: { users } })
    const exported = readState(control.app)
    let isOver = false
    void exported.then(() => (isOver = true))
    let changes = 0
    for (; !isOver; changes++) {
      const path = `/simulate/users/u${changes % USERS}@example.com/kyc`
      await control.post(path, { status: changes < USERS ? 'in-review' : 'verified' })
      await new Promise((resolve) => setImmediate(resolve))
    }
    // Written in one turn, it would let in a single one; few rows take no longer than a turn.
    expect(changes).toBeGreaterThan(isFullDepth ? 2 : 0)
    const state = JSON.parse(await exported)
    const changed = state.users.filter(({ status }: { status: string }) => status === 'in-review')
    expect(state.users).toHaveLength(users.length)
    expect(state.eventCount).toBe(changed.length)
    await control.put('/state', state)
  })
})

it('exports a large state while a test of the same process has fake timers', async () => {
  const users = Array.from({ length: 5_000 }, (_, i) => ({ email: `u${i}@example.com` }))
  await using control = openControl({ fixture: { users } })
  vi.useFakeTimers({ toFake: ['setImmediate'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(JSON.parse(await readState(control.app)).users).toHaveLength(users.length)
})

describe('a document of nothing but empty rows', () => {
  it('is rejected at the first of them, and not read to its end', async () => {
    let count = 0
    async function* endless() {
      yield Buffer.from('{"formatVersion":1,"transactions":[{}')
      for (; ; count++) yield Buffer.from(',{}'.repeat(1_000))
    }
    await expect(importDocument(endless())).rejects.toThrow('transactions.0')
    expect(count).toBeLessThan(2)
  })

  it('has a bound in bytes, that the answer names', async () => {
    await using control = openControl()
    const headers = { 'content-length': String(2 ** 31) }
    const rejected = await control.refused('PUT', '/state', { text: '{}', headers })
    expect(rejected).toMatchObject({ status: 413, code: 'body-too-large' })
    expect(rejected.title).toContain(String(2 ** 30))
  })
})
