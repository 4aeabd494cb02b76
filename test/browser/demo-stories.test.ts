import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DESK, openPage, PHONE, useBrowser } from './browser.ts'
import { step, tap, untilHeld } from './demo.ts'
import { apiOf, NOON, start } from './sandbox.ts'

useBrowser()

const demoOf = (base: string, query: string) => `${base}/_sandbox/demo?${query}`

async function untilOver(page: Page) {
  const close = page.locator('.controls').getByRole('button', { name: 'Close' })
  await close.waitFor()
  const [at, count] = (await page.locator('.caption .quiet').innerText()).split(' of ')
  expect(at, await page.locator('.caption p').innerText()).toBe(count)
}

/** What the server's column says, in its order. */
const rowsOf = (page: Page) => page.locator('.wire-group h3 > span, .wire summary').allInnerTexts()

describe('a story of the demo', () => {
  it('has the same rows each time, at any size, and puts back the clock that it moved', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage('about:blank')
    const play = async (world: string, size: { width: number; height: number }) => {
      await page.setViewportSize(size)
      // Two worlds have the same ids only where both are given a seed.
      await apiOf(`${url}/w/${world}`).control('POST', '/reset', { seed: 'story' })
      await page.goto(demoOf(`${url}/w/${world}`, 'story=expired&speed=50'))
      await untilOver(page)
      return rowsOf(page)
    }
    const phone = await play('phone', PHONE.viewport)
    const desk = await play('desk', DESK)
    expect(desk.length).toBeGreaterThan(5)
    expect(phone).toEqual(desk)
    const now = async () => (await apiOf(`${url}/w/desk`).control('GET', '/clock')).now
    expect(await now()).toBe('2026-07-01T13:00:00.000Z')
    await page.locator('.phone .status-bar', { hasText: '9:00' }).waitFor()
    await page.locator('.controls').getByRole('button', { name: 'Close' }).click()
    await expect.poll(now).toBe('2026-07-01T12:00:00.000Z')
    await page.locator('.phone .status-bar', { hasText: '8:00' }).waitFor()
    await tap(page, 'enter')
    await step(page, 'register').waitFor()
  })

  it('pauses when somebody touches the phone, and goes on from the last step that was true', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(demoOf(url, 'story=sell&speed=4'))
    await page.locator('.caption[data-at="3"]').waitFor()
    await page.locator('.phone h1').first().click()
    await page.getByText('You have taken over.').waitFor()
    await page.locator('.caption[data-held]').waitFor()
    const at = Number(await page.locator('.caption').getAttribute('data-at'))
    await tap(page, 'sim-1h')
    const { control } = apiOf(url)
    await expect
      .poll(async () => (await control('GET', '/clock')).now)
      .toBe('2026-07-01T13:00:00.000Z')
    await page.getByRole('button', { name: 'Go on' }).click()
    // The step after it works, as its quote has not expired.
    await page.locator(`.caption[data-at="${Math.min(at + 2, 10)}"]`).waitFor()
    expect((await control('GET', '/clock')).now).toBe('2026-07-01T12:00:00.000Z')
  })

  it('pauses for a touch of the framed page, too', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(demoOf(url, 'story=buy&speed=4'))
    await page.locator('.caption[data-at="3"]').waitFor()
    const check = page.frameLocator('.phone iframe')
    await check.locator('body[data-ready] h1').first().click()
    await page.getByText('You have taken over.').waitFor()
  })

  it('scrolls to what its caption names, above the buttons', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage('about:blank')
    await page.setViewportSize({ width: 1024, height: 560 })
    await page.goto(demoOf(url, 'story=sell&step=6&speed=50'))
    await untilHeld(page, 6)
    const answer = await page.locator('.phone [data-row="Security answer"]').boundingBox()
    const foot = await page.locator('.phone .foot').boundingBox()
    expect((answer?.y ?? 0) + (answer?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
    expect(
      await page.locator('.phone .screen').evaluate((screen) => screen.scrollTop),
    ).toBeGreaterThan(0)
  })

  it('is paused, stepped, sped up, restarted and stopped', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(demoOf(url, 'story=buy'))
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const captionAt = (at: number, held = '') => page.locator(`.caption[data-at="${at}"]${held}`)
    await press('Pause')
    await page.locator('.caption[data-held]').waitFor()
    const at = Number(await page.locator('.caption').getAttribute('data-at'))
    await press('Step')
    await captionAt(at + 1, '[data-held]').waitFor()
    await press('Step back')
    await captionAt(at, '[data-held]').waitFor()
    await press('Step')
    await captionAt(at + 1, '[data-held]').waitFor()
    await page.getByLabel('Speed').selectOption('4')
    await press('Resume')
    await captionAt(at + 3).waitFor()
    await press('Restart')
    await captionAt(1).waitFor()
    await press('Stop')
    await page.locator('.caption').waitFor({ state: 'detached' })
  })
})
