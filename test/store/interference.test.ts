import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readState } from '../helpers/state.ts'
import { register } from '../helpers/story.ts'
import { createUser, type Folder, type Kept, openFolder, openKept, rejectionOf } from './kept.ts'

/** Looks that happen only when something is written, or at a clean stop. */
const SELDOM = { touchMs: 1e9 }
/** Looks that need no call. */
const OFTEN = { touchMs: 5 }
const PATIENCE = { timeout: 10_000 }

let folder: Folder
let errors: string[]
beforeEach(() => {
  const opened = openFolder()
  folder = opened
  const said: string[] = []
  errors = said
  const spy = vi.spyOn(console, 'error').mockImplementation((text) => void said.push(String(text)))
  return () => {
    spy.mockRestore()
    opened[Symbol.dispose]()
  }
})

async function emailsIn(file: string): Promise<string[]> {
  await using kept = await openKept(file)
  return emailsOf(kept)
}

async function emailsOf({ get }: Kept): Promise<string[]> {
  const { items } = await get('/users?limit=1000')
  return items.map(({ email }: { email: string }) => email)
}

const storageOf = async ({ get }: Kept) => (await get('/health')).storage

/** A file without its first line, which its owner may still write. */
const rowsIn = (file: string) => readFileSync(file, 'utf8').slice(1024)

/** A file of another sandbox. */
async function makeOther(): Promise<string> {
  const file = folder.path('other')
  await using kept = await openKept(file)
  await register(kept.app, { email: 'other@example.com' })
  return file
}

describe('a data file that somebody moves or deletes while it is in use', () => {
  it.each([
    ['moved', () => renameSync(folder.file, folder.path('moved'))],
    ['deleted', () => rmSync(folder.file)],
  ])('is there again with everything, %s before a write', async (_, interfere) => {
    await using kept = await openKept(folder.file, SELDOM)
    await register(kept.app, { email: 'before@example.com' })
    await register(kept.world('other').app, { email: 'elsewhere@example.com' })
    interfere()
    await register(kept.app, { email: 'after@example.com' })
    expect(await storageOf(kept)).toEqual({
      status: 'replaced',
      reason: expect.stringContaining('was moved or deleted while it was in use'),
    })
    expect(errors).toEqual([expect.stringMatching(/^ramp-sandbox: WARNING: .*written to it anew/)])
    const state = await readState(kept.app)
    await using again = await openKept(folder.copy('killed'))
    expect(await readState(again.app)).toBe(state)
    expect(await emailsOf(again)).toEqual(
      expect.arrayContaining(['before@example.com', 'after@example.com']),
    )
    const elsewhere = await again.world('other').get('/users')
    expect(JSON.stringify(elsewhere)).toContain('elsewhere@example.com')
  })

  it('is there again soon, when nobody calls', async () => {
    await using kept = await openKept(folder.file, OFTEN)
    await register(kept.app, { email: 'before@example.com' })
    rmSync(folder.file)
    await vi.waitFor(async () => expect((await storageOf(kept)).status).toBe('replaced'), PATIENCE)
    expect(await emailsIn(folder.copy('killed'))).toContain('before@example.com')
  })

  it('is there again after a clean stop', async () => {
    {
      await using kept = await openKept(folder.file, SELDOM)
      await register(kept.app, { email: 'before@example.com' })
      rmSync(folder.file)
    }
    expect(errors).toEqual([expect.stringContaining('was moved or deleted')])
    expect(await emailsIn(folder.file)).toContain('before@example.com')
  })

  it('is left to others where it is now', async () => {
    await using kept = await openKept(folder.file, SELDOM)
    await register(kept.app, { email: 'before@example.com' })
    renameSync(folder.file, folder.path('moved'))
    await register(kept.app, { email: 'after@example.com' })
    const emails = await emailsIn(folder.path('moved'))
    expect(emails).toContain('before@example.com')
    expect(emails).not.toContain('after@example.com')
  })

  it('keeps calls from succeeding while it cannot be written anew', async () => {
    const file = folder.path('volume/worlds.json')
    mkdirSync(dirname(file))
    await using kept = await openKept(file, SELDOM)
    await register(kept.app, { email: 'before@example.com' })
    renameSync(dirname(file), folder.path('elsewhere'))
    const { status, text } = await createUser(kept, 'refused@example.com')
    expect([status, text]).toEqual([507, expect.stringContaining('ENOENT')])
    expect((await storageOf(kept)).status).toBe('failing')
    renameSync(folder.path('elsewhere'), dirname(file))
    expect((await createUser(kept, 'after@example.com')).status).toBe(200)
    expect(await storageOf(kept)).toEqual({ status: 'ok', reason: null })
  })

  it('loses nothing of what is written during a compaction', async () => {
    await using kept = await openKept(folder.file, { ...SELDOM, compactMinBytes: 1_000 })
    const acknowledged: string[] = []
    const client = async (name: number) => {
      for (let i = 0; i < 30; i++) {
        const email = `user-${name}-${i}@example.com`
        if (i % 10 === name) renameSync(folder.file, folder.path(`moved-${email}`))
        if ((await createUser(kept, email)).status === 200) acknowledged.push(email)
      }
    }
    await Promise.all([client(0), client(1), client(2)])
    expect(acknowledged).toHaveLength(90)
    expect(await emailsIn(folder.copy('killed'))).toEqual(expect.arrayContaining(acknowledged))
  })
})

describe('a data file in whose place something else is', () => {
  it.each([
    ['replaced by another file', (other: string) => renameSync(other, folder.file)],
    ['overwritten', (other: string) => copyFileSync(other, folder.file)],
    ['cut short', () => truncateSync(folder.file, 1_500)],
    ['cut short or overwritten', () => truncateSync(folder.file)],
  ])('is %s and stays so, and everything is kept beside it', async (what, interfere) => {
    const other = await makeOther()
    let found: string
    {
      await using kept = await openKept(folder.file, SELDOM)
      await register(kept.app, { email: 'before@example.com' })
      interfere(other)
      found = rowsIn(folder.file)
      await register(kept.app, { email: 'after@example.com' })
      const { status, reason } = await storageOf(kept)
      expect([status, reason]).toEqual(['replaced', expect.stringContaining(what)])
      expect(reason).toContain(`--data ${folder.file}.kept`)
      await register(kept.app, { email: 'later@example.com' })
    }
    expect(errors.at(-1)).toContain(`--data ${folder.file}.kept`)
    expect(rowsIn(folder.file)).toBe(found)
    const emails = ['before@example.com', 'after@example.com', 'later@example.com']
    expect(await emailsIn(`${folder.file}.kept`)).toEqual(expect.arrayContaining(emails))
  })

  it('is kept beside what is there already', async () => {
    writeFileSync(`${folder.file}.kept`, 'notes')
    await using kept = await openKept(folder.file, SELDOM)
    truncateSync(folder.file)
    await register(kept.app, { email: 'after@example.com' })
    expect(readFileSync(`${folder.file}.kept`, 'utf8')).toBe('notes')
    expect(await emailsIn(folder.copy('killed', `${folder.file}.kept-2`))).toContain(
      'after@example.com',
    )
  })
})

describe('a data file with two names', () => {
  it('is rejected under the second while its owner lives, wherever that one is', async () => {
    await using kept = await openKept(folder.file, OFTEN)
    await register(kept.app, { email: 'bob@example.com' })
    linkSync(folder.file, folder.path('linked'))
    const words = `linked is in use by process ${process.pid}`
    expect(await rejectionOf(folder.path('linked'))).toContain(words)
    const elsewhere = { place: 'another container' }
    expect(await rejectionOf(folder.path('linked'), elsewhere)).toContain(words)
    expect(existsSync(`${folder.path('linked')}.lock`)).toBe(false)
  })

  it('is free once its owner has stopped', async () => {
    await (await openKept(folder.file))[Symbol.asyncDispose]()
    linkSync(folder.file, folder.path('linked'))
    await using _ = await openKept(folder.path('linked'))
    expect(await rejectionOf(folder.file)).toContain('is in use by process')
  })

  it('is so from the start, when it was empty', async () => {
    writeFileSync(folder.file, '')
    linkSync(folder.file, folder.path('linked'))
    await using _ = await openKept(folder.file)
    expect(await rejectionOf(folder.path('linked'))).toContain('is in use by process')
  })

  it('is free after silence', async () => {
    await using before = await openKept(folder.file, SELDOM)
    await register(before.app, { email: 'bob@example.com' })
    linkSync(folder.file, folder.path('linked'))
    const options = { place: 'another container', silentMs: 1 }
    {
      await using after = await openKept(folder.path('linked'), options)
      await register(after.app, { email: 'carol@example.com' })
      const { status, text } = await createUser(before, 'lost@example.com')
      expect([status, text]).toEqual([507, expect.stringContaining('took')])
    }
    // Also when the other process has ended.
    expect((await before.app.send('/v2/users?email=bob@example.com')).status).toBe(507)
    const emails = await emailsIn(folder.copy('killed'))
    expect(emails).toEqual(expect.arrayContaining(['bob@example.com', 'carol@example.com']))
    expect(emails).not.toContain('lost@example.com')
  })

  it('is another file once it was copied', async () => {
    await using kept = await openKept(folder.file)
    await register(kept.app, { email: 'bob@example.com' })
    await using copied = await openKept(folder.copy('copied'))
    expect(await emailsOf(copied)).toContain('bob@example.com')
  })
})
