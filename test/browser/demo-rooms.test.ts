import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeProblems } from './axe.ts'
import { openPage, PHONE, useBrowser } from './browser.ts'
import { step } from './demo.ts'
import { apiOf, type Json, NOON, start } from './sandbox.ts'

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

/** What the page asks of the sandbox besides the contract, and what is pressed outside of the phone. */
const ASKED = [
  /^GET \/catch\/demo-wallet\/requests$/,
  /^(GET|PUT) \/demo\/records\/[\w.%@-]+$/,
  /^GET \/(clock|events\/stream|inbox|info|settings|webhooks\/deliveries)$/,
  /^POST \/(webhooks\/drain|snapshots|clock\/advance|faults)$/,
  /^DELETE \/faults$/,
  /^POST \/simulate\/(transactions|users)\/[\da-f-]+\/[a-z-]+$/,
  // By the framed pages of the identity check and the bank.
  /^(GET|POST) \/(kyc|bank)\/[\w-]+$/,
]

/** Keeps what a page asks of the sandbox, besides pages and their assets. */
function noteAsked(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.isNavigationRequest() || pathname.includes('/assets/')) return
    const [, path] = pathname.split('/_sandbox')
    if (path !== undefined) asked.push(`${request.method()} ${path}`)
  })
  return asked
}

/** Opens the choices of “What if …?” by the presenter's keys, and closes them. */
async function seeChoices(page: Page) {
  await page.keyboard.press('w')
  await page.locator('[data-choice]').first().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.what-if').waitFor({ state: 'detached' })
}

const THEMES = ['light', 'dark'] as const

describe('the demo in a room', () => {
  it.each([
    { story: 'buy', size: '1024 by 600', end: ['buy complete'], webhooks: 5, lost: 0 },
    { story: 'bank', size: '1024 by 768', end: ['buy complete'], webhooks: 4, lost: 0 },
    { story: 'kyc', size: '1440 by 900', end: [], webhooks: 4, lost: 0 },
    { story: 'expired', size: '1920 by 1080', end: ['buy expired'], webhooks: 3, lost: 0 },
    { story: 'sell', size: '390 by 844', end: ['sell complete'], webhooks: 4, lost: 0 },
    { story: 'webhook', size: '1280 by 720', end: ['buy complete'], webhooks: 4, lost: 1 },
  ] as const)(
    'presents the story $story at $size, followed in French: it ends well, cuts nothing and passes axe',
    async ({ story, size, end, webhooks, lost }) => {
      const [width = 0, height = 0] = size.split(' by ').map(Number)
      const { url } = await start('--clock', NOON)
      const look = { viewport: { width, height }, bypassCSP: true }
      const demo = `${url}/_sandbox/demo`
      const first = await openPage('about:blank', look)
      const asked = noteAsked(first)
      await first.goto(`${demo}?story=${story}&present&speed=50`)
      await first.locator('body:not([inert]) .caption[data-at="0"][data-held]').waitFor()
      const session = await first.evaluate(() => Object.values(sessionStorage)[0])
      const other = await openPage(`${demo}?session=${session}&lang=fr`, look)
      const count = Number((await first.locator('.caption .quiet').innerText()).split(' of ')[1])
      for (let step = 0; step <= count; step++) {
        await first.locator(`body:not([inert]) .caption[data-at="${step}"][data-held]`).waitFor()
        // A sentence for each call, with its HTTP folded away.
        expect(await first.locator('.wire summary code').count()).toBe(0)
        const shown = await outlineOf(first)
        await expect.poll(() => outlineOf(other), { message: `${story} ${step}` }).toEqual(shown)
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
        if (step > 0) await seeChoices(first)
        if (step < count) await first.keyboard.press('ArrowRight')
      }
      expect(asked.filter((one) => !ASKED.some((pattern) => pattern.test(one)))).toEqual([])
      expect(await first.locator('.problem').count()).toBe(0)
      const { items } = await apiOf(url).control('GET', '/transactions')
      expect(items.map(({ side, status }: Json) => `${side} ${status}`)).toEqual(end)
      const hooks = await first.locator('.wire.webhook').allInnerTexts()
      expect(hooks).toHaveLength(webhooks)
      const verified = hooks.filter((text) => text.includes('signature verified'))
      expect(verified).toHaveLength(webhooks - lost)
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
