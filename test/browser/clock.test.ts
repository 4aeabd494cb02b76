import type { Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, press, useBrowser } from './browser.ts'
import { worldOf } from './demo.ts'
import { NOON, start, startStory } from './sandbox.ts'

useBrowser()

describe('the clock bar', () => {
  it('the clock bar moves time with every button, and shows what is scheduled', async () => {
    const { control, dashboard, token, buy } = await startStory()
    await buy(token, 100)
    const page = await openPage(dashboard)
    const now = page.locator('#now')
    await expect.poll(() => now.innerText()).toBe('2026-07-01 12:00:00')

    await page.getByText('1 scheduled').click()
    await expect.poll(() => page.locator('#scheduled .tasks').innerText()).toContain('13:00:00')
    await page.getByLabel('Advance by').last().fill('10m')
    await press(page, 'Advance', 'Clock advanced')
    await expect.poll(() => now.innerText()).toBe('2026-07-01 12:10:00')
    await page.keyboard.press('Escape')

    await press(page, 'To next task', '1 task ran, 1 webhook delivered')
    await expect.poll(() => now.innerText()).toBe('2026-07-01 13:00:00')
    await press(page, '+1 h', 'Clock advanced by 1 h')
    await expect.poll(() => now.innerText()).toBe('2026-07-01 14:00:00')
    await press(page, '+24 h', 'Clock advanced by 24 h')
    await expect.poll(() => now.innerText()).toBe('2026-07-02 14:00:00')
    expect(await page.getByRole('button', { name: 'To next task' }).isDisabled()).toBe(true)

    await press(page, 'Resume', 'Clock resumed')
    await expect.poll(() => page.locator('.mode').innerText()).toBe('running')
    await expect.poll(() => now.innerText()).not.toBe('2026-07-02 14:00:00')
    await press(page, 'Freeze', 'Clock frozen')
    await expect.poll(() => page.locator('.mode').innerText()).toBe('frozen')
    expect((await control('GET', '/clock')).mode).toBe('frozen')
  })

  it('the clock bar counts down to the expiry of a transaction while the clock runs', async () => {
    const sandbox = await start({ fixture: 'verified-user', clock: `running@${NOON}` })
    const token = await sandbox.logIn('alice@example.com')
    const { id } = await sandbox.buy(token, 100)
    const page = await openPage(`${sandbox.url}/_sandbox/ui/transactions/${id}`)
    const left = page.locator('.detail .countdown')
    await expect.poll(() => left.innerText()).toMatch(/^in 59 min 5\d s$/)
    const first = await left.innerText()
    await expect.poll(() => left.innerText()).not.toBe(first)
  })

  it('the clock bar follows what others do, without loading the page again', async () => {
    const sandbox = await startStory()
    const page = await openPage(`${sandbox.url}/_sandbox/ui/transactions`)
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    await page.getByRole('searchbox', { name: 'Find in transactions' }).focus()
    const { id } = await sandbox.buy(sandbox.token, 100)
    const row = page.locator('.rows tr', { has: page.locator(`[id="row-${id}"]`) })
    await expect.poll(() => row.innerText()).toContain('pending')
    await sandbox.control('POST', `/simulate/transactions/${id}/settled`, { through: true })
    await expect.poll(() => row.innerText()).toContain('complete')
    await sandbox.control('POST', '/clock/advance', { by: '2h' })
    await expect.poll(() => page.locator('#now').innerText()).toBe('2026-07-01 14:00:00')
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('find-transactions')
  })

  it('the clock bar shows what happened after the page was drawn and before its stream was open', async () => {
    const sandbox = await startStory()
    const page = await openPage('about:blank')
    const asked = new Promise<Route>((resolve) => page.route('**/events/stream?*', resolve))
    await page.goto(`${sandbox.url}/_sandbox/ui/transactions`)
    const route = await asked
    const { id } = await sandbox.buy(sandbox.token, 100)
    // Nothing else happens once it listens.
    await sandbox.control('POST', '/webhooks/drain')
    await route.continue()
    await page.locator(`[id="row-${id}"]`).waitFor()
  })
})

it('the demo shows what happened before its stream was open', async () => {
  const { url } = await start({ clock: NOON })
  const page = await openPage('about:blank')
  const asked = new Promise<Route>((resolve) => page.route('**/events/stream?*', resolve))
  await page.goto(`${url}/_sandbox/demo`)
  const route = await asked
  const time = page.locator('.phone .status-bar')
  await time.getByText('8:00').waitFor()
  // By then the first look at the world is over.
  const { control } = await worldOf(page)
  await control('POST', '/clock/advance', { by: '1h' })
  await route.continue()
  await time.getByText('9:00').waitFor()
})
