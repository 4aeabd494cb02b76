import { statSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readState } from '../helpers/state.ts'
import { register } from '../helpers/story.ts'
import { type Disk, openDisk } from './disk.ts'
import { createUser, type Folder, type Kept, openFolder, openKept } from './kept.ts'

let folder: Folder
let disk: Disk
let errors: string[]
beforeEach(async () => {
  folder = openFolder()
  disk = await openDisk()
  errors = []
  vi.spyOn(console, 'error').mockImplementation((text) => void errors.push(String(text)))
})
afterEach(() => {
  vi.restoreAllMocks()
  disk[Symbol.dispose]()
  folder[Symbol.dispose]()
})

async function emailsIn({ get }: Kept): Promise<string[]> {
  const { items } = await get('/users?limit=1000')
  return items.map(({ email }: { email: string }) => email)
}

describe('a response', () => {
  it('leaves when what it speaks of is on disk, that of a read and of a control call too', async () => {
    await using kept = await openKept(folder.file)
    await kept.get('/users')
    const release = disk.hold()
    const left: string[] = []
    const asked = [
      createUser(kept, 'bob@example.com').then(() => left.push('write')),
      kept.post('/clock/advance', { by: '1h' }).then(() => left.push('control')),
    ]
    await turns()
    asked.push(kept.app.send('/v2/users?email=bob@example.com').then(() => left.push('read')))
    await turns()
    expect(left).toEqual([])
    release()
    await Promise.all(asked)
    expect(left.sort()).toEqual(['control', 'read', 'write'])
  })
})

describe.each(['appendFile', 'datasync'] as const)('a disk that fails (%s)', (call) => {
  it('gets 507, in the words of each dialect, and never as a success', async () => {
    await using kept = await openKept(folder.file)
    await kept.get('/users')
    disk.fail(call)
    const v2 = await createUser(kept, 'bob@example.com')
    expect(v2.status).toBe(507)
    expect(JSON.parse(v2.text)).toEqual({
      success: false,
      errors: [{ field: 'data', message: expect.stringContaining('no space left on device') }],
    })
    const control = await kept.app.send('/_sandbox/users')
    expect([control.status, control.headers.get('content-type')]).toEqual([
      507,
      'application/problem+json',
    ])
    expect(JSON.parse(control.text)).toMatchObject({ status: 507, code: 'data-file' })
    const v1 = await kept.app.world('other').send('/loginCodeSend?email=a@example.com')
    expect(v1.status).toBe(507)
    expect(JSON.parse(v1.text)).toEqual({
      message: expect.stringContaining('no space left'),
      status: expect.any(String),
    })
    expect(errors).toHaveLength(1)
    disk.fail(null)
  })

  it('leaves a file that holds what was acknowledged, and nothing else', async () => {
    await using kept = await openKept(folder.file)
    await register(kept.app, { email: 'bob@example.com' })
    disk.fail(call)
    expect((await createUser(kept, 'carol@example.com')).status).toBe(507)
    const copied = folder.copy('killed')
    disk.fail(null)
    await using again = await openKept(copied)
    const emails = await emailsIn(again)
    expect(emails).toContain('bob@example.com')
    if (call === 'appendFile') expect(emails).not.toContain('carol@example.com')
  })

  it('is forgiven: what could not be written is written with what comes next', async () => {
    await using kept = await openKept(folder.file)
    await register(kept.app, { email: 'bob@example.com' })
    disk.fail(call)
    for (const name of ['carol', 'dave']) {
      expect((await createUser(kept, `${name}@example.com`)).status).toBe(507)
    }
    await kept.app.send('/w/gone/_sandbox/health')
    await kept.app.send('/_sandbox/worlds/gone', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    })
    disk.fail(null)
    expect((await createUser(kept, 'erin@example.com')).status).toBe(200)
    const state = await readState(kept.app)
    await using again = await openKept(folder.copy('killed'))
    expect(await readState(again.app)).toBe(state)
    expect((await again.get('/worlds')).total).toBe(1)
    expect(await emailsIn(again)).toEqual(
      expect.arrayContaining(['carol@example.com', 'dave@example.com', 'erin@example.com']),
    )
  })
})

describe('compacting', () => {
  it('under load loses nothing that was acknowledged, wherever it is killed', async () => {
    await using kept = await openKept(folder.file, { compactMinBytes: 1_000 })
    const acknowledged = new Set<string>()
    const images: { file: string; acknowledged: string[] }[] = []
    let made = 0
    const client = async () => {
      for (let i = 0; i < 40; i++) {
        const email = `user-${++made}@example.com`
        if ((await createUser(kept, email)).status === 200) acknowledged.add(email)
        if (acknowledged.size % 25 === 0)
          images.push({ file: image(made), acknowledged: [...acknowledged] })
      }
    }
    await Promise.all([client(), client(), client(), client()])
    expect(acknowledged.size).toBe(160)
    const state = await readState(kept.app)
    images.push({ file: image(made + 1), acknowledged: [...acknowledged] })
    for (const { file, acknowledged: then } of images) {
      await using again = await openKept(file)
      expect(await emailsIn(again)).toEqual(expect.arrayContaining(then))
    }
    await using last = await openKept(folder.path(`image-${made + 1}`))
    expect(await readState(last.app)).toBe(state)
  })

  const image = (name: number) => folder.copy(`image-${name}`)

  it('that fails fails no call, is reported, and is tried again', async () => {
    await using kept = await openKept(folder.file, { compactMinBytes: 2_000, retryMs: 1 })
    expect((await kept.get('/health')).storage).toEqual({ status: 'ok', reason: null })
    disk.fail('compaction')
    for (let i = 0; i < 10; i++) {
      expect((await createUser(kept, `user-${i}@example.com`)).status).toBe(200)
    }
    const storage = async () => (await kept.get('/health')).storage
    await vi.waitFor(async () => expect((await storage()).status).toBe('failing'))
    expect((await storage()).reason).toContain('cannot be compacted and keeps growing: ENOSPC')
    expect(errors).toEqual([expect.stringContaining('no space left on device')])
    const { size } = statSync(folder.file)
    disk.fail(null)
    await vi.waitFor(async () => expect((await storage()).status).toBe('ok'))
    expect(statSync(folder.file).size).toBeLessThan(size)
    expect(Object.keys(folder.bytes())).toEqual(['', '.lock'])
    const state = await readState(kept.app)
    await using again = await openKept(folder.copy('killed'))
    expect(await readState(again.app)).toBe(state)
  })
})

describe('a folder that cannot be forced to disk after a compaction', () => {
  it('is reported, lets no call succeed, and is tried again with each', async () => {
    await using kept = await openKept(folder.file, { compactMinBytes: 1 })
    const { ino } = statSync(folder.file)
    disk.fail('folder')
    expect((await createUser(kept, 'bob@example.com')).status).toBe(200)
    await vi.waitFor(() => expect(statSync(folder.file).ino).not.toBe(ino))
    await vi.waitFor(() => expect(errors).toEqual([expect.stringContaining('ENOSPC')]))
    const storage = async () => (await kept.get('/health')).storage
    expect(await storage()).toMatchObject({ status: 'failing', reason: expect.any(String) })
    expect((await kept.app.send('/_sandbox/users')).status).toBe(507)
    disk.fail(null)
    expect((await createUser(kept, 'carol@example.com')).status).toBe(200)
    expect(await storage()).toEqual({ status: 'ok', reason: null })
    await using again = await openKept(folder.copy('killed'))
    expect(await emailsIn(again)).toEqual(
      expect.arrayContaining(['bob@example.com', 'carol@example.com']),
    )
  })
})

async function turns() {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
}
