import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Lock } from '../../src/store/lock.ts'
import { createOwner } from '../../src/store/owner.ts'
import { KEY } from '../helpers/app.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { readState } from '../helpers/state.ts'
import { register } from '../helpers/story.ts'
import { createUser, type Folder, openFolder, openKept, rejectionOf } from './kept.ts'

let folder: Folder
beforeEach(() => {
  const opened = openFolder()
  folder = opened
  // Its own: tests side by side overwrite the variable.
  return () => opened[Symbol.dispose]()
})

const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

function start(file: string) {
  const args = ['dist/cli.cjs', 'start', '--port', '0', '--json', '--data', file]
  const child = spawn(process.execPath, args, { stdio: 'pipe' })
  children.push(child)
  return child
}

/** Why a start fails. */
async function failureOf(child: ReturnType<typeof start>): Promise<string> {
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  expect(await once(child, 'exit')).toEqual([2, null])
  return said
}

const RACES = isFullDepth ? 10 : 2

describe('a data file in use', () => {
  it('is rejected to a second opener in the same process', async () => {
    await using _ = await openKept(folder.file)
    expect(await rejectionOf(folder.file)).toContain(`in use by process ${process.pid}`)
  })

  it.each([
    ['a process that ended', {}],
    ['an earlier process with our id', { pid: process.pid }],
    ['a process elsewhere that fell silent', { place: 'another container' }],
    ['nobody', undefined],
  ])('can be had after %s', async (_, owner) => {
    await (await openKept(folder.file))[Symbol.asyncDispose]()
    const place = `${read('/proc/sys/kernel/random/boot_id')} ${readlinkSync('/proc/self/ns/pid')}`
    const left = { id: 'x', pid: 999_999_999, startedAt: '1', place, host: 'here', ...owner }
    writeFileSync(`${folder.file}.lock`, owner === undefined ? '' : JSON.stringify(left))
    expect(await rejectionOf(folder.file, { silentMs: 1 })).toBe('')
    expect(Object.keys(folder.bytes())).toEqual([''])
  })

  it('is had by one of many that find its owner ended', async () => {
    for (const place of [undefined, 'another container']) {
      const left = { id: 'x', pid: 999_999_999, startedAt: '1', place: 'here', host: 'here' }
      for (let round = 0; round < RACES; round++) {
        const file = folder.path(`raced-${place}-${round}`)
        writeFileSync(`${file}.lock`, JSON.stringify({ ...left, ...(place && { place }) }))
        const race = Array.from({ length: 8 }, () =>
          Lock.take(file, createOwner('here'), { silentMs: 1 }),
        )
        const settled = await Promise.allSettled(race)
        const opened = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
        const held = opened.filter(isHeld)
        expect(held).toHaveLength(1)
        for (const lock of opened) lock.release()
      }
    }
  })
})

describe('a data file that another has', () => {
  it('is rejected to another process, until its owner has ended', async () => {
    using folder = openFolder()
    const owner = start(folder.file)
    await once(owner.stdout, 'data')
    expect(await failureOf(start(folder.file))).toContain(`in use by process ${owner.pid}`)
    expect(await rejectionOf(folder.file)).toContain(`in use by process ${owner.pid}`)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    // At once: an owner elsewhere could be silent for longer than a test may take.
    expect(await rejectionOf(folder.file, { silentMs: 1e9 })).toBe('')
  })

  it('is rejected where process ids mean others, as long as its owner is seen to live', async () => {
    using folder = openFolder()
    await using _ = await openKept(folder.file)
    const rejection = await rejectionOf(folder.file, { place: 'another container' })
    expect(rejection).toContain(`in use by process ${process.pid}`)
  })
})

function isHeld(lock: Lock): boolean {
  try {
    lock.assertHeld()
    return true
  } catch {
    return false
  }
}

const read = (path: string) => readFileSync(path, 'utf8').trim()

describe('a data file that was taken over while its owner was stopped', () => {
  it.each([1e9, 1])(
    'is not written by the owner before (compacted from %i bytes)',
    async (compactMinBytes) => {
      const reports = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      // Without a sign of life it is as good as stopped.
      const before = await openKept(folder.file, { compactMinBytes, touchMs: 60_000 })
      await register(before.app, { email: 'bob@example.com' })
      const options = { place: 'another container', silentMs: 1 }
      let state: string
      {
        await using after = await openKept(folder.file, options)
        await register(after.app, { email: 'carol@example.com' })
        for (let i = 0; i < 3; i++) {
          const { status, text } = await createUser(before, `lost-${i}@example.com`)
          expect([status, text]).toEqual([507, expect.stringContaining('took')])
        }
        expect((await before.get('/health')).storage).toEqual({
          status: 'failing',
          reason: expect.stringContaining('restart this one'),
        })
        await register(after.app, { email: 'dave@example.com' })
        await before[Symbol.asyncDispose]()
        await register(after.app, { email: 'erin@example.com' })
        state = await readState(after.app)
      }
      expect(reports).toHaveBeenCalled()
      await using again = await openKept(folder.file)
      expect(await readState(again.app)).toBe(state)
      expect(state).toContain('bob@example.com')
      reports.mockRestore()
    },
  )
})

describe('a process whose data file was taken over', () => {
  it('stops responding, reads too, before it writes anything', async () => {
    const reports = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const before = await openKept(folder.file, { touchMs: 5 })
    await before.get('/users')
    await using _ = await openKept(folder.file, { place: 'another container', silentMs: -1 })
    await vi.waitFor(() => expect(reports).toHaveBeenCalledWith(expect.stringContaining('took')))
    for (const path of ['/_sandbox/users', '/v2/users?email=alice@example.com']) {
      const { status, text } = await before.app.send(path, { headers: { 'x-api-key': KEY } })
      expect([status, text]).toEqual([507, expect.stringContaining('restart this one')])
    }
    expect((await before.get('/health')).storage).toMatchObject({ status: 'failing' })
    await before[Symbol.asyncDispose]()
    reports.mockRestore()
  })
})

describe('a data file behind a symbolic link', () => {
  it('stays there', async () => {
    mkdirSync(folder.path('volume'))
    const real = folder.path('volume/worlds.json')
    symlinkSync('volume/worlds.json', folder.file)
    {
      await using kept = await openKept(folder.file, { compactMinBytes: 1 })
      expect(await rejectionOf(real)).toContain('in use by')
      const { ino } = statSync(real)
      await register(kept.app, { email: 'bob@example.com' })
      await vi.waitFor(() => expect(statSync(real).ino).not.toBe(ino))
    }
    expect(lstatSync(folder.file).isSymbolicLink()).toBe(true)
    await using again = await openKept(real)
    expect(await readState(again.app)).toContain('bob@example.com')
  })
})
