import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, useBrowser } from './browser.ts'
import { start, startStory } from './sandbox.ts'

useBrowser()

/** How far the middle of the notice is from that of the window, in pixels. */
async function offCentre(page: Page): Promise<number> {
  const box = await page.locator('main').boundingBox()
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  if (!box) return Number.POSITIVE_INFINITY
  return Math.hypot(box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2)
}

describe('a page that does not come', () => {
  it('leaves the address as it was, says so, and comes when it can', async () => {
    const sandbox = await startStory()
    const page = await openPage(sandbox.dashboard)
    await page.route('**/_sandbox/ui/users', (route) => route.abort())
    await page.locator('#nav-users').click()
    await page.locator('body.gone').waitFor()
    expect(page.url()).toBe(sandbox.dashboard)
    await page.unroute('**/_sandbox/ui/users')
    await page.locator('body:not(.gone)').waitFor()
    await page.locator('#nav-users').click()
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    expect(page.url()).toBe(`${sandbox.url}/_sandbox/ui/users`)
  })

  it('keeps the navigation where there is nothing of that name', async () => {
    const { url } = await start()
    const page = await openPage(`${url}/_sandbox/ui/users/nobody`)
    await page.getByText('There is no such page.').waitFor()
    await page.getByRole('navigation', { name: 'Inspector' }).getByText('Users').click()
    await page.getByRole('heading', { name: 'Users' }).waitFor()
  })

  it('is a notice in the middle, with and without the control API', async () => {
    const { url } = await start()
    const page = await openPage(`${url}/_sandbox/kyc/nowhere`)
    expect(await offCentre(page)).toBeLessThan(40)
    const closed = await start('--no-control')
    await page.goto(`${closed.url}/_sandbox/`)
    await page.getByText('The inspector is switched off.').waitFor()
    expect(await offCentre(page)).toBeLessThan(40)
  })
})

describe('the clock', () => {
  it('counts down in the list of what is scheduled', async () => {
    const sandbox = await startStory()
    await sandbox.buy(sandbox.token, 250)
    await sandbox.control('POST', '/clock/resume')
    const page = await openPage(sandbox.dashboard)
    await page.locator('#scheduled summary').click()
    const left = page.locator('.popover .countdown').first()
    const first = await left.innerText()
    await expect.poll(() => left.innerText()).not.toBe(first)
  })
})
