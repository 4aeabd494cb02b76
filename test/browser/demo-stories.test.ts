import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeProblems } from './axe.ts'
import { DESK, openPage, PHONE, useBrowser } from './browser.ts'
import { apiOf, type Json, NOON, start } from './sandbox.ts'

useBrowser()

const demoOf = (base: string, query: string) => `${base}/_sandbox/demo?${query}`

async function untilOver(page: Page) {
  const close = page.locator('.controls').getByRole('button', { name: 'Close' })
  await close.waitFor()
  const [at, count] = (await page.locator('.caption .quiet').innerText()).split(' of ')
  expect(at, await page.locator('.caption p').innerText()).toBe(count)
}

async function expectFit(page: Page) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(page.viewportSize()?.width)
  expect(await axeProblems(page)).toEqual([])
}

/** What the server's column says, in its order. */
const rowsOf = (page: Page) => page.locator('.wire-group h3 > span, .wire summary').allInnerTexts()

const STORIES = [
  { name: 'buy', end: ['buy complete'], webhooks: 5, lost: 0 },
  { name: 'sell', end: ['sell complete'], webhooks: 4, lost: 0 },
  { name: 'kyc', end: [], webhooks: 4, lost: 0 },
  { name: 'expired', end: ['buy expired'], webhooks: 3, lost: 0 },
  { name: 'bank', end: ['buy complete'], webhooks: 4, lost: 0 },
  { name: 'webhook', end: ['buy complete'], webhooks: 4, lost: 1 },
] as const

describe('a story of the demo', () => {
  it.each(STORIES)(
    '$name ends well, in light on a phone and in dark on a desk',
    async ({ name, end, webhooks, lost }) => {
      const { url } = await start('--clock', NOON)
      const demo = demoOf(url, `story=${name}&speed=50`)
      const page = await openPage(demo, { colorScheme: 'light', bypassCSP: true, ...PHONE })
      await untilOver(page)
      expect(await page.locator('.problem').count()).toBe(0)
      await expectFit(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize(DESK)
      await expectFit(page)
      const { items } = await apiOf(url).control('GET', '/transactions')
      expect(items.map(({ side, status }: Json) => `${side} ${status}`)).toEqual(end)
      const hooks = await page.locator('.wire.webhook').allInnerTexts()
      expect(hooks).toHaveLength(webhooks)
      const verified = hooks.filter((text) => text.includes('signature verified'))
      expect(verified).toHaveLength(webhooks - lost)
    },
  )

  it('has the same rows each time, at any size', async () => {
    const { url } = await start('--clock', NOON)
    const pages = [{}, PHONE].map(async (look, index) => {
      const page = await openPage(demoOf(`${url}/w/world-${index}`, 'story=buy&speed=50'), look)
      await untilOver(page)
      return rowsOf(page)
    })
    const [desk = [], phone] = await Promise.all(pages)
    expect(desk.length).toBeGreaterThan(5)
    expect(phone).toEqual(desk)
  })

  it('is paused, stepped, restarted and stopped, and each screen of it passes axe', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(demoOf(url, 'speed=50'), { bypassCSP: true })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.getByLabel('Story', { exact: true }).selectOption('buy')
    await page.evaluate(() => {
      // Within the page, so that no step passes before the pause.
      const observer = new MutationObserver(() => {
        const pause = document.querySelector<HTMLElement>('[aria-label="Pause"]')
        if (!pause) return
        observer.disconnect()
        pause.click()
      })
      observer.observe(document.body, { childList: true, subtree: true })
      document.getElementById('play')?.click()
    })
    const problems: string[] = []
    for (let step = 1; step <= 15; step++) {
      await page.waitForFunction(
        (at) => document.querySelector('[data-held]')?.getAttribute('data-at') === at,
        String(step),
      )
      problems.push(...(await axeProblems(page)).map((problem) => `${step}: ${problem}`))
      if (step < 15) await button('Step').click()
    }
    expect(problems).toEqual([])
    expect(
      await page.locator('.phone .list').getByText('177.04 USDC', { exact: true }).count(),
    ).toBe(1)
    await button('Restart').click()
    await expect.poll(() => page.locator('.caption').getAttribute('data-at')).not.toBe('15')
    await button('Stop').click()
    await page.locator('.caption').waitFor({ state: 'detached' })
  })
})
