import { expect, it } from 'vitest'
import { NOON, openApp } from '../helpers/app.ts'

const HOUR = 3_600_000

it('a running world goes on when the wall clock is set back', async () => {
  let wall = Date.parse(NOON)
  const app = openApp({ clock: 'running', wallClock: () => wall })
  const readNow = async () => Date.parse((await app.control('GET', '/clock')).now)
  wall += HOUR
  const before = await readNow()
  expect(before).toBe(Date.parse(NOON) + HOUR)
  wall -= 5 * HOUR
  const after = await readNow()
  expect(after).toBeGreaterThanOrEqual(before)
  expect(after).toBeLessThan(before + HOUR)
  wall += 1_000
  expect(await readNow()).toBe(after + 1_000)
  await app.close()
})

it('what is scheduled runs in time although the wall clock was set back', async () => {
  let setBackMs = 0
  const wallClock = () => Date.parse(NOON) + performance.now() - setBackMs
  const app = openApp({ clock: 'running', fixture: 'verified-user', wallClock })
  const path = '/simulate/users/alice@example.com/kyc'
  await app.control('POST', path, { status: 'in-review', after: '300ms' })
  setBackMs = 5 * HOUR
  const { matched } = await app.control('GET', '/events?status=in-review&timeout=5s')
  expect(matched).toBe(true)
  await app.close()
})
