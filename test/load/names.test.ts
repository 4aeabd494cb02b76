import { expect, it, vi } from 'vitest'
import { OPERATIONS } from '../../src/host/operations.ts'
import { Worlds } from '../../src/host/worlds.ts'

const NAMES = ['__proto__', 'constructor']

it.each(NAMES)('nothing is found under the name %s', async (name) => {
  const logged = vi.spyOn(console, 'error')
  const worlds = new Worlds({ clock: 'frozen' })
  const named = OPERATIONS.filter(({ path, method }) => method === 'GET' && path.includes(':'))
  const paths = [
    ...named.map(({ path }) => path.replaceAll(/:\w+/g, name)),
    ...['assets', 'bank'].map((folder) => `/_sandbox/${folder}/${name}`),
  ]
  for (const path of paths) {
    const headers = { 'x-api-key': 'sandbox-key-2' }
    const response = await worlds.fetch(new Request(`http://127.0.0.1${path}`, { headers }))
    // A catch has every name; what is neither there nor possible is 400 or 404.
    const expected = path.startsWith('/_sandbox/catch') ? [200, 400] : [400, 404]
    expect([path, expected.includes(response.status)]).toEqual([path, true])
  }
  expect(logged).not.toHaveBeenCalled()
  logged.mockRestore()
  await worlds.close()
})
