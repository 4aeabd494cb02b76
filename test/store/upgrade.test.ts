import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Saved } from '../../src/store/world-file.ts'
import type { State } from '../../src/world/state.ts'
import { openControl } from '../control/control.ts'
import { NOON } from '../helpers/app.ts'
import { readState } from '../helpers/state.ts'
import { logIn } from '../helpers/story.ts'
import { live, openFolder, openKept } from './kept.ts'

/**
 * What an earlier build wrote: a world's file, and what GET /_sandbox/state responded with. Later ones
 * must open both, so a field that is new needs a default. `UPDATE_STORED=1` writes them again, for a
 * change of `formatVersion` alone.
 */
const STORED = join(import.meta.dirname, 'stored')
const FILE = join(STORED, 'default.json')
const STATE = join(STORED, 'state.json')

if (process.env.UPDATE_STORED) {
  using folder = openFolder()
  await using kept = await openKept(folder.data, { wallClock: () => Date.parse(NOON) })
  await live(kept)
  writeFileSync(STATE, `${JSON.stringify(await kept.get('/state'))}\n`)
  cpSync(join(folder.data, 'default.json'), FILE)
}

/** All that was stored is there, whatever was added since. */
function expectKept(text: string, { position: _, ...stored }: State) {
  const state: State = JSON.parse(text)
  expect(state).toMatchObject(stored)
  for (const part of Object.values(stored)) expect(part).not.toEqual([])
}

it('a sandbox opens the file of a world that an earlier build wrote, and the world continues', async () => {
  using folder = openFolder()
  cpSync(FILE, join(folder.data, 'default.json'))
  await using kept = await openKept(folder.data)
  const { state }: Saved = JSON.parse(readFileSync(FILE, 'utf8'))
  expectKept(await readState(kept.app), state)
  await (await logIn(kept.app)).buy()
  await kept.post('/clock/advance', { by: '2d' })
})

it('a sandbox imports a state that an earlier build exported, and the world goes on', async () => {
  await using control = openControl()
  const state: State = JSON.parse(readFileSync(STATE, 'utf8'))
  await control.put('/state', state)
  expectKept(await readState(control.app), state)
  await (await logIn(control.app)).buy()
  await control.post('/clock/advance', { by: '2d' })
})
