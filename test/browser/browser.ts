import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { endAll } from '../helpers/cli.ts'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const isHere = (url: string) => /^(data:|https?:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/)/.test(url)

export const PHONE = { viewport: { width: 390, height: 780 } }

let browser: Browser | undefined
/** Requests for anything that is not on this machine. */
let leaks: string[] = []
/** What the page reports: errors, and breaches of its content security settings. */
let complaints: string[] = []
/** Answers of 400 and more, which the browser logs too; a test may expect one. */
let failures: string[] = []

/** Gives each test of a file a browser that reaches nothing but this machine, and checks that. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ARGS })
  })
  afterEach(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
    endAll()
    expect(leaks).toEqual([])
    expect(complaints).toEqual([])
    leaks = []
    complaints = []
    failures = []
  })
  afterAll(() => browser?.close())
}

export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  if (!browser) throw new Error('Call useBrowser() first.')
  const context = await browser.newContext({
    viewport: { width: 1360, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(8_000)
  await context.route('**/*', (route) => {
    const asked = route.request().url()
    if (isHere(asked)) return route.continue()
    leaks.push(asked)
    return route.abort()
  })
  context.on('page', watch)
  const page = await context.newPage()
  await page.goto(url)
  return page
}

function watch(page: Page) {
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (said) => {
    if (said.type() !== 'error') return
    const list = said.text().startsWith('Failed to load resource') ? failures : complaints
    list.push(said.text())
  })
}

/** What the last button said came of it. */
export const lastToast = (page: Page) => page.locator('.toast').last()

export async function press(page: Page, name: string, said: string | RegExp): Promise<void> {
  const before = await page.locator('.toast').count()
  await page.getByRole('button', { name, exact: true }).first().click()
  await expectSaid(page, said, before)
}

export async function expectSaid(page: Page, said: string | RegExp, before = 0): Promise<void> {
  await page.waitForFunction(
    (count) => document.querySelectorAll('.toast').length > Math.min(count, 2) || count >= 3,
    before,
  )
  await expect.poll(() => lastToast(page).innerText(), { timeout: 8_000 }).toMatch(said)
}

export const copied = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText())
