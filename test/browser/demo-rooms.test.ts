import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeProblems } from './axe.ts'
import { openPage, PHONE, useBrowser } from './browser.ts'
import { NOON, start } from './sandbox.ts'

useBrowser()

const LOOKS = (['light', 'dark'] as const).flatMap((theme) =>
  ['en', 'fr'].map((lang) => ({ theme, lang })),
)

/** Texts and buttons that are cut without an ellipsis, or stand outside of the window. */
const findCut = (page: Page) =>
  page.evaluate(() => {
    const isDesk = innerWidth > 500
    const main = '.simulate .button, .phone .press.primary'
    const texts = '.phone .screen, .phone .screen *, .demo-bar > *, .caption p, .simulate *, h3 *'
    const found = [...document.querySelectorAll<HTMLElement>(texts)].filter((element) => {
      const { overflowX, textOverflow, display } = getComputedStyle(element)
      const { right, bottom, width } = element.getBoundingClientRect()
      if (width === 0 || display === 'inline') return false
      const isClipped = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
      const isBelow = isDesk && element.matches(main) && bottom > innerHeight
      return right > innerWidth + 1 || isBelow || (isClipped && textOverflow !== 'ellipsis')
    })
    return found.map(({ className, textContent }) => `${className}: ${textContent}`)
  })

describe('the demo in a room', () => {
  it.each([
    [1024, 600],
    [1440, 900],
    [1920, 1080],
    [390, 844],
  ])(
    'cuts nothing and passes axe at %i by %i, in each theme and language',
    async (width, height) => {
      const { url } = await start('--clock', NOON)
      const viewport = { width, height }
      const first = await openPage(`${url}/_sandbox/demo?story=sell&present&speed=50`, { viewport })
      for (const step of [0, 1, 2, 3, 4]) {
        await first.locator(`body:not([inert]) .caption[data-at="${step}"][data-held]`).waitFor()
        await first.keyboard.press('ArrowRight')
      }
      await first.locator('.caption[data-at="5"][data-held]').waitFor()
      const session = await first.evaluate(() => Object.values(sessionStorage)[0])
      for (const { theme, lang } of LOOKS) {
        const address = `${url}/_sandbox/demo?session=${session}&lang=${lang}`
        const look = { viewport, colorScheme: theme, bypassCSP: true }
        const page = await openPage(address, look)
        await page.locator('body:not([inert]) .track').waitFor()
        expect(await findCut(page), `${theme} ${lang}`).toEqual([])
        expect(await axeProblems(page), `${theme} ${lang}`).toEqual([])
      }
    },
  )

  it('is the wallet alone on the first screen of a phone', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo`, PHONE)
    await page.locator('body:not([inert]) [data-step="enter"]').waitFor()
    expect(await page.locator('.phone').boundingBox()).toEqual({
      x: 0,
      y: 0,
      ...PHONE.viewport,
    })
  })

  it('is presented by keys past a framed page that takes the focus', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo?story=kyc&present&speed=50`, {})
    for (let step = 0; step < 6; step++) {
      await page.locator(`body:not([inert]) .caption[data-at="${step}"][data-held]`).waitFor()
      await page.keyboard.press('ArrowRight')
    }
    await page.getByRole('heading', { name: 'We are reviewing your documents' }).waitFor()
  })

  it('is presented by keys, forward and back, with the world of each step', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo?story=sell&present&speed=50`, {})
    const at = (step: number) =>
      page.locator(`body:not([inert]) .caption[data-at="${step}"]`).waitFor()
    const orders = async () => (await (await fetch(`${url}/_sandbox/transactions`)).json()).total
    await at(0)
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-step="sell"]:enabled').waitFor()
    await page.keyboard.press('Space')
    await page.locator('[data-step="review"]:enabled').waitFor()
    await page.locator('.wire-group.fresh', { hasText: 'asks for a price' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-step="confirm"]:enabled').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-step="send"]:enabled').waitFor()
    expect(await orders()).toBe(1)
    await page.keyboard.press('ArrowLeft')
    await at(3)
    await page.locator('[data-step="confirm"]:enabled').waitFor()
    expect(await orders()).toBe(0)
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-step="send"]:enabled').waitFor()
    expect(await orders()).toBe(1)
    await page.keyboard.press('p')
    await page.locator('.simulate').waitFor()
  })
})
