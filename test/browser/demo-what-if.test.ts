import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeProblems } from './axe.ts'
import { openPage, useBrowser } from './browser.ts'
import { ENGLISH, openHome, step, tap } from './demo.ts'
import { apiOf, type Json, NOON, start } from './sandbox.ts'

useBrowser()

/** Without time to read captions. */
const FAST = 'speed=50'
const demoOf = (base: string, query: string) => `${base}/_sandbox/demo?${FAST}&${query}`
const right = (page: Page) => page.frameLocator('iframe.fork')
const marks = (page: Page) => page.locator('.wire.differs')

/** The split, once both phones show the moment. */
const untilSplit = (page: Page) => page.locator('.demo-main.forked').waitFor()

async function ask(page: Page, choice: string) {
  await page.getByRole('button', { name: 'What if …?' }).click()
  await page.locator(`[data-choice="${choice}"]`).click()
  await untilSplit(page)
}

/** Texts of both phones, without the buttons that are disabled for a moment. */
const screens = (page: Page) =>
  Promise.all([
    page.locator('.phone .screen').innerText(),
    right(page).locator('.phone .screen').innerText(),
  ])

async function openOrder(url: string) {
  const page = await openHome(url, FAST)
  await tap(page, 'buy', 'review', 'confirm')
  await step(page, 'bank').waitFor()
  return page
}

const worldsOf = async (url: string): Promise<number> =>
  (await apiOf(url).control('GET', '/worlds')).total

describe('What if …?', () => {
  it('splits the moment: left goes on, right refuses, and both can be touched', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openOrder(url)
    await page.getByRole('button', { name: 'What if …?' }).click()
    const offered = await page
      .locator('[data-choice]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-choice')))
    expect(offered).toEqual(['late', 'lost', 'bank', 'down'])
    await page.locator('[data-choice="bank"]').click()
    await untilSplit(page)
    await page.locator('.phone').getByText('Payment received').waitFor()
    await right(page).getByText('did not send the e').waitFor()
    await expect
      .poll(() => marks(page).allInnerTexts())
      .toEqual([expect.stringContaining('processing')])
    await tap(right(page), 'bank')
    await right(page).frameLocator('.phone iframe').locator('[value="approve"]').click()
    await right(page).getByText('Payment received').waitFor()
    await marks(page).waitFor({ state: 'detached' })
  })

  it('has a token, a receiver and faults of its own, like those of the left one', async () => {
    const { url } = await start('--clock', NOON)
    const { control } = apiOf(url)
    const page = await openOrder(url)
    const fault = { on: 'webhook', match: { status: 'complete' }, then: { drop: true }, times: 2 }
    await control('POST', '/faults', fault)
    await ask(page, 'late')
    const src = (await page.locator('iframe.fork').getAttribute('src')) ?? ''
    const fork = apiOf(url + src.replace(/\/_sandbox.*/, ''))
    const { items } = await fork.control('GET', '/faults')
    expect(items).toMatchObject([{ ...fault, hits: 0 }])
    const { integrators } = await fork.control('GET', '/webhooks/settings')
    expect(new URL(integrators[0].url).pathname).toBe(src.replace(/demo\?.*/, 'catch/demo-wallet'))
    // Nobody logged in once more: the login is that of the left phone, and ends with it.
    const { messages } = await fork.control('GET', '/inbox?kind=login-code')
    expect(messages).toHaveLength(1)
    const bank = right(page).frameLocator('.phone iframe')
    await bank.getByText('This request has expired').waitFor()
    await tap(right(page), 'back', 'home', 'use-code')
    await step(right(page), 'buy').waitFor()
    expect(await worldsOf(url)).toBe(2)
    await page.locator('[data-keep="left"]').click()
    await expect.poll(() => worldsOf(url)).toBe(1)
  })

  it('quotes another rate on the right when the rate moves, and asks nobody to log in', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openHome(url, FAST)
    await ask(page, 'rate')
    await page.locator('.phone').getByText('1 USDC = $1.4015').waitFor()
    await right(page).getByText('1 USDC = $1.4716').waitFor()
    await tap(right(page), 'review', 'confirm', 'bank')
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.locator('.demo-main.forked').waitFor({ state: 'detached' })
  })

  it('keeps the right one: its state, its login and its faults are those of the world', async () => {
    const { url } = await start('--clock', NOON)
    const { control } = apiOf(url)
    const page = await openOrder(url)
    await ask(page, 'lost')
    await marks(page).nth(1).waitFor()
    expect(await marks(page).allInnerTexts()).toEqual([
      expect.stringContaining('delivered'),
      expect.stringContaining('lost'),
    ])
    await page.locator('[data-keep="right"]:enabled').click()
    await page.locator('.demo-main.forked').waitFor({ state: 'detached' })
    await page.locator('.phone').getByText('Waiting for your e').waitFor()
    const { integrators } = await control('GET', '/webhooks/settings')
    expect(integrators[0].url).toBe(`${url}/_sandbox/catch/demo-wallet`)
    await tap(page, 'reconcile')
    await page.locator('.phone').getByText('Payment received').waitFor()
    await tap(page, 'sim-settle', 'home', 'buy')
    // The login goes on as well: another order needs none.
    await tap(page, 'review', 'confirm')
    await step(page, 'bank').waitFor()
    const { items } = await control('GET', '/transactions')
    const statuses = ['complete', 'pending request money transfer']
    expect(items.map(({ status }: Json) => status)).toEqual(statuses)
    const { messages } = await control('GET', '/inbox?kind=login-code')
    expect([messages.length, await worldsOf(url)]).toEqual([1, 1])
  })

  it('goes along in a story from a link until its moment, in French, one phone at a time', async () => {
    const { url } = await start('--clock', NOON)
    const query = 'story=bank&step=2&whatif=late&lang=fr'
    const page = await openPage(demoOf(url, query))
    await page.setViewportSize({ width: 1024, height: 768 })
    await untilSplit(page)
    await marks(page).nth(1).waitFor()
    const [ours, theirs] = await marks(page).allInnerTexts()
    expect(ours).toContain('transaction.update: processing')
    expect(theirs).toContain('transaction.update: expired')
    await page.locator('.phone').waitFor()
    await page.locator('iframe.fork').waitFor({ state: 'hidden' })
    await page.locator('.way.right .name').click()
    await page.locator('.phone').waitFor({ state: 'hidden' })
    await right(page).frameLocator('.phone iframe').getByText('Cette demande').waitFor()
    const said = await page.locator('.demo-page').innerText()
    expect(said).not.toMatch(ENGLISH)
  })

  it.each([
    ['sell', 4, 'late', 'expired', 'Close'],
    ['buy', 4, 'rejected', 'rejected', /Stop|Close/],
    ['expired', 4, 'bank', 'expired', /Stop|Close/],
    ['expired', 1, 'rate', 'quotes', /Stop|Close/],
  ])(
    'takes another way in the story %s, at step %i: %s',
    async (story, at, choice, differs, ends) => {
      const { url } = await start('--clock', NOON)
      const query = `story=${story}&step=${at}&whatif=${choice}`
      const page = await openPage(demoOf(url, query))
      await untilSplit(page)
      await page.locator('.wire.differs', { hasText: differs }).first().waitFor()
      await page.locator('.controls').getByRole('button', { name: ends }).click()
      await page.locator('.demo-main.forked').waitFor({ state: 'detached' })
      await expect.poll(() => worldsOf(url)).toBe(1)
    },
  )

  it.each([
    ['kyc', 5, 'down', 8, '.phone iframe', 'is rejected'],
    ['webhook', 6, 'down', 11, 'text=Bought USDC', 'is complete'],
  ])(
    'goes on by the presenter’s keys after what the server missed: %s, %i, %s',
    async (story, at, choice, last, end, differs) => {
      const { url } = await start('--clock', NOON)
      const query = `story=${story}&present&step=${at}&whatif=${choice}`
      const page = await openPage(demoOf(url, query))
      await untilSplit(page)
      for (let step = at + 1; step <= last; step++) {
        await page.keyboard.press('ArrowRight')
        await page.locator(`body:not([inert]) .caption[data-at="${step}"][data-held]`).waitFor()
      }
      await right(page).locator(end).first().waitFor()
      await expect.poll(() => marks(page).first().innerText()).toContain(differs)
    },
  )

  it('steps both phones by the presenter’s keys, also after the right one was touched', async () => {
    const { url } = await start('--clock', NOON)
    const query = 'story=bank&present&step=5&whatif=lost'
    const page = await openPage(demoOf(url, query))
    await untilSplit(page)
    const [ours, theirs] = await screens(page)
    expect(theirs).toBe(ours)
    await page.keyboard.press('ArrowRight')
    const bank = page.frameLocator('.phone iframe')
    await bank.locator('body[data-ready] [value="approve"]').waitFor()
    await right(page).frameLocator('.phone iframe').locator('[value="approve"]').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.keyboard.press('ArrowRight')
    await page.locator('.phone').getByText('Payment received').waitFor()
    await right(page).frameLocator('.phone iframe').getByText('Sent', { exact: true }).waitFor()
    await marks(page).filter({ hasText: 'lost' }).waitFor()
    await right(page).locator('.status-bar').click()
    await page.keyboard.press('ArrowRight')
    await page.locator('.phone').getByText('You received 177.04 USDC').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.locator('.demo-main.forked').waitFor({ state: 'detached' })
  })
})
