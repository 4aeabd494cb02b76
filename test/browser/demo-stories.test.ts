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

/** Number of steps that the story has begun. */
const stepOf = async (page: Page) => Number(await page.locator('.caption').getAttribute('data-at'))

/** What the server's column says, in its order. */
const rowsOf = (page: Page) => page.locator('.wire-group h3 > span, .wire summary').allInnerTexts()

describe('a story of the demo', () => {
  it('has the same rows each time, at any size', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage('about:blank')
    const play = async (world: string, size: { width: number; height: number }) => {
      await page.setViewportSize(size)
      // Two worlds have the same ids only where both are given a seed.
      await apiOf(`${url}/w/${world}`).control('POST', '/reset', { seed: 'story' })
      await page.goto(demoOf(`${url}/w/${world}`, 'story=expired&fast=50'))
      await untilOver(page)
      return rowsOf(page)
    }
    const phone = await play('phone', PHONE.viewport)
    const desk = await play('desk', DESK)
    expect(desk.length).toBeGreaterThan(5)
    expect(phone).toEqual(desk)
    await page.locator('.phone .status-bar', { hasText: '9:00' }).waitFor()
    await page.locator('.controls').getByRole('button', { name: 'Close' }).click()
    await tap(page, 'buy')
    await step(page, 'review').waitFor()
  })

  it('pauses when somebody touches the phone or the framed page, and goes on', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(demoOf(url, 'story=buy&fast=5'))
    const resume = page.getByRole('button', { name: 'Resume' })
    await page.locator('.phone .status-bar').click()
    await page.locator('.caption[data-held]').waitFor()
    await resume.click()
    const check = page.frameLocator('.phone iframe')
    await check.locator('body[data-ready] h1').first().click()
    await page.locator('.caption[data-held]').waitFor()
    const at = await stepOf(page)
    await resume.click()
    await expect.poll(() => stepOf(page)).toBeGreaterThan(at)
  })

  it('scrolls to what its caption names, above the buttons', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage('about:blank')
    await page.setViewportSize({ width: 1024, height: 560 })
    await page.goto(demoOf(url, 'story=sell&present&fast=50'))
    for (let at = 0; at <= 6; at++) {
      await untilHeld(page, at)
      if (at < 6) await page.keyboard.press('ArrowRight')
    }
    const answer = await page.locator('.phone [data-row="Security answer"]').boundingBox()
    const foot = await page.locator('.phone .foot').boundingBox()
    expect((answer?.y ?? 0) + (answer?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
    expect(
      await page.locator('.phone .screen').evaluate((screen) => screen.scrollTop),
    ).toBeGreaterThan(0)
  })

  it('is paused, stepped, restarted and stopped', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(demoOf(url, 'story=buy&fast=5'))
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await press('Pause')
    await page.locator('.caption[data-held]').waitFor()
    const at = await stepOf(page)
    await press('Step')
    await page.locator(`.caption[data-at="${at + 1}"][data-held]`).waitFor()
    await press('Resume')
    await expect.poll(() => stepOf(page)).toBeGreaterThan(at + 2)
    await press('Pause')
    await press('Restart')
    await expect.poll(() => stepOf(page)).toBeLessThan(at + 2)
    await press('Stop')
    await page.locator('.caption').waitFor({ state: 'detached' })
  })
})
