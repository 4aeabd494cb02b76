import { expect, it } from 'vitest'
import { openApp, sendTo } from './helpers/app.ts'

const SETTINGS = { 'requests.perMinute': 1 }
const NOON_PASSED = '2026-07-01T12:00:20.000Z'

/** The second call of a minute, which is one too many. */
async function exceed(clock: string) {
  const app = openApp({ clock, settings: SETTINGS, wallClock: () => Date.parse(NOON_PASSED) })
  await sendTo(app, 'GET /v2/users?email=a@example.com')
  const { status, headers, text } = await sendTo(app, 'GET /v2/users?email=a@example.com')
  const { reason } = await app.control('GET', `/requests/${headers.get('x-sandbox-request')}`)
  await app.close()
  const [error] = JSON.parse(text).errors
  return { status, said: error.message, retryAfter: headers.get('retry-after'), hint: reason.hint }
}

it('the response to a call beyond the limit per minute says in how many seconds to repeat it', async () => {
  expect(await exceed(`running@${NOON_PASSED}`)).toMatchObject({
    status: 429,
    said: 'At most 1 call may be made per minute.',
    retryAfter: '40',
  })
})

it('the response to a call beyond the limit names no seconds while the clock is frozen, because they never pass', async () => {
  const { status, retryAfter, hint } = await exceed(NOON_PASSED)
  expect([status, retryAfter]).toEqual([429, null])
  expect(hint).toBe('The clock is frozen; advance it by 40s to begin the next minute.')
})
