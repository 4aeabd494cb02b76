import { statSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NOON } from '../helpers/app.ts'
import { readState } from '../helpers/state.ts'
import { logIn, PENDING, register } from '../helpers/story.ts'
import { emailsIn, live, openFolder, openKept } from './kept.ts'

it('worlds in a folder are the same after a restart as before it', async () => {
  using folder = openFolder()
  let before: string
  {
    await using kept = await openKept(folder.data)
    await live(kept)
    before = await readState(kept.app)
  }
  expect(folder.files()).toEqual(['default.json'])
  await using again = await openKept(folder.data)
  expect(await readState(again.app)).toBe(before)
  const { deliveries } = await again.post('/clock/advance', { by: '1h' })
  expect(deliveries.length).toBeGreaterThan(0)
})

it('worlds in a folder still have what was acknowledged after a kill', async () => {
  using folder = openFolder()
  await using kept = await openKept(folder.data)
  await live(kept)
  const before = await readState(kept.app)
  await using again = await openKept(folder.copy('killed'))
  expect(await readState(again.app)).toBe(before)
})

it('worlds in a folder have files that hold what GET /_sandbox/state responds with, and that people can edit', async () => {
  using folder = openFolder()
  {
    await using kept = await openKept(folder.data, { wallClock: () => Date.parse(NOON) })
    await live(kept)
    const state = await kept.get('/state')
    expect(folder.read()).toEqual({ savedAt: new Date(NOON).toISOString(), state })
  }
  expect(statSync(folder.data).mode & 0o077).toBe(0)
  const saved = folder.read()
  for (const user of saved.state.users) user.autodeposit = true
  // Some editors write a byte order mark.
  writeFileSync(`${folder.data}/default.json`, `\uFEFF${JSON.stringify(saved)}`)
  await using again = await openKept(folder.data)
  const { items } = await again.get('/users')
  expect(items.map(({ account }: { account: object }) => account)).toMatchObject([
    { autodeposit: true },
    { autodeposit: true },
  ])
})

it('worlds in a folder continue a million positions further, so that no old cursor skips new rows', async () => {
  using folder = openFolder()
  let before: { events: { cursor: string }[]; cursor: string }
  {
    await using kept = await openKept(folder.data)
    await live(kept)
    before = await kept.get('/events')
    for (let i = 0; i < 5; i++) await kept.app.send('/v2/users')
  }
  await using again = await openKept(folder.data)
  const { events } = await again.get('/events')
  expect(events).toEqual(before.events.map((event) => ({ ...event, cause: null })))
  await (await logIn(again.app)).buy()
  const fresh = (await again.get(`/events?after=${before.cursor}`)).events
  expect(fresh).toHaveLength(1)
  expect(Number(fresh[0].cursor)).toBeGreaterThan(1_000_000)
})

it('worlds in a folder keep a running clock in step with the wall clock, even while the sandbox is not running', async () => {
  using folder = openFolder()
  let wall = Date.parse(NOON)
  const options = { clock: `running@${NOON}`, wallClock: () => wall }
  {
    await using kept = await openKept(folder.data, options)
    await (await logIn(kept.app)).buy()
    wall += 60_000
    expect((await kept.get('/clock')).now).toBe('2026-07-01T12:01:00.000Z')
  }
  wall += 58 * 60_000
  {
    await using again = await openKept(folder.data, options)
    expect((await again.get('/clock')).now).toBe('2026-07-01T12:59:00.000Z')
    expect((await again.get('/transactions')).items).toMatchObject([{ status: PENDING }])
  }
  wall += 60_000
  await using third = await openKept(folder.data, options)
  expect((await third.get('/clock')).now).toBe('2026-07-01T13:00:00.000Z')
  const { events } = await third.get('/events?type=transaction.update&count=2&timeout=5s')
  expect(events).toMatchObject([
    { status: PENDING, at: new Date(NOON).toISOString() },
    { status: 'expired', at: '2026-07-01T13:00:00.000Z' },
  ])
})

it('worlds in a folder are each kept in a file, which goes when they end', async () => {
  using folder = openFolder()
  {
    await using kept = await openKept(folder.data)
    for (const name of ['a', 'b', 'c'])
      await register(kept.world(name).app, { email: `${name}@example.com` })
    // Its file is there once a response about it has left.
    await kept.get('/users')
    expect(folder.files()).toEqual(['a.json', 'b.json', 'c.json', 'default.json', 'lock'])
    await kept.delete('/worlds/b')
    expect(folder.files()).not.toContain('b.json')
    await kept.delete('/worlds/c')
    await register(kept.world('c').app, { email: 'new@example.com' })
  }
  await using again = await openKept(folder.data)
  const { items } = await again.get('/worlds')
  expect(items.map(({ name }: { name: string }) => name).sort()).toEqual(['a', 'c', 'default'])
  expect(await emailsIn(again.world('a'))).toContain('a@example.com')
  expect(await emailsIn(again.world('c'))).toContain('new@example.com')
  expect(await emailsIn(again.world('c'))).not.toContain('c@example.com')
  expect(await emailsIn(again.world('b'))).not.toContain('b@example.com')
})

it('worlds in a folder have file names that differ even if case is ignored', async () => {
  using folder = openFolder()
  const names = ['Main', 'main', 'MAIN', 'a.B-c_D']
  {
    await using kept = await openKept(folder.data)
    for (const name of names)
      await register(kept.world(name).app, { email: `of-${name}@example.com` })
  }
  const plain = folder.files().map((file) => file.toLowerCase())
  expect(new Set(plain).size).toBe(names.length + 1)
  await using again = await openKept(folder.data)
  for (const name of names) {
    expect(await emailsIn(again.world(name))).toContain(`of-${name}@example.com`)
  }
})

it('worlds in a folder keep what a reset and a restored snapshot left', async () => {
  using folder = openFolder()
  let before: string
  {
    await using kept = await openKept(folder.data)
    await live(kept)
    await kept.post('/snapshots', { name: 'lived' })
    await kept.post('/reset')
    const fresh = await readState(kept.app)
    await using atReset = await openKept(folder.copy('at-reset'))
    expect(await readState(atReset.app)).toBe(fresh)
    await kept.post('/snapshots/lived/restore')
    before = await readState(kept.app)
  }
  await using again = await openKept(folder.data)
  expect(await readState(again.app)).toBe(before)
})
