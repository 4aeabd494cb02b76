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
