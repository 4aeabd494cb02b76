import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, PHONE, useBrowser } from './browser.ts'
import { openHand, openHome, step, tap, untilHeld } from './demo.ts'
import { apiOf, NOON, start } from './sandbox.ts'

useBrowser()

describe('what the demo wallet shows', () => {
  it('is the same when it is opened again, in a second window and after signing in again', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openHome(url)
    await tap(page, 'sell', 'review', 'confirm', 'send', 'sim-settle', 'home')
    const seen = async (of: Page) => {
      await step(of, 'sell').waitFor()
      await of.locator('.phone .item').nth(2).waitFor()
      return of.locator('.phone .balance, .phone .list').allInnerTexts()
    }
    const first = await seen(page)
    expect(first.join()).toContain('Hello, Ana')
    expect(first.join()).toContain('20.00 USDC')
    expect(first.join()).toContain('Received USDC')
    // Without the session in its address, which the window remembers.
    await page.goto(`${url}/_sandbox/demo`)
    expect(await seen(page)).toEqual(first)
    const second = await page.context().newPage()
    await second.goto(page.url())
    expect(await seen(second)).toEqual(first)
    await tap(second, 'sign-out', 'enter', 'use-code')
    expect(await seen(second)).toEqual(first)
    await second.getByRole('button', { name: 'Start over' }).click()
    await expect.poll(() => second.getByLabel('E-mail address').inputValue()).toMatch(/^ana\d@/)
    // Windows and phones of the session go along.
    const email = await second.getByLabel('E-mail address').inputValue()
    await expect.poll(() => page.getByLabel('E-mail address').inputValue()).toBe(email)
    await page.getByLabel('E-mail address').fill('ana@example.com')
    await tap(page, 'enter', 'use-code')
    expect(await seen(page)).toEqual(first)
  })

  it('has the coins of one network on no other, and does not sell them twice', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openHome(url)
    const phone = page.locator('.phone')
    await phone.getByText('$168.18').first().waitFor()
    await phone.getByText('1 USDC = $1.4015').waitFor()
    await tap(page, 'sell', 'coin')
    await phone.locator('.item', { hasText: 'Ethereum' }).first().waitFor()
    const [ethereum, solana] = await phone.locator('.item .value').allInnerTexts()
    expect([ethereum, solana]).toEqual(['120.00 USDC', '0.00 USDC'])
    await tap(page, 'coin-USDC-ETH', 'review', 'confirm', 'back', 'sell')
    await phone.getByLabel('You sell').fill('100')
    await phone.getByText('You hold 20.00 USDC.').waitFor()
    expect(await phone.locator('[data-step="review"]').isDisabled()).toBe(true)
  })

  it('names the reason why its server ignores a webhook, which changes nothing', async () => {
    const { url } = await start('--clock', NOON)
    const { control } = apiOf(url)
    const page = await openHome(url)
    await tap(page, 'sell', 'review', 'confirm', 'send')
    await page.locator('.phone').getByText('Coins received').waitFor()
    const { items } = await control('GET', '/transactions')
    await control('POST', '/faults', { on: 'webhook', then: { timestamp: 'stale' } })
    await control('POST', `/simulate/transactions/${items[0].id}/settled`)
    await page.locator('.wire.failed', { hasText: 'old timestamp: ignored' }).waitFor()
    await page.locator('.phone').getByText('We will let you know').waitFor()
  })

  it('follows in every window of its session, in the hand too', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openHome(url)
    const hand = await openHand(page)
    await tap(hand, 'buy', 'review', 'confirm')
    await page.locator('.phone').getByText('Waiting for your e').waitFor()
    await page.locator('.wire', { hasText: 'POST /v2/transactions' }).waitFor()
    await tap(hand, 'bank')
    await page.locator('.phone iframe').waitFor()
    await tap(page, 'sim-bank')
    // Over the page of the bank, too.
    await page.getByText('did not send the e').waitFor()
    await hand.getByText('did not send the e').waitFor()
    await page.frameLocator('iframe').locator('[value="approve"]').click()
    await page.locator('.phone').getByText('Payment received').waitFor()
    await page.getByText('did not send the e').waitFor({ state: 'detached' })
    const { messages } = await apiOf(url).control('GET', '/inbox?kind=login-code')
    expect(messages).toHaveLength(1)
  })

  it('goes along on a phone when the presenter steps back', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo?story=sell&present&speed=50`)
    await untilHeld(page, 0)
    await page.keyboard.press('ArrowRight')
    await untilHeld(page, 1)
    const hand = await openHand(page)
    await hand.getByText('Hello, Ana').waitFor()
    await page.keyboard.press('ArrowRight')
    await hand.getByText('Sell USDC').first().waitFor()
    await page.keyboard.press('ArrowLeft')
    await untilHeld(page, 1)
    await hand.getByText('Hello, Ana').waitFor()
    await tap(hand, 'sell')
    await page.locator('.phone').getByText('Sell USDC').first().waitFor()
  })

  it('waits on a phone for a session that is just being written again', async () => {
    const { url } = await start('--clock', NOON)
    const hand = await openPage('about:blank')
    await hand.setViewportSize(PHONE.viewport)
    const asked = hand.waitForResponse(/records\/session\.0123456789/)
    await hand.goto(`${url}/_sandbox/demo?view=wallet&session=0123456789`)
    await asked
    const wallet = { screen: 'welcome', email: 'late@example.com' }
    const record = { by: 'presenter', wallet, causes: [] }
    await apiOf(url).control('PUT', '/demo/records/session.0123456789', record)
    await expect.poll(() => hand.getByLabel('E-mail address').inputValue()).toBe('late@example.com')
  })

  it('goes on after a lost KYC webhook, by the server or by the customer', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo`)
    await tap(page, 'enter', 'register', 'sim-lose', 'sim-approve', 'back', 'check-again')
    await step(page, 'use-code').waitFor()
    await page.getByRole('button', { name: 'Start over' }).click()
    await tap(page, 'enter', 'register', 'sim-lose', 'sim-approve', 'reconcile', 'use-code', 'sell')
    await page.locator('.phone').getByText('You have no coins to sell yet').waitFor()
  })

  it('opens the mail with the security answer, at the bank too', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openHome(url)
    await tap(page, 'sell', 'review', 'confirm', 'send', 'sim-settle')
    const focused = page.evaluate(findFocusOf, '.mail')
    await page.locator('.notice .said').click()
    const mail = page.getByRole('dialog', { name: 'Messages' })
    await mail.getByText('give your bank this security answer').waitFor()
    // A key that is pressed at once is for the mail.
    expect(await focused).toBe('Messages')
    await page.keyboard.press('Escape')
    await mail.waitFor({ state: 'detached' })
    await tap(page, 'deposit')
    const bank = page.frameLocator('.phone iframe')
    await bank.locator('body[data-ready] [name="answer"]').fill('no')
    await bank.getByRole('button', { name: 'Deposit' }).click()
    await bank.getByText('Check the message you received.').waitFor()
    await page.locator('[data-step="mail"]').click()
    const answer = (await mail.innerText()).trim().split(' ').at(-1) ?? ''
    await mail.getByRole('button', { name: 'Close' }).click()
    await bank.locator('[name="answer"]').fill(answer)
    await bank.getByRole('button', { name: 'Deposit' }).click()
    await bank.getByText('is in your account').waitFor()
  })

  it('shows a webhook with the call that led to it, though it took its time', async () => {
    const { url, control } = await start('--clock', NOON)
    const page = await openHome(url)
    await control('POST', '/faults', { on: 'webhook', then: { delay: 400 } })
    await tap(page, 'buy', 'review', 'confirm')
    const group = page.locator('.wire-group', { hasText: 'POST /v2/transactions' })
    await group.locator('.wire.webhook', { hasText: 'signature verified' }).waitFor()
  })

  it('goes back by the browser’s own button', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openHome(url)
    await tap(page, 'buy', 'review')
    await step(page, 'confirm').waitFor()
    await page.goBack()
    await step(page, 'review').waitFor()
    await page.goBack()
    await step(page, 'sell').waitFor()
    await tap(page, 'sell', 'back')
    await step(page, 'sell').waitFor()
    await page.goBack()
    expect(page.url()).toBe('about:blank')
  })

  it('says what is wrong at the field, in French too', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo?lang=fr`)
    const email = page.locator('[name="email"]')
    // Before that it is not yet the field of a session, which would write over it.
    await step(page, 'enter').waitFor()
    await email.fill('nobody')
    await tap(page, 'enter')
    await page.locator('[name="email"][aria-invalid="true"]').waitFor()
    await email.fill('ana@example.com')
    await tap(page, 'enter')
    await page.locator('[name="dob"]').fill('2024-01-01')
    await tap(page, 'register')
    await page.locator('#help-dob', { hasText: 'vous devez avoir 18 ans' }).waitFor()
    await page.locator('[name="dob"]').fill('1990-01-01')
    await page.locator('[name="phone"]').fill('(416) 555-01')
    await tap(page, 'register')
    await page.locator('#help-phone', { hasText: 'dix chiffres' }).waitFor()
    await page.locator('[name="phone"]').fill('(416) 555-0142')
    await page.locator('[name="city"]').fill('')
    await tap(page, 'register')
    await page.locator('#help-city', { hasText: 'Ville' }).waitFor()
    await page.locator('[name="city"][aria-invalid="true"]').waitFor()
    await page.locator('[name="city"]').fill('Laval')
    await page.locator('[name="province"]').selectOption('QC')
    await tap(page, 'register')
    await page.locator('.phone iframe').waitFor()
  })
})

/** Label of what has the focus at the moment at which an element appears; runs in the page. */
function findFocusOf(selector: string): Promise<string | null | undefined> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(selector)) return
      observer.disconnect()
      resolve(document.activeElement?.getAttribute('aria-label'))
    })
    observer.observe(document.body, { subtree: true, childList: true })
  })
}
