import { describe, expect, it } from 'vitest'
import { readState } from '../helpers/state.ts'
import { register } from '../helpers/story.ts'
import { openFolder, openKept } from '../store/kept.ts'
import { type Control, controlOf, openControl } from './control.ts'

const lifeOf = async ({ get }: Control): Promise<number> => (await get('/info')).life

describe('the life of a world', () => {
  it('grows with a reset, a restore and an import, and with nothing else', async () => {
    await using control = openControl()
    const { app, get, post, put } = control
    expect(await lifeOf(control)).toBe(1)
    await register(app, { email: 'bob@example.com' })
    await post('/clock/advance', { by: '1d' })
    await post('/snapshots', { name: 'early' })
    await control.refused('POST', '/snapshots/late/restore', { body: {} })
    await control.refused('POST', '/reset', { body: { seed: 1 } })
    expect(await lifeOf(control)).toBe(1)
    await post('/reset')
    expect(await lifeOf(control)).toBe(2)
    await post('/snapshots/early/restore')
    expect(await lifeOf(control)).toBe(3)
    await put('/state', await get('/state'))
    expect(await lifeOf(control)).toBe(4)
  })

  it('is no part of its state', async () => {
    await using control = openControl()
    const before = await readState(control.app)
    await control.post('/reset')
    expect(await readState(control.app)).toBe(before)
  })

  it('belongs to one world', async () => {
    await using control = openControl()
    await control.post('/reset')
    const other = controlOf(control.app.world('other'))
    expect([await lifeOf(control), await lifeOf(other)]).toEqual([2, 1])
  })

  it('goes on after a restart, also when nothing but a reset was kept', async () => {
    using folder = openFolder()
    {
      await using kept = await openKept(folder.file)
      await kept.post('/reset')
      await kept.world('a').post('/reset')
      await kept.world('a').post('/reset')
      await register(kept.world('a').app, { email: 'bob@example.com' })
    }
    await using again = await openKept(folder.file)
    expect([await lifeOf(again), await lifeOf(again.world('a'))]).toEqual([2, 3])
    await again.post('/reset')
    await using copy = await openKept(folder.copy('killed'))
    expect(await lifeOf(copy)).toBe(3)
  })
})
