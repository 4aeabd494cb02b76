import type { FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage } from './browser.ts'
import { apiOf, NOON, type Running, start } from './sandbox.ts'

/** A sandbox with other settings, in this process. */
export async function startWith(settings: Record<string, unknown>): Promise<Running> {
  const sandbox = await start({ clock: NOON })
  await sandbox.control('PATCH', '/settings', settings)
  return sandbox
}

/** A button of the demo by its name in the stories, once it may be pressed. */
export const step = (page: Page | FrameLocator, name: string) =>
  page.locator(`body:not([inert]) [data-step="${name}"]:enabled`)

/** Presses buttons of the demo, one after the other. */
export async function tap(page: Page | FrameLocator, ...names: string[]): Promise<void> {
  for (const name of names) await step(page, name).click()
}

/** The world that a demo plays in, by its link to the inspector. */
export async function worldOf(page: Page) {
  await page.locator('body:not([inert])').waitFor()
  const inspector = await page.locator('.inspector-link').getAttribute('href')
  const url = new URL(`${inspector}/../..`, page.url()).href.replace(/\/$/, '')
  return { ...apiOf(url), url }
}

/** Opens the menu and chooses from it. */
export async function chooseMore(page: Page, name: string): Promise<void> {
  await page.locator('body:not([inert])').getByRole('button', { name: 'More' }).click()
  await page.locator('.more').getByRole('button', { name }).click()
}

/** Waits until a story has taken so many steps and goes no further by itself. */
export const untilHeld = (page: Page, at: number) =>
  page.locator(`body:not([inert]) .caption[data-at="${at}"][data-held]`).waitFor()

/** Waits until a story has taken all its steps. */
export async function untilOver(page: Page) {
  await page.getByRole('button', { name: 'Play again' }).waitFor()
  const [at, count] = (await page.locator('.caption .quiet').innerText()).split(' of ')
  expect(at, await page.locator('.caption p').innerText()).toBe(count)
}

/** The wallet of a customer who has logged in and holds 120 USDC, as a story leaves it. */
export async function openHome(url: string): Promise<Page> {
  const page = await openPage(`${url}/_sandbox/demo?story=sell&present&fast=200`)
  await untilHeld(page, 0)
  await page.keyboard.press('ArrowRight')
  await untilHeld(page, 1)
  await page.keyboard.press('p')
  await page.locator('.simulate').waitFor()
  return page
}
