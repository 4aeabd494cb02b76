import { existsSync, renameSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { readState } from '../helpers/state.ts'
import { logIn, register } from '../helpers/story.ts'
import { createUser, emailsIn, type Folder, type Kept, openFolder, openKept } from './kept.ts'

let folder: Folder
let errors: string[]
beforeEach(() => {
  folder = openFolder()
  errors = []
  vi.spyOn(console, 'error').mockImplementation((text) => void errors.push(String(text)))
})
afterEach(() => {
  vi.restoreAllMocks()
  folder[Symbol.dispose]()
})

const storageOf = async ({ get }: Kept) => (await get('/health')).storage

it('a response is sent once what it reports is on disk, even that of a read or a control call', async () => {
  await using kept = await openKept(folder.data)
  await kept.get('/users')
  const release = folder.hold()
  const left: string[] = []
  const asked = [
    createUser(kept, 'bob@example.com').then(() => left.push('write')),
    kept.post('/clock/advance', { by: '1h' }).then(() => left.push('control')),
  ]
  await turns()
  asked.push(kept.app.send('/v2/users?email=bob@example.com').then(() => left.push('read')))
  await turns()
  expect(left).toEqual([])
  // What one world waits for keeps no other waiting.
  expect((await createUser(kept.world('other'), 'eve@example.com')).status).toBe(200)
  await release()
  await Promise.all(asked)
  expect(left.sort()).toEqual(['control', 'read', 'write'])
})

it('a response does not wait for the writes that follow', async () => {
  await using kept = await openKept(folder.data)
  let made = 0
  let passedMax = 0
  // Each at a pace of its own, so that some call comes while any other is written.
  const load = async (pace: number) => {
    while (made < 80) {
      const before = ++made
      await createUser(kept, `user-${before}@example.com`)
      passedMax = Math.max(passedMax, made - before)
      await turns(pace)
    }
  }
  await Promise.all([1, 2, 3, 5, 8, 13].map(load))
  // lowdb's own promise would resolve only once nobody else writes any more.
  expect(passedMax).toBeLessThan(20)
})

it('a call gets 507 in the words of each dialect while the disk is full, and the change stays', async () => {
  await using kept = await openKept(folder.data)
  const other = kept.world('other')
  await Promise.all([kept.get('/users'), other.get('/users')])
  const free = [folder.fill(), folder.fill('other.json')]
  const v2 = await createUser(kept, 'bob@example.com')
  expect(v2.status).toBe(507)
  expect(JSON.parse(v2.text)).toEqual({
    success: false,
    errors: [
      {
        field: 'data',
        message: expect.stringMatching(/was applied, but .* not yet on disk: ENOSPC/),
      },
    ],
  })
  const control = await kept.app.send('/_sandbox/users')
  expect(control.headers.get('content-type')).toBe('application/problem+json')
  expect([control.status, JSON.parse(control.text)]).toMatchObject([507, { code: 'data-file' }])
  await createUser(other, 'eve@example.com')
  const v1 = await other.app.send('/apiFindUser?email=eve@example.com')
  expect([v1.status, JSON.parse(v1.text)]).toEqual([
    507,
    { message: expect.stringContaining('ENOSPC'), status: expect.any(String) },
  ])
  expect(await storageOf(kept)).toEqual({
    status: 'failing',
    reason: 'Changes are not being saved: ENOSPC: no space left on device, write.',
  })
  // Once for each world, however many calls there are.
  expect(errors).toHaveLength(2)
  for (const end of free) end()
  expect(await emailsIn(kept)).toContain('bob@example.com')
  expect(await emailsIn(other)).toContain('eve@example.com')
  expect(await storageOf(kept)).toEqual({ status: 'ok', reason: null })
})

it('a full disk leaves files that hold what was acknowledged, and nothing else', async () => {
  await using kept = await openKept(folder.data)
  await register(kept.app, { email: 'bob@example.com' })
  const free = folder.fill()
  expect((await createUser(kept, 'carol@example.com')).status).toBe(507)
  await using again = await openKept(folder.copy('killed'))
  expect(await emailsIn(again)).toContain('bob@example.com')
  expect(await emailsIn(again)).not.toContain('carol@example.com')
  free()
})

it('a full disk is tried again by the next call, which writes everything that could not be written', async () => {
  await using kept = await openKept(folder.data)
  const free = folder.fill()
  for (const name of ['carol', 'dave']) {
    expect((await createUser(kept, `${name}@example.com`)).status).toBe(507)
  }
  free()
  expect((await createUser(kept, 'erin@example.com')).status).toBe(200)
  const state = await readState(kept.app)
  await using again = await openKept(folder.copy('killed'))
  expect(await readState(again.app)).toBe(state)
  expect(state).toContain('carol@example.com')
})

it('a full disk holds back a webhook until its event is written, and no call waits for it', async () => {
  await using receiver = await createReceiver()
  await using kept = await openKept(folder.data)
  await kept.app.call('PUT /v2/webhook-configurations', { body: { url: receiver.url } })
  const alice = await logIn(kept.app)
  const { id } = await alice.buy()
  await receiver.next()
  const free = folder.fill()
  for (const [path, body] of [
    [`/simulate/transactions/${id}/settled`, { through: true }],
    ['/webhooks/drain', {}],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify(body) }
    expect((await kept.app.send(`/_sandbox${path}`, sent)).status).toBe(507)
  }
  expect(receiver.received).toHaveLength(1)
  free()
  await kept.get('/clock')
  await kept.post('/webhooks/drain')
  expect(receiver.received).toHaveLength(3)
  expect(receiver.received[2]?.body).toContain('"complete"')
})

it('a call gets 507 while the folder is missing', async () => {
  await using kept = await openKept(folder.data)
  await kept.get('/users')
  renameSync(folder.data, folder.path('moved'))
  expect((await createUser(kept, 'bob@example.com')).status).toBe(507)
  expect(existsSync(folder.data)).toBe(false)
  renameSync(folder.path('moved'), folder.data)
  expect((await createUser(kept, 'carol@example.com')).status).toBe(200)
  await using again = await openKept(folder.copy('killed'))
  expect(await emailsIn(again)).toEqual(
    expect.arrayContaining(['bob@example.com', 'carol@example.com']),
  )
})

async function turns(count = 50) {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}
