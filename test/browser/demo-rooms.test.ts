import type { Page, Request } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { axeProblems } from './axe.ts'
import { openPage, PHONE, useBrowser } from './browser.ts'
import { chooseMore, untilHeld, untilOver, worldOf } from './demo.ts'
import { type Json, NOON, start } from './sandbox.ts'

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

/** What the page asks of its world besides the contract, and what is pressed outside of the phone. */
const ASKED = [
  /^GET \/(events\/stream|inbox|info|settings\/limits\.active|webhooks\/(deliveries|settings))$/,
  /^POST \/(webhooks\/(drain|explain)|clock\/advance|faults)$/,
  /^DELETE \/faults$/,
  // How it begins its world.
  /^(POST \/worlds|PUT \/webhooks\/settings|PATCH \/settings)$/,
  /^POST \/simulate\/(transactions|users)\/[\da-f-]+\/[a-z-]+$/,
  // By the framed pages of the identity check and the bank.
  /^(GET \/|POST \/forms\/)(kyc|bank)\/[\w-]+$/,
]

/** Keeps what a page asks of the sandbox, besides pages and their assets. */
function noteAsked(page: Page): string[] {
  const asked: string[] = []
  const note = (request: Request) => {
    const { pathname } = new URL(request.url())
    if (request.isNavigationRequest() || pathname.includes('/assets/')) return
    const [, path] = pathname.split('/_sandbox')
    if (path !== undefined) asked.push(`${request.method()} ${path}`)
  }
  page.on('request', note)
  onTestFinished(() => void page.off('request', note))
  return asked
}

/** What the server's column says, in its order, without login codes, answers and ids. */
async function rowsOf(page: Page) {
  const rows = await page.locator('.wire-group h3 > span, .wire summary').allInnerTexts()
  return rows.map((row) => row.replace(/answer: \w+|Messages: \d{4}/, '…'))
}

const THEMES = ['light', 'dark'] as const
/** Captions that were seen: stories begin with the same steps. */
const seen = new Set<string>()
/** Screens that have passed axe, without their words. */
const passed = new Set<string>()

/** Looks at a step that no story had before. */
async function lookOnce(page: Page) {
  const caption = await page.locator('.caption p').innerText()
  if (seen.has(caption)) return
  seen.add(caption)
  await expectPassed(page, caption)
}

/** Looks at a screen with elements of its own: by all rules, in one theme after the other. */
async function expectPassed(page: Page, caption: string) {
  const screen = await page.evaluate(describeScreen)
  if (passed.has(screen)) return
  const colorScheme = THEMES[passed.size % 2] ?? null
  passed.add(screen)
  await page.emulateMedia({ colorScheme })
  const problems = await axeProblems(page, undefined, ['.phone', '.caption'])
  expect(problems.filter(isReal), `${caption} ${colorScheme}`).toEqual([])
}

/** What axe looks at besides words; runs in the page. */
function describeScreen() {
  const looks = /^(class|style|role|type|disabled|hidden|open|tabindex|aria-(?!label|value))/
  const elements = [...document.querySelectorAll('.phone, .phone *, .caption, .caption *')]
  return elements
    .map(({ tagName, attributes }) => {
      const all = [...attributes].map(({ name, value }) => name + (looks.test(name) ? value : ''))
      return [tagName, ...all].join()
    })
    .join(' ')
}

/** What is below the buttons of a screen scrolls from there. */
const isReal = (problem: string) => !problem.includes('partially obscured')

/** Each takes a step. */
const KEYS = ['ArrowRight', 'Space', 'PageDown'] as const

/** Presents a story by keys, and looks at each step. */
async function present(page: Page, look: (step: number) => Promise<void>) {
  const count = Number(await page.locator('.caption progress').getAttribute('max'))
  for (let step = 0; step <= count; step++) {
    if (step > 0) await page.keyboard.press(KEYS[step % KEYS.length] ?? '')
    await untilHeld(page, step)
    // A sentence for each call, with its HTTP folded away.
    expect(await page.locator('.wire summary code').count()).toBe(0)
    await look(step)
  }
}

interface Room {
  story: string
  size: [width: number, height: number]
  /** Transaction of each play, at its end. */
  end: string[]
  webhooks: number
  lost?: number
}

const ROOMS: Room[] = [
  { story: 'buy', size: [1024, 600], end: ['buy complete'], webhooks: 5 },
  { story: 'bank', size: [1024, 768], end: ['buy complete'], webhooks: 4 },
  { story: 'kyc', size: [1440, 900], end: [], webhooks: 4 },
  { story: 'expired', size: [1920, 1080], end: ['buy expired'], webhooks: 3 },
  { story: 'sell', size: [390, 844], end: ['sell complete'], webhooks: 4 },
  { story: 'webhook', size: [1280, 720], end: ['buy complete'], webhooks: 4, lost: 1 },
]

describe('the demo in a room', () => {
  it.each(ROOMS)(
    'the demo story $story ends well with the same rows on a phone and presented at $size, cuts nothing off, and passes axe',
    async ({ story, size: [width, height], end, webhooks, lost = 0 }) => {
      const { url, control } = await start({ clock: NOON })
      // Nobody listens there.
      await control('PUT', '/webhooks/settings', { url: 'http://127.0.0.1:9/hooks' })
      const page = await openPage('about:blank')
      await page.setViewportSize(PHONE.viewport)
      onTestFinished(() => page.emulateMedia({ colorScheme: 'light' }))
      const asked = noteAsked(page)
      await page.goto(`${url}/_sandbox/demo?fast=200`)
      const world = await worldOf(page)
      // It plays as in a world that never had a URL.
      const { integrators } = await world.control('GET', '/info')
      expect(integrators.map(({ webhookUrl }: Json) => webhookUrl)).toEqual([null, null])
      const pick = page.getByRole('combobox', { name: 'Story' })
      await pick.selectOption(story)
      await page.getByRole('button', { name: 'Play', exact: true }).click()
      await untilOver(page)
      expect(await page.locator('.problem').count()).toBe(0)
      const first = await rowsOf(page)
      expect(first.length).toBeGreaterThan(5)
      const lostOnes = first.filter((row) => row.includes('Lost on purpose: it was never sent.'))
      expect(lostOnes).toHaveLength(lost)

      await page.setViewportSize({ width, height })
      // Choosing another story makes this one ready again.
      await pick.selectOption(story === 'buy' ? 'sell' : 'buy')
      await pick.selectOption(story)
      await chooseMore(page, 'Present')
      await untilHeld(page, 0)
      await present(page, async (step) => {
        expect(await findCut(page), `${story} ${step}`).toEqual([])
        await lookOnce(page)
      })
      expect(await rowsOf(page)).toEqual(first)
      expect((await axeProblems(page)).filter(isReal)).toEqual([])
      expect(asked.filter((one) => !ASKED.some((pattern) => pattern.test(one)))).toEqual([])
      expect(await page.locator('.problem').count()).toBe(0)
      const { counts } = await control('GET', '/info')
      expect(counts).toMatchObject({ users: 0, requests: 0, deliveries: 0 })
      const { items } = await world.control('GET', '/transactions')
      const ends = items.map(({ side, status }: Json) => `${side} ${status}`)
      expect(ends).toEqual([...end, ...end])
      const hooks = await page.locator('.wire.webhook').allInnerTexts()
      expect(hooks).toHaveLength(webhooks)
      const verified = hooks.filter((text) => text.includes('signature verified'))
      expect(verified).toHaveLength(webhooks - lost)
    },
  )

  it('the first screen of the demo on a phone is the story and the wallet alone', async () => {
    const { url } = await start({ clock: NOON })
    const page = await openPage('about:blank')
    await page.setViewportSize(PHONE.viewport)
    await page.goto(`${url}/_sandbox/demo`)
    await page.locator('body:not([inert]) [data-step="enter"]').waitFor()
    const caption = await page.locator('.caption').boundingBox()
    const phone = await page.locator('.phone').boundingBox()
    expect(caption).toMatchObject({ x: 0, y: 0 })
    expect(phone).toMatchObject({ x: 0, y: caption?.height, width: PHONE.viewport.width })
    expect((phone?.y ?? 0) + (phone?.height ?? 0)).toBe(PHONE.viewport.height)
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'More' }).click()
    await page.locator('.more').waitFor()
    expect(await axeProblems(page)).toEqual([])
  })
})
