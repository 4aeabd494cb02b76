import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import { readState } from '../helpers/state.ts'
import { logIn, register } from '../helpers/story.ts'
import { errorOf, type Folder, openFolder, openKept } from './kept.ts'

/** A folder with a compacted data file and the same as a kill would leave it, log and all. */
async function openLived(): Promise<Folder & { killed: string; state: string }> {
  const folder = openFolder()
  let killed: string
  let state: string
  {
    await using kept = await openKept(folder.file)
    await (await logIn(kept.door)).buy()
    await register(kept.door, { email: 'bob@example.com' })
    state = await readState(kept.door)
    killed = folder.copy('killed')
  }
  return Object.assign(folder, { killed, state })
}

const read = (file: string) => readFileSync(file, 'utf8')

/** Refused with these words, and not a byte of it is another afterwards. */
async function expectRefused(folder: Folder, file: string, ...words: string[]) {
  const before = folder.bytes(file)
  const error = await errorOf(file)
  for (const word of words) expect(error).toContain(word)
  expect(folder.bytes(file)).toEqual(before)
}

describe('a data file that is damaged', () => {
  it.each([
    ['empty', () => '', 'not JSON'],
    ['no JSON', (text: string) => text.slice(0, -1), 'not JSON'],
    ['null', () => 'null', 'not a data file'],
    ['another program’s', () => '{"users":[]}', 'not a data file'],
    ['of a newer format', newer, 'has the format version 2; this version of ramp-sandbox reads 1'],
    ['without worlds', (text: string) => text.replace('"worlds"', '"world"'), 'lists no worlds'],
    ['with a world that is null', () => inWorld(null), 'in the world default, formatVersion'],
    ['with a state of a newer format', newerState, 'formatVersion is 2'],
    ['with a wrong field', wrongField, 'users.0.status'],
    ['with a loose end', looseEnd, 'there is no nobody'],
    ['without the time of writing', withoutWallAt, 'no wallAt'],
  ])('is refused when it is %s', async (_, damage, words) => {
    using folder = await openLived()
    writeFileSync(folder.file, damage(read(folder.file)))
    await expectRefused(folder, folder.file, folder.file, words)
  })

  it('is refused by the line when its log is damaged in the middle', async () => {
    using folder = await openLived()
    const log = read(`${folder.killed}.log`)
    const lines = log.split('\n').length - 1
    expect(lines).toBeGreaterThan(2)
    for (const [line, damaged] of [
      [1, `x${log.slice(1)}`],
      [1, `\n${log}`],
      [2, log.replace('\n', '\n0')],
      [lines, `${log.slice(0, -20)}x${log.slice(-19)}`],
      [lines + 1, `${log}deadbeef {}\n`],
    ] as const) {
      writeFileSync(`${folder.killed}.log`, damaged)
      await expectRefused(folder, folder.killed, `.log is damaged in line ${line}`)
    }
  })

  it('is refused when the log speaks of a world that was never there', async () => {
    using folder = await openLived()
    const log = read(`${folder.killed}.log`)
    writeFileSync(`${folder.killed}.log`, log.slice(log.indexOf('\n') + 1))
    await expectRefused(folder, folder.killed, 'never written whole')
  })

  it('is refused when a sound line holds a bad state', async () => {
    using folder = await openLived()
    const [first = '', ...rest] = read(`${folder.killed}.log`).split('\n')
    const json = first.slice(9).replace('"seed":"ramp-sandbox"', '"seed":""')
    const sum = crc32(json).toString(16).padStart(8, '0')
    writeFileSync(`${folder.killed}.log`, [`${sum} ${json}`, ...rest].join('\n'))
    await expectRefused(folder, folder.killed, 'in the world default, seed')
  })
})

describe('a log whose end is missing', () => {
  it('is read up to its last whole line, wherever it was cut', async () => {
    using folder = await openLived()
    const log = `${folder.killed}.log`
    const { length } = readFileSync(log)
    const lastLine = read(log).trimEnd().lastIndexOf('\n') + 1
    for (const cut of [lastLine, lastLine + 1, lastLine + 9, length - 30, length - 1]) {
      folder.copy('cut', folder.killed)
      truncateSync(folder.path('cut.log'), cut)
      await using again = await openKept(folder.path('cut'))
      const { items } = await again.get('/users')
      const emails = items.map(({ email }: { email: string }) => email)
      expect(emails).toContain('alice@example.com')
      expect(emails).not.toContain('bob@example.com')
    }
    await using whole = await openKept(folder.killed)
    expect(await readState(whole.door)).toBe(folder.state)
  })

  it('goes on behind it', async () => {
    using folder = await openLived()
    appendFileSync(`${folder.killed}.log`, 'half a li')
    let state: string
    {
      await using kept = await openKept(folder.killed)
      await register(kept.door, { email: 'carol@example.com' })
      state = await readState(kept.door)
      folder.copy('later', folder.killed)
    }
    await using again = await openKept(folder.path('later'))
    expect(await readState(again.door)).toBe(state)
  })
})

describe('what a kill in the middle of compacting leaves', () => {
  it('is read as it was: an old log counts no more behind a newer snapshot', async () => {
    using folder = await openLived()
    const early = read(`${folder.killed}.log`)
    let state: string
    {
      await using kept = await openKept(folder.killed)
      const [tx] = (await kept.get('/transactions')).items
      await kept.post(`/simulate/transactions/${tx.id}/funds-received`)
      state = await readState(kept.door)
    }
    // The snapshot was renamed into its place, and the log was not emptied.
    writeFileSync(`${folder.killed}.log`, early)
    writeFileSync(`${folder.killed}.tmp`, 'half of a snapsh')
    {
      await using again = await openKept(folder.killed)
      expect(await readState(again.door)).toBe(state)
      await register(again.door, { email: 'carol@example.com' })
      state = await readState(again.door)
      folder.copy('later', folder.killed)
    }
    expect(Object.keys(folder.bytes(folder.killed))).toEqual(['', '.log'])
    await using third = await openKept(folder.path('later'))
    expect(await readState(third.door)).toBe(state)
  })
})

describe('a data file in use', () => {
  it('is refused to a second opener in the same process', async () => {
    using folder = openFolder()
    await using _ = await openKept(folder.file)
    expect(await errorOf(folder.file)).toContain(`in use by process ${process.pid}`)
  })

  it('is refused to another process, until its owner has ended', async () => {
    using folder = openFolder()
    const start = () =>
      spawn(process.execPath, [
        'dist/cli.js',
        'start',
        '--port',
        '0',
        '--json',
        '--data',
        folder.file,
      ])
    const owner = start()
    await once(owner.stdout, 'data')
    const second = start()
    let errors = ''
    second.stderr.on('data', (chunk) => (errors += chunk))
    expect(await once(second, 'exit')).toEqual([2, null])
    expect(errors).toContain(`in use by process ${owner.pid}`)
    expect(await errorOf(folder.file)).toContain(`in use by process ${owner.pid}`)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    expect(await errorOf(folder.file)).toBe('')
  })

  it.each(['', 'nobody', '999999999', `${process.pid} 1`, '1 1'])(
    'is not in use by an owner that is gone: %j',
    async (owner) => {
      using folder = openFolder()
      writeFileSync(`${folder.file}.lock`, owner)
      expect(await errorOf(folder.file)).toBe('')
      expect(Object.keys(folder.bytes())).toEqual(['.log'])
    },
  )
})

describe('a path that cannot be a data file', () => {
  it('is refused in the words of the file system', async () => {
    using folder = openFolder()
    mkdirSync(folder.path('folder'))
    expect(await errorOf(folder.path('folder'))).toContain('EISDIR')
    expect(await errorOf(folder.path('nowhere/worlds.json'))).toContain('ENOENT')
  })

  it('is readable by its owner alone, because worlds hold secrets', async () => {
    using folder = openFolder()
    const store = await openStore(folder.file)
    expect(statSync(`${folder.file}.log`).mode & 0o077).toBe(0)
    expect(statSync(`${folder.file}.lock`).mode & 0o077).toBe(0)
    await store.close()
  })
})

interface Snapshot {
  formatVersion: number
  worlds: Record<string, { state: Record<string, unknown>; wallAt?: number }>
}

function change(text: string, spoil: (world: Snapshot['worlds'][string]) => void): string {
  const snapshot: Snapshot = JSON.parse(text)
  const world = snapshot.worlds.default
  if (world) spoil(world)
  return JSON.stringify(snapshot)
}

function newer(text: string) {
  return text.replace('{"formatVersion":1,', '{"formatVersion":2,')
}
const inWorld = (world: unknown) =>
  JSON.stringify({ formatVersion: 1, last: 0, worlds: { default: world } })
function newerState(text: string) {
  return change(text, ({ state }) => Object.assign(state, { formatVersion: 2 }))
}
function wrongField(text: string) {
  return change(text, ({ state }) => {
    const [user] = state.users as { status: string }[]
    if (user) user.status = 'happy'
  })
}
function looseEnd(text: string) {
  return change(text, ({ state }) => {
    const [transaction] = state.transactions as { integrator: string }[]
    if (transaction) transaction.integrator = 'nobody'
  })
}
function withoutWallAt(text: string) {
  return change(text, (world) => void delete world.wallAt)
}
