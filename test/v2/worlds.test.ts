import { expect, it } from 'vitest'
import { NOON, openApp, refusal } from '../helpers/app.ts'
import { openHooks } from '../helpers/hooks.ts'
import { PENDING, register, verifiedUser } from '../helpers/story.ts'

it('worlds under /w/<name> do not accept tokens of one another, even if both have the same ids', async () => {
  const app = openApp()
  for (const name of ['a', 'b']) {
    await app.world(name).control('POST', '/reset', { seed: 'same', clock: NOON })
  }
  const here = await verifiedUser(app.world('a'))
  const there = await verifiedUser(app.world('b'))
  expect(there.id).toBe(here.id)
  expect(await there.buy()).toEqual(await here.buy())
  expect(await app.world('b').refused('GET /v2/limits', { token: here.token })).toMatchObject(
    refusal(401, 'authorization'),
  )
  await app.world('a').call('GET /v2/limits', { token: here.token })
})

it('worlds under /w/<name> have clocks of their own', async () => {
  const app = openApp()
  const here = await verifiedUser(app.world('a'))
  const there = await verifiedUser(app.world('b'))
  const { id } = await here.buy()
  await there.buy()
  await app.world('b').advance('1d')
  expect(await here.read(id)).toMatchObject({ status: PENDING })
  expect(await there.refused('GET /v2/limits')).toMatchObject({ status: 401 })
})

it('worlds under /w/<name> have webhooks, limits, rates and settings of their own', async () => {
  const app = openApp()
  const [a, b] = [app.world('a'), app.world('b')]
  await using hooks = await openHooks(a)
  await a.control('PUT', '/rates', { USDC: { cad: 2 } })
  await a.control('PATCH', '/settings', { 'limits.active': 1 })
  const there = await verifiedUser(b)
  await there.buy()
  await there.buy()
  expect(await hooks.envelopes()).toEqual([])
  const here = await verifiedUser(a)
  await here.buy()
  expect(await here.refusedBuy()).toMatchObject({ status: 400 })
  expect(await b.refused('GET /v2/webhook-configurations')).toMatchObject({ status: 404 })
  expect(await hooks.statuses()).toEqual(['verified', PENDING])
})

it.each(['-a', 'a%20b', 'a%2Fb', 'x'.repeat(65), ''])(
  'worlds under /w/<name> may not be named "%s"',
  async (name) => {
    const { status } = await openApp().send(`/w/${name}/v2/quotes`)
    expect([400, 404]).toContain(status)
  },
)

it.each(['A.b_c-1', 'x'.repeat(64)])('worlds under /w/<name> may be named "%s"', async (name) => {
  await register(openApp().world(name))
})
