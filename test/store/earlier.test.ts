import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readState } from '../helpers/state.ts'
import { logIn } from '../helpers/story.ts'
import { openFolder, openKept } from './kept.ts'

/** What a kill left of 0.1.0 before events were written in short, and the state it then had. */
const earlier = (name: string) => join(import.meta.dirname, 'earlier', name)

it('a log with whole events, users and quotes is read, and goes on in short', async () => {
  using folder = openFolder()
  copyFileSync(earlier('log.txt'), `${folder.file}.log`)
  await using kept = await openKept(folder.file)
  expect(await readState(kept.door)).toBe(readFileSync(earlier('state.txt'), 'utf8'))
  await (await logIn(kept.door)).buy()
  await using again = await openKept(folder.copy('killed'))
  expect(await readState(again.door)).toBe(await readState(kept.door))
})
