import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { lockFolder } from '../../src/store/lock.ts'
import { KEY } from '../helpers/app.ts'
import { fakeSandboxTimers, holdPauses } from '../helpers/fake-timers.ts'
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

function start(data: string) {
  const args = ['dist/cli.cjs', 'start', '--port', '0', '--json', '--data', data]
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

const BUNDLED = { bundle: true, format: 'esm', platform: 'node' } as const
const RACES = 40

const lockOf = (data: string) => join(data, 'lock')
const read = (path: string) => readFileSync(path, 'utf8').trim()
const HERE = `${read('/proc/sys/kernel/random/boot_id')} ${readlinkSync('/proc/self/ns/pid')}`
const ELSEWHERE = 'another container'

/** A lock as a process left it. */
function leave(data: string, ...[pid, startedAt, place]: string[]) {
  mkdirSync(data, { recursive: true })
  writeFileSync(lockOf(data), ['id', pid, startedAt, place].join('\n'))
}

it('a folder in use is refused to a second process, and only its owner can access its lock', async () => {
  await using _ = await openKept(folder.data)
  expect(await rejectionOf(folder.data)).toContain(`process ${process.pid} is using it`)
  expect(statSync(lockOf(folder.data)).mode & 0o077).toBe(0)
})

it.each([
  ['a process that ended', '999999999', '1', HERE],
  ['an earlier process with our id', String(process.pid), '1', HERE],
  ['a process elsewhere that stopped touching its lock', '1', '1', ELSEWHERE],
  ['a lock without text', '', '', ''],
])('a folder can be used again after %s', async (_, ...owner) => {
  leave(folder.data, ...owner)
  expect(await rejectionOf(folder.data, { silentMs: 1 })).toBe('')
  expect(folder.files()).toEqual([])
})

it.each([HERE, ELSEWHERE])(
  'a folder goes to one of many that want it at the same instant, after one of %s',
  async (place) => {
    for (let round = 0; round < 5; round++) {
      const data = folder.path(`raced-${round}`)
      if (round % 2 === 0) leave(data, '999999999', '1', place)
      else mkdirSync(data)
      const race = Array.from({ length: 8 }, () => lockFolder(data, { silentMs: 1 }))
      const settled = await Promise.allSettled(race)
      const held = settled.filter(({ status }) => status === 'fulfilled')
      expect(held).toHaveLength(1)
      for (const each of settled) if (each.status === 'fulfilled') each.value.release()
    }
  },
)

it('a folder goes to one of two processes that want it at the same instant', async () => {
  const module = folder.path('lock.mjs')
  await build({ entryPoints: ['src/store/lock.ts'], outfile: module, ...BUNDLED })
  const folders = Array.from({ length: RACES }, (_, i) => folder.path(`raced-${i}`))
  for (const each of folders) mkdirSync(each)
  const startAt = Date.now() + 500
  const racers = [startAt, startAt].map((at) => {
    const args = ['test/store/race.mjs', module, String(at), ...folders]
    const racer = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    children.push(racer)
    return racer
  })
  // Both hold what they got until both have said so.
  const printed = racers.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]))
  const [one = [], other = []] = (await Promise.all(printed)).map((line): boolean[] =>
    JSON.parse(line),
  )
  for (const racer of racers) racer.stdin.end()
  expect(folders.filter((_, i) => one[i] === other[i])).toEqual([])
})

it('a folder in use is refused to another process, until its owner has ended', async () => {
  const owner = start(folder.data)
  await once(owner.stdout, 'data')
  expect(await failureOf(start(folder.data))).toContain(`process ${owner.pid} is using it`)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(await rejectionOf(folder.data, { silentMs: 1e9 })).toBe('')
})

it('a folder in use is refused in another container as long as its lock is touched', async () => {
  fakeSandboxTimers('setInterval', 'clearInterval')
  await using _ = await openKept(folder.data)
  const touchedAt = () => statSync(lockOf(folder.data)).mtimeMs
  const before = touchedAt()
  const pauses = holdPauses()
  const rejection = rejectionOf(folder.data, { place: ELSEWHERE })
  await expect.poll(() => pauses.lengths).toEqual([10_000])
  vi.advanceTimersByTime(1_000)
  await expect.poll(touchedAt).not.toBe(before)
  pauses.end()
  expect(await rejection).toContain(
    `process ${process.pid} is using it, in another container or on another machine`,
  )
})

it('a folder in use is not taken over after another process has replaced a stale lock', async () => {
  leave(folder.data, '1', '1', ELSEWHERE)
  utimesSync(lockOf(folder.data), 1, 1)
  const pauses = holdPauses()
  const rejection = rejectionOf(folder.data)
  await expect.poll(() => pauses.lengths).toEqual([10_000])
  leave(folder.data, '2', '2', ELSEWHERE)
  const taken = read(lockOf(folder.data))
  utimesSync(lockOf(folder.data), 1, 1)
  pauses.end()
  expect(await rejection).toContain('is using it')
  expect(read(lockOf(folder.data))).toBe(taken)
  expect(folder.files()).toEqual(['lock'])
})

it('a folder in use stays locked when somebody deletes the lock, because the lock is written again', async () => {
  await using kept = await openKept(folder.data)
  rmSync(lockOf(folder.data))
  await register(kept.app, { email: 'bob@example.com' })
  expect(await rejectionOf(folder.data)).toContain(`process ${process.pid} is using it`)
})

it('a folder taken over while its owner was stopped is no longer written by that owner, whose calls get a 507', async () => {
  const reports = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const before = await openKept(folder.data)
  await register(before.app, { email: 'bob@example.com' })
  let state: string
  {
    // Without a sign of life for this long it is as good as stopped.
    await using after = await openKept(folder.data, { place: ELSEWHERE, silentMs: 1 })
    await register(after.app, { email: 'carol@example.com' })
    for (let i = 0; i < 3; i++) {
      const { status, text } = await createUser(before, `lost-${i}@example.com`)
      expect([status, text]).toEqual([507, expect.stringContaining('restart this one')])
    }
    const asked = { headers: { 'x-api-key': KEY } }
    expect((await before.app.send('/v2/users?email=alice@example.com', asked)).status).toBe(507)
    await register(after.app, { email: 'dave@example.com' })
    await before[Symbol.asyncDispose]()
    await register(after.app, { email: 'erin@example.com' })
    state = await readState(after.app)
  }
  expect(reports).toHaveBeenCalledOnce()
  await using again = await openKept(folder.data)
  expect(await readState(again.app)).toBe(state)
  expect(state).toContain('bob@example.com')
  reports.mockRestore()
})
