import { expect, it, vi } from 'vitest'
import { createUser, openFolder, openKept } from '../store/kept.ts'

const MAIN = 'main-secret'
const AUTHORIZED = { headers: { authorization: `Bearer ${MAIN}` } }

it('says on each page that changes are not being saved, but not in a private world', async () => {
  using folder = openFolder()
  await using kept = await openKept(folder.data, { controlToken: MAIN })
  const { send } = kept.app
  const json = { 'content-type': 'application/json', ...AUTHORIZED.headers }
  const made = await send('/_sandbox/worlds', { method: 'POST', headers: json, body: '{}' })
  const own = kept.world(JSON.parse(made.text).name).app
  const SAVED = 'All changes are saved'
  expect((await send('/_sandbox/', AUTHORIZED)).text).toContain(SAVED)
  expect((await own.send('/_sandbox/')).text).not.toContain(SAVED)

  using _ = vi.spyOn(console, 'error').mockReturnValue()
  const free = folder.fill()
  expect((await createUser(kept, 'late@example.com')).status).toBe(507)
  for (const page of ['', 'ui/users', 'ui/world']) {
    const { status, text } = await send(`/_sandbox/${page}`, AUTHORIZED)
    expect([status, text]).toEqual([200, expect.stringContaining('Changes are not being saved')])
    expect((await own.send(`/_sandbox/${page}`)).text, page).not.toContain('not being saved')
  }
  free()
})
