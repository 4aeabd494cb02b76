import { rmSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { KEY } from '../helpers/app.ts'
import { openFolder, openKept } from '../store/kept.ts'

const MAIN = 'main-secret'
const AUTHORIZED = { headers: { authorization: `Bearer ${MAIN}` } }

it('names the data file to those who run the sandbox, but not in a private world', async () => {
  using folder = openFolder()
  await using kept = await openKept(folder.file, { controlToken: MAIN, touchMs: 1e9 })
  const { send } = kept.app
  const json = { 'content-type': 'application/json', ...AUTHORIZED.headers }
  const made = await send('/_sandbox/worlds', { method: 'POST', headers: json, body: '{}' })
  const { name } = JSON.parse(made.text)
  const own = kept.world(name).app
  const saved = 'All changes are saved'
  for (const { text } of [await send('/_sandbox/', AUTHORIZED), await own.send('/_sandbox/')]) {
    expect(text).toContain(saved)
  }

  using _ = vi.spyOn(console, 'error').mockReturnValue()
  rmSync(folder.file)
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
  const body = JSON.stringify({ email: 'late@example.com' })
  await send('/v2/users', { method: 'POST', headers, body })
  const { text } = await send('/_sandbox/', AUTHORIZED)
  expect(text).toContain(folder.file)
  for (const page of ['', 'ui/users', 'ui/world']) {
    const { status, text } = await own.send(`/_sandbox/${page}`)
    expect(status).toBe(200)
    expect(text, page).toContain('Changes may not be saved.')
    expect(text, page).not.toContain(folder.file)
    expect(text, page).not.toContain(saved)
  }
})
