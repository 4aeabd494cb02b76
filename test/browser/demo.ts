import type { FrameLocator, Page } from 'playwright-core'
import { DESK, openPage, PHONE } from './browser.ts'
import { apiOf, NOON, type Running, start } from './sandbox.ts'

/** A sandbox with other settings, in this process. */
export async function startWith(settings: Record<string, unknown>): Promise<Running> {
  const sandbox = await start('--clock', NOON)
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

/** Waits until a story has taken so many steps and goes no further by itself. */
export const untilHeld = (page: Page, at: number) =>
  page.locator(`body:not([inert]) .caption[data-at="${at}"][data-held]`).waitFor()

/**
 * The wallet of a customer who has logged in and holds 120 USDC. Another window of the session did that,
 * so that this one only goes along.
 */
export async function openHome(url: string, query = ''): Promise<Page> {
  const { api, control, logIn, verified } = apiOf(url)
  await api('PUT', '/webhook-configurations', { url: `${url}/_sandbox/catch/demo-wallet` })
  const email = 'ana@example.com'
  const userId = await verified(email)
  const token = await logIn(email)
  const { now } = await control('GET', '/clock')
  const received = [{ id: 'received-1', label: 'USDC-ETH', amount: 120, date: now }]
  const customer = { name: 'Ana', received, orders: {} }
  const wallet = { ...customer, screen: 'home', email, userId, userStatus: 'verified', token }
  await control(
    'PUT',
    `/demo/records/customer.${encodeURIComponent(encodeURIComponent(email))}`,
    customer,
  )
  await control('PUT', '/demo/records/session.0123456789', { by: 'other', wallet, causes: [] })
  const page = await openPage(`${url}/_sandbox/demo?session=0123456789&${query}`)
  await step(page, 'sell').waitFor()
  return page
}

/** Another window with the session of a page. */
export async function openWindow(page: Page, query: string): Promise<Page> {
  const session = await page.evaluate(() => Object.values(sessionStorage)[0])
  const other = await page.context().newPage()
  await other.setViewportSize(page.viewportSize() ?? DESK)
  await other.goto(`${page.url().split('?')[0]}?${query}&session=${session}`)
  return other
}

/** A phone with the session of a page. */
export async function openHand(page: Page): Promise<Page> {
  const hand = await openWindow(page, 'view=wallet')
  await hand.setViewportSize(PHONE.viewport)
  return hand
}

/** Words that a page in French has no use for. */
export const ENGLISH = /\b(your|the|for|is|order)\b/i
