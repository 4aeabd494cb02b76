import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeProblems } from './axe.ts'
import { openPage, PHONE, useBrowser } from './browser.ts'
import { step } from './demo.ts'
import { NOON, start } from './sandbox.ts'

useBrowser()

/** Texts and buttons that are cut without an ellipsis or within a word, or stand outside of the window. */
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
      const edge = element.closest('.simulate')?.getBoundingClientRect().bottom ?? innerHeight
      const isBelow = isDesk && element.matches(main) && bottom > edge + 1
      return (
        right > innerWidth + 1 ||
        isBelow ||
        isBroken(element) ||
        (isClipped && textOverflow !== 'ellipsis')
      )
    })
    return found.map(
      ({ tagName, className, textContent }) => `${tagName} ${className}: ${textContent}`,
    )

    /** Whether the only word of a button has two lines. */
    function isBroken(element: HTMLElement) {
      const text = [...element.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)
      if (!text || !element.matches('button') || /\s/.test(text.textContent ?? '')) return false
      const range = document.createRange()
      range.selectNodeContents(text)
      return range.getClientRects().length > 1
    }
  })

/** What a window shows, apart from its language: elements and digits of the screen, rows of the server. */
const outlineOf = (page: Page) =>
  page.evaluate(() => {
    const screen = document.querySelector<HTMLElement>('.phone .screen')
    const elements = [...(screen?.querySelectorAll('*') ?? [])].map(({ tagName }) => tagName)
    const digits = screen?.innerText.match(/[1-9]/g)?.sort().join('')
    const rows = document.querySelectorAll('.wire').length
    return `${elements.sort()} ${digits} ${rows}`
  })

const THEMES = ['light', 'dark'] as const

describe('the demo in a room', () => {
  it.each([
    [1024, 600, 'buy'],
    [1024, 768, 'bank'],
    [1440, 900, 'kyc'],
    [1920, 1080, 'expired'],
    [390, 844, 'sell'],
    [1280, 720, 'webhook'],
  ])(
    'cuts nothing and passes axe at %i by %i on each screen of the story %s, presented and followed',
    async (width, height, story) => {
      const { url } = await start('--clock', NOON)
      const look = { viewport: { width, height }, bypassCSP: true }
      const demo = `${url}/_sandbox/demo`
      const first = await openPage(`${demo}?story=${story}&present&speed=50`, look)
      await first.locator('body:not([inert]) .caption[data-at="0"][data-held]').waitFor()
      const session = await first.evaluate(() => Object.values(sessionStorage)[0])
      const other = await openPage(`${demo}?session=${session}&lang=fr`, look)
      const count = Number((await first.locator('.caption .quiet').innerText()).split(' of ')[1])
      for (let step = 0; step <= count; step++) {
        await first.locator(`body:not([inert]) .caption[data-at="${step}"][data-held]`).waitFor()
        // A sentence for each call, with its HTTP folded away.
        expect(await first.locator('.wire summary code').count()).toBe(0)
        await expect
          .poll(() => outlineOf(other), `${story} ${step}`)
          .toEqual(await outlineOf(first))
        for (const [at, page] of [first, other].entries()) {
          const [lang, colorScheme] = [at === 0 ? 'en' : 'fr', THEMES[(step >> 1) % 2] ?? null]
          const name = `${story} ${step} ${lang} ${colorScheme}`
          await page.emulateMedia({ colorScheme })
          expect(await findCut(page), name).toEqual([])
          // Each theme with each window, in turn. What is below the buttons scrolls from there.
          const problems = at === step % 2 ? await axeProblems(page) : []
          const isReal = (problem: string) => !problem.includes('partially obscured')
          expect(problems.filter(isReal), name).toEqual([])
        }
        await first.keyboard.press('ArrowRight')
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

  it('is presented by keys, forward and back, with the world of each step', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo?story=sell&present&speed=50`, {})
    const at = (step: number) =>
      page.locator(`body:not([inert]) .caption[data-at="${step}"]`).waitFor()
    const orders = async () => (await (await fetch(`${url}/_sandbox/transactions`)).json()).total
    await at(0)
    await page.keyboard.press('ArrowRight')
    await step(page, 'sell').waitFor()
    await page.keyboard.press('Space')
    await step(page, 'review').waitFor()
    await page.locator('.wire-group.fresh', { hasText: 'asks for a price' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await step(page, 'confirm').waitFor()
    await page.keyboard.press('ArrowRight')
    await step(page, 'send').waitFor()
    expect(await orders()).toBe(1)
    await page.keyboard.press('ArrowLeft')
    await at(3)
    await step(page, 'confirm').waitFor()
    expect(await orders()).toBe(0)
    await page.keyboard.press('ArrowRight')
    await step(page, 'send').waitFor()
    expect(await orders()).toBe(1)
    await page.keyboard.press('p')
    await page.locator('.simulate').waitFor()
  })
})
