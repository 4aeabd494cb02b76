import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type ViewportSize,
} from 'playwright-core'
import { afterEach, beforeAll, expect } from 'vitest'
import { findChromium } from '../../scripts/chromium.mjs'
import { endCommands } from '../helpers/command.ts'
import { endWorlds } from './sandbox.ts'

const ARGS = [
  // Nothing but this machine can be reached; what a page asks for elsewhere is in `leaks`.
  '--host-resolver-rules=MAP some.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Messages between processes were a tenth of the work.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  // Pages live for seconds: code that is made faster rarely makes up for making it.
  '--js-flags=--no-opt --no-maglev',
]
/** Lays pages out and draws none, which was a tenth of the work: a wheel of a mouse scrolls nothing. */
const UNDRAWN = '--blink-settings=acceleratedCompositingEnabled=false'
const executablePath = findChromium() ?? 'chromium'
const isHere = (url: string) =>
  /^(data:|https?:\/\/(127\.0\.0\.1|localhost|some\.test)(:\d+)?\/)/.test(url)

export const DESK = { width: 1360, height: 900 }
export const PHONE = { viewport: { width: 390, height: 780 } }

/** Longest that a page may take for anything. */
const WAIT_MAX_MS = Number(process.env.WAIT_MS ?? 30_000)

/** Browsers of this worker, for all of its files, by whether they draw; they end with the process. */
const browsers = new Map<boolean, Browser>()
let browser: Browser | undefined
/** Pages reused by every test that asks for no options: a new one takes as long as half a test. */
const usualPages = new Map<Browser | undefined, Page>()
let isUsed = false
/** True if a page of another context may have copied something: a browser has one clipboard. */
let mayHaveCopied = false
/** Requests for anything that is not on this machine. */
let leaks: string[] = []
/** What the page reports: errors, and breaches of its content security settings. */
let complaints: string[] = []
/** Responses of 400 and more, which the browser logs too; a test may expect one. */
let failures: string[] = []

/** Gives each test of a file a browser that reaches nothing but this machine, and checks that. */
export function useBrowser({ takesPictures = false } = {}): void {
  beforeAll(async () => {
    const args = takesPictures ? ARGS : [...ARGS, UNDRAWN]
    browser = browsers.get(takesPictures) ?? (await chromium.launch({ executablePath, args }))
    browsers.set(takesPictures, browser)
  })
  afterEach(async () => {
    await clear()
    endCommands()
    await endWorlds()
    expect(leaks).toEqual([])
    expect(complaints).toEqual([])
    leaks = []
    complaints = []
    failures = []
  })
}

/** Closes every page but the usual one, which forgets what it had. */
async function clear() {
  const usual = usualPages.get(browser)
  const kept = usual?.context()
  const others = browser?.contexts().filter((context) => context !== kept) ?? []
  await Promise.all(others.map((context) => context.close()))
  const popups = kept?.pages().filter((page) => page !== usual) ?? []
  await Promise.all(popups.map((page) => page.close()))
  if (usual && isUsed) await empty(usual)
  isUsed = false
}

async function empty(page: Page) {
  await page.unrouteAll()
  await emptyClipboard(page)
  await page.goto('about:blank')
  await page.setViewportSize(DESK)
  await page.context().clearCookies()
}

/** Without options it is the same page in every test of a worker, so one at a time. */
export async function openPage(url: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await (options ? newPage(options) : getUsualPage())
  await load(page, url)
  return page
}

/** Loads a page; one of the inspector has then read what it shows. */
async function load(page: Page, url: string): Promise<void> {
  await page.goto(url)
  if (await page.evaluate(() => document.body.matches('.inspector'))) await settle(page)
  if (mayHaveCopied) mayHaveCopied = !(await emptyClipboard(page))
}

const settle = (page: Page) => page.locator('main[aria-busy=false]').waitFor()

/** Opens the usual page in another size, for half the work of a page of its own. */
export async function openSized(url: string, viewport: ViewportSize): Promise<Page> {
  const page = await getUsualPage()
  await page.setViewportSize(viewport)
  await load(page, url)
  return page
}

/** Goes to a page of the inspector as a link does, for a third of the work; others are loaded. */
export async function visit(page: Page, url: string): Promise<void> {
  const isDrawn = await page.evaluate(followLink, url)
  await (isDrawn ? settle(page) : load(page, url))
}

/** Runs in the page. */
async function followLink(url: string): Promise<boolean> {
  const isInside = /\/_sandbox\/($|ui\/|reference)/.test(url) && url.startsWith(origin)
  if (!isInside || !document.body.matches('.inspector:not([inert])')) return false
  const link = document.createElement('a')
  link.href = url
  document.body.append(link)
  link.click()
  link.remove()
  return true
}

async function getUsualPage(): Promise<Page> {
  isUsed = true
  const page = usualPages.get(browser) ?? (await newPage())
  usualPages.set(browser, page)
  return page
}

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  if (!browser) throw new Error('Call useBrowser() first.')
  mayHaveCopied = true
  const context = await browser.newContext({
    viewport: DESK,
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(WAIT_MAX_MS)
  await context.addInitScript(hurry)
  context.on('request', (request) => {
    if (!isHere(request.url())) leaks.push(request.url())
  })
  context.on('page', watch)
  return context.newPage()
}

/** Makes timers run as many times faster as `fast` in the address says, for stories; runs in the page. */
function hurry() {
  const fast = Number(new URLSearchParams(location.search).get('fast') ?? 1)
  const { setTimeout: real } = window
  window.setTimeout = ((run: () => void, ms = 0) => real(run, ms / fast)) as typeof setTimeout
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

export async function press(page: Page, name: string | RegExp, said: string | RegExp) {
  // A message from before may say the same.
  await page.locator('.toast').evaluateAll((all) => all.map((toast) => toast.classList.add('old')))
  await page.getByRole('button', { name, exact: true }).first().click()
  await expectSaid(page, said)
}

export const expectSaid = (page: Page, said: string | RegExp): Promise<void> =>
  page.locator('.toast:not(.old)').filter({ hasText: said }).last().waitFor()

/** Takes the text that a button copied: the next call waits for another one. */
export async function copied(page: Page): Promise<string> {
  const read = () => page.evaluate(() => navigator.clipboard.readText())
  // A button copies some time after it is pressed, and until then the clipboard has what it had.
  await expect.poll(read).not.toBe('')
  const text = await read()
  await emptyClipboard(page)
  return text
}

/** Returns false if the page is not one that may write to it. */
const emptyClipboard = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    // Only a page that has the focus may write; a frame in it may have taken that.
    window.focus()
    await navigator.clipboard?.writeText('')
    return 'clipboard' in navigator
  })
