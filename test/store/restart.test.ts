import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { NOON } from '../helpers/app.ts'
import { readState } from '../helpers/state.ts'
import { logIn, PENDING, receiveFunds, register, settle } from '../helpers/story.ts'
import { type Kept, openFolder, openKept, rejectionOf } from './kept.ts'

/** A life in which every kind of row is made and changed. */
async function live({ app, post, patch, put }: Kept) {
  const alice = await logIn(app)
  const bought = await alice.buy({ externalSessionId: 'é漢🙂' })
  await alice.sell()
  await receiveFunds(app, bought.id)
  await settle(app, bought.id)
  const bob = await register(app, { email: 'bob@example.com' })
  await app.call('GET /v2/users/{userId}/kyc-url', { path: { userId: bob } })
  await post('/simulate/users/bob@example.com/kyc', { status: 'verified', after: '2h' })
  await post('/simulate/users/alice@example.com/access', { accessibleBy: ['jwt', 'apiKey'] })
  await app.call('PUT /v2/webhook-configurations', { body: { url: 'https://example.com/hooks' } })
  await app.call('POST /v2/webhook-configurations/signing-secret/rotate')
  await app.call('DELETE /v2/webhook-configurations')
  await patch('/settings', { 'quotes.ttl': '5m' })
  await put('/rates', { USDC: { cad: 1.5 } })
  await alice.cancel((await alice.buy()).id)
  await post('/clock/advance', { by: '1h' })
}

describe('worlds in a file', () => {
  it('are after a restart what they were before', async () => {
    using folder = openFolder()
    let before: string
    {
      await using kept = await openKept(folder.file)
      await live(kept)
      before = await readState(kept.app)
    }
    expect(Object.keys(folder.bytes())).toEqual([''])
    await using again = await openKept(folder.file)
    expect(await readState(again.app)).toBe(before)
    const { deliveries } = await again.post('/clock/advance', { by: '1h' })
    expect(deliveries.length).toBeGreaterThan(0)
  })

  it('are after a kill what was acknowledged, whatever was compacted meanwhile', async () => {
    using folder = openFolder()
    for (const compactMinBytes of [1e9, 4_000, 1]) {
      const file = folder.path(`at-${compactMinBytes}`)
      await using kept = await openKept(file, { compactMinBytes })
      await live(kept)
      const before = await readState(kept.app)
      await using again = await openKept(folder.copy(`killed-${compactMinBytes}`, file))
      expect(await readState(again.app)).toBe(before)
    }
  })

  it('begin in an empty file as in none', async () => {
    using folder = openFolder()
    writeFileSync(folder.file, '')
    {
      await using kept = await openKept(folder.file)
      await register(kept.app, { email: 'bob@example.com' })
    }
    await using again = await openKept(folder.file)
    expect((await again.get('/users')).items.at(-1)).toMatchObject({ email: 'bob@example.com' })
  })

  it('are kept on when somebody deletes the lock, which is there again', async () => {
    using folder = openFolder()
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await using kept = await openKept(folder.file)
    rmSync(`${folder.file}.lock`)
    await register(kept.app, { email: 'bob@example.com' })
    expect(existsSync(`${folder.file}.lock`)).toBe(true)
    expect(String(said.mock.calls[0]?.[0])).toMatch(/\.lock was deleted and has been created again/)
    said.mockRestore()
    expect(await rejectionOf(folder.file)).toContain('is in use by process')
  })

  it('keep a running clock with the wall clock, also while nobody ran it', async () => {
    using folder = openFolder()
    let wall = Date.parse(NOON)
    const options = { clock: `running@${NOON}`, wallClock: () => wall }
    {
      await using kept = await openKept(folder.file, options)
      await (await logIn(kept.app)).buy()
      wall += 60_000
      expect((await kept.get('/clock')).now).toBe('2026-07-01T12:01:00.000Z')
    }
    wall += 58 * 60_000
    {
      await using again = await openKept(folder.file, options)
      expect((await again.get('/clock')).now).toBe('2026-07-01T12:59:00.000Z')
      expect((await again.get('/transactions')).items).toMatchObject([{ status: PENDING }])
    }
    wall += 60_000
    await using third = await openKept(folder.file, options)
    expect((await third.get('/clock')).now).toBe('2026-07-01T13:00:00.000Z')
    const { events } = await third.get('/events?type=transaction.update&count=2&timeout=5s')
    expect(events).toMatchObject([
      { status: PENDING, at: new Date(NOON).toISOString() },
      { status: 'expired', at: '2026-07-01T13:00:00.000Z' },
    ])
  })

  it('are each kept, and one that was deleted stays away', async () => {
    using folder = openFolder()
    {
      await using kept = await openKept(folder.file, { compactMinBytes: 1 })
      for (const name of ['a', 'b', 'c'])
        await register(kept.world(name).app, { email: `${name}@example.com` })
      await kept.delete('/worlds/b')
      await kept.delete('/worlds/c')
      await register(kept.world('c').app, { email: 'new@example.com' })
    }
    await using again = await openKept(folder.file)
    const { items } = await again.get('/worlds')
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['default', 'a', 'c'])
    const emailsIn = async (name: string) =>
      (await again.world(name).get('/users')).items.map(({ email }: { email: string }) => email)
    expect(await emailsIn('a')).toContain('a@example.com')
    expect(await emailsIn('c')).toContain('new@example.com')
    expect(await emailsIn('c')).not.toContain('c@example.com')
    expect(await emailsIn('b')).not.toContain('b@example.com')
  })

  it('keep what a reset and a restored snapshot left', async () => {
    using folder = openFolder()
    let before: string
    {
      await using kept = await openKept(folder.file)
      await live(kept)
      await kept.post('/snapshots', { name: 'lived' })
      await kept.post('/reset')
      const fresh = await readState(kept.app)
      await using atReset = await openKept(folder.copy('at-reset'))
      expect(await readState(atReset.app)).toBe(fresh)
      await kept.post('/snapshots/lived/restore')
      before = await readState(kept.app)
    }
    await using again = await openKept(folder.file)
    expect(await readState(again.app)).toBe(before)
  })

  it('write down what nobody asked for before a webhook reports it', async () => {
    using folder = openFolder()
    let aheadMs = 0
    const wallClock = () => Date.now() + aheadMs
    await using receiver = await createReceiver()
    await using kept = await openKept(folder.file, { clock: 'running', wallClock })
    const body = { url: receiver.url }
    await kept.app.call('PUT /v2/webhook-configurations', { body })
    await (await logIn(kept.app)).buy()
    aheadMs = 3_600_000 - 100
    // The timer of the world was set for an hour; a call that moves the clock sets it anew.
    await kept.post('/clock/resume')
    const { json } = await receiver.next(({ body: text }) => text.includes('"expired"'))
    await using again = await openKept(folder.copy('at-webhook'), { clock: NOON })
    const { events } = await again.get('/events?status=expired')
    expect(events).toMatchObject([{ id: (json as { id: string }).id }])
  })
})
