import { describe, expect, it } from 'vitest'
import { openApp, type TestApp } from '../helpers/app.ts'
import { holdPauses } from '../helpers/fake-timers.ts'

const SEARCH = '/v2/users?email=alice@example.com'
const USERS = '/v2/users'
const JSON_CALL = { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' }

/** A private world, or one with the given name. */
async function openWorld(main: TestApp, name?: string) {
  const made = name ?? (await main.control('POST', '/worlds')).name
  const world = main.world(made)
  await world.control('GET', '/health')
  return { world, end: () => main.control('DELETE', `/worlds/${made}`) }
}

const ENDED = [
  ['a private world', undefined, 'This private world has ended.'],
  ['a named world', 'worker-1', 'The world worker-1 has ended.'],
] as const

describe.each(ENDED)('a call to %s that is deleted meanwhile', (_, name, message) => {
  const refused = { success: false, errors: [{ field: 'world', message }] }

  it.each([{}, { status: 500 }])(
    'a call delayed by a fault with %j is refused if its world is deleted meanwhile',
    async (then) => {
      const main = openApp({ fixture: 'verified-user' })
      const { world, end } = await openWorld(main, name)
      await world.control('POST', '/faults', { on: 'api', then: { delay: '150ms', ...then } })
      const pauses = holdPauses()
      const held = world.send(SEARCH, { headers: JSON_CALL })
      await expect.poll(() => pauses.lengths).toEqual([150])
      await end()
      pauses.end()
      const { status, text } = await held
      expect({ status, ...JSON.parse(text) }).toMatchObject({ status: 404, ...refused })
      await main.close()
    },
  )

  it('a call whose body arrives after its world was deleted is refused', async () => {
    const main = openApp()
    const { world, end } = await openWorld(main, name)
    const body = new TransformStream<Uint8Array, Uint8Array>()
    const init = { method: 'POST', headers: JSON_CALL, body: body.readable, duplex: 'half' }
    const held = world.send(USERS, init as RequestInit)
    await end()
    const writer = body.writable.getWriter()
    await writer.write(new TextEncoder().encode('{"email":"bob@example.com"}'))
    await writer.close()
    const { status, text } = await held
    expect({ status, ...JSON.parse(text) }).toMatchObject({ status: 404, ...refused })
    await main.close()
  })
})

it('a named world is created again by the next call, even while a call to its ended predecessor is delayed', async () => {
  const main = openApp({ fixture: 'verified-user' })
  const { world, end } = await openWorld(main, 'worker-1')
  await world.control('POST', '/faults', { on: 'api', then: { delay: '150ms' } })
  const pauses = holdPauses()
  const held = world.send(SEARCH, { headers: JSON_CALL })
  await expect.poll(() => pauses.lengths).toEqual([150])
  await end()
  expect((await world.send(SEARCH, { headers: JSON_CALL })).status).toBe(200)
  pauses.end()
  expect((await held).status).toBe(404)
  await main.close()
})
