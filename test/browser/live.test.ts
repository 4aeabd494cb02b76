import { expect, it } from 'vitest'
import { openPage, useBrowser } from './browser.ts'
import { startReceiver } from './receiver.ts'
import { NOON, start, startStory } from './sandbox.ts'

useBrowser()

it('the inspector keeps the timeline as it is while updates are paused, and counts what it misses', async () => {
  const sandbox = await startStory()
  const page = await openPage(sandbox.dashboard)
  const entries = page.locator('.causes > li')
  const before = await entries.count()
  await page.getByRole('button', { name: 'Pause' }).click()
  await sandbox.api('GET', '/users?email=late@example.com')
  await page.getByRole('button', { name: /^Resume updates \([1-9]/ }).waitFor()
  expect(await entries.count()).toBe(before)
  await page.getByRole('button', { name: /^Resume updates/ }).click()
  await expect.poll(() => entries.count()).toBe(before + 1)
})

it('the inspector shows local times instead of UTC after one click, and keeps them after a reload', async () => {
  const sandbox = await startStory()
  const page = await openPage(sandbox.dashboard, { timezoneId: 'America/Toronto' })
  const now = page.locator('#now')
  expect(await now.innerText()).toBe('2026-07-01 12:00:00')
  await page.getByRole('button', { name: 'UTC' }).click()
  await expect.poll(() => now.innerText()).toBe('2026-07-01 08:00:00')
  const first = page.locator('.cause time').first()
  expect(await first.innerText()).toBe('08:00:00')
  expect(await first.getAttribute('title')).toContain('2026-07-01 12:00:00 UTC')
  await page.reload()
  await expect.poll(() => now.innerText()).toBe('2026-07-01 08:00:00')
})

it('the timeline shows the notes of accepted calls, and what a receiver did wrong', async () => {
  const sandbox = await startStory()
  const receiver = await startReceiver()
  await sandbox.api('PUT', '/webhook-configurations', { url: receiver.url })
  await sandbox.buy(sandbox.token, 100)
  await sandbox.control('POST', '/webhooks/drain')
  const { id } = await sandbox.api('POST', '/users', { email: 'bob@example.com' })
  // This call also has the note that a setting decided about its credentials.
  await sandbox.api('PATCH', `/users/${id}`, { nickname: 'Bob' })
  const { requests } = await sandbox.control('GET', '/requests?last=1')
  expect(requests[0].notes).toHaveLength(2)
  const page = await openPage(sandbox.dashboard)
  const why = page.locator('.why', { hasText: 'nickname' })
  expect(await why.innerText()).toBe('nickname is not a field of this request.')
  await page.locator('.effect .bad', { hasText: 'The receiver responded with 500' }).waitFor()
})

it('the inspector says whether a `listen` command is connected', async () => {
  const sandbox = await start({ clock: NOON })
  const page = await openPage(sandbox.dashboard)
  const badge = page.getByText('listen connected')
  expect(await badge.count()).toBe(0)
  const leave = new AbortController()
  const { signal } = leave
  await fetch(`${sandbox.url}/_sandbox/events/stream?as=listen`, { signal })
  await sandbox.control('PATCH', '/settings', { 'quotes.ttl': '5m' })
  await badge.waitFor()
  leave.abort()
  await sandbox.control('PATCH', '/settings', { 'quotes.ttl': '6m' })
  await badge.waitFor({ state: 'detached' })
})

it('the inspector loads a page once when it opens and once after a button, even if the events precede the response', async () => {
  const sandbox = await startStory()
  const page = await openPage('about:blank', {})
  await page.clock.install()
  const received: string[] = []
  const session = await page.context().newCDPSession(page)
  session.on('Network.eventSourceMessageReceived', ({ eventName }) => received.push(eventName))
  await session.send('Network.enable')
  await page.route('**/clock/advance', async (route) => {
    const response = await route.fetch()
    await expect.poll(() => received).toContain('action')
    await route.fulfill({ response })
  })
  let reads = 0
  page.on('request', (request) => {
    if (request.url().includes('/_sandbox/timeline?')) reads++
  })
  const listening = page.waitForResponse(/events\/stream/)
  await page.goto(sandbox.dashboard)
  await listening
  await page.locator('main[aria-busy=false]').waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: '+1 h' }).click()
  const now = page.locator('#now')
  await expect.poll(() => now.innerText()).toBe('2026-07-01 13:00:00')
  await page.clock.fastForward(1_000)
  await page.locator('main[aria-busy=false]').waitFor()
  expect(reads).toBe(2)
  received.length = 0
  await sandbox.control('POST', '/clock/advance', { by: '1h' })
  await expect.poll(() => received).toContain('action')
  await page.clock.fastForward(1_000)
  await expect.poll(() => now.innerText()).toBe('2026-07-01 14:00:00')
  await page.clock.fastForward(1_000)
  await page.locator('main[aria-busy=false]').waitFor()
  expect(reads).toBe(3)
})
