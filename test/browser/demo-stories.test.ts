import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openPage, useBrowser } from './browser.ts'
import { startWith, step, tap, untilHeld, untilOver, worldOf } from './demo.ts'
import { startReceiver } from './receiver.ts'
import { NOON, start } from './sandbox.ts'

useBrowser()

const demoOf = (base: string, query: string) => `${base}/_sandbox/demo?${query}`

const press = (page: Page, name: string) =>
  page.locator('body:not([inert])').getByRole('button', { name, exact: true }).click()

/** Waits until a story plays the step with this number. */
const untilAt = (page: Page, at: number) => page.locator(`.caption[data-at="${at}"]`).waitFor()

it('a demo story is ready to play when the demo opens, and can be paused, stepped and restarted', async () => {
  const { url } = await start({ clock: NOON })
  const page = await openPage(demoOf(url, 'fast=4'))
  await untilHeld(page, 0)
  await press(page, 'Play')
  await untilAt(page, 2)
  await press(page, 'Pause')
  const held = page.locator('.caption[data-held]')
  await held.waitFor()
  const at = Number(await held.getAttribute('data-at'))
  await press(page, 'Step')
  await untilHeld(page, at + 1)
  // A reload goes on where it was.
  await page.reload()
  await untilHeld(page, at + 1)
  await press(page, 'Resume')
  await untilAt(page, at + 2)
  await press(page, 'Restart')
  await page.locator('.caption').and(page.locator('[data-at="1"], [data-at="2"]')).waitFor()
  await page.getByRole('combobox', { name: 'Story' }).selectOption('sell')
  await untilHeld(page, 0)
})

it('a demo story pauses when somebody touches the phone or the framed page, and can be continued', async () => {
  const { url } = await start({ clock: NOON })
  const page = await openPage(demoOf(url, 'story=buy&fast=2'))
  await page.locator('body:not([inert]) .phone .status-bar').click()
  await page.locator('.caption[data-held]').waitFor()
  await press(page, 'Resume')
  const check = page.frameLocator('.phone iframe')
  // The page may be gone before it has been still for as long as a click waits by default.
  await check.locator('body[data-ready] h1').first().click({ force: true })
  await page.locator('.caption[data-held]').waitFor()
  await press(page, 'Resume')
  await page.locator('.caption:not([data-held])').waitFor()
})

it('a demo story scrolls to what its caption names and ends well, even if webhooks are signed with world time and lists are short', async () => {
  const { url } = await startWith({ 'webhooks.time': 'world', 'transactions.list.maximum': 1 })
  const page = await openPage('about:blank')
  await page.setViewportSize({ width: 1024, height: 560 })
  await page.goto(demoOf(url, 'story=sell&present&fast=200'))
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
  await press(page, 'Resume')
  await untilOver(page)
  expect(await page.locator('.problem, .failed').count()).toBe(0)
})

it('the world of the demo sends its webhooks to the developer’s app only when asked, and goes on when that fails', async () => {
  const { url, control } = await start({ clock: NOON })
  const receiver = await startReceiver()
  await control('PUT', '/webhooks/settings', { url: receiver.url })
  const page = await openPage(demoOf(url, 'fast=200'))
  await tap(page, 'enter', 'register', 'sim-approve')
  await step(page, 'use-code').waitFor()
  expect(await page.locator('.wire.webhook').count()).toBe(1)
  expect(receiver.came).toEqual([])
  await press(page, 'More')
  await page.getByLabel('Also send to my app').check()
  await page.keyboard.press('Escape')
  const play = async (button: string, rows: string) => {
    await press(page, button)
    await page.locator(rows).nth(4).waitFor()
    await untilOver(page)
  }
  // It responds with 500 until it is mended.
  await play('Play', '.wire.app.failed')
  receiver.mend()
  await play('Play again', '.wire.app:not(.failed)')
  expect(new Set(receiver.came).size).toBe(5)
  const verified = page.locator('.wire.webhook', { hasText: 'signature verified' })
  expect(await verified.count()).toBe(5)
})

it('the demo uses a new world after its old one has ended', async () => {
  const { url, control } = await start({ clock: NOON })
  const page = await openPage(demoOf(url, ''))
  const before = await worldOf(page)
  await control('DELETE', `/worlds/${before.url.split('/').at(-1)}`)
  await expect.poll(async () => (await worldOf(page)).url).not.toBe(before.url)
  await tap(page, 'enter', 'register')
})
