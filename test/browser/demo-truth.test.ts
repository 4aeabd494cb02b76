import { describe, expect, it } from 'vitest'
import { openPage, useBrowser } from './browser.ts'
import { chooseMore, openHome, step, tap, worldOf } from './demo.ts'
import { NOON, start } from './sandbox.ts'

useBrowser()

describe('the demo wallet', () => {
  it('the demo wallet is the same after a reload and after signing in again, and new after a reset', async () => {
    const { url } = await start({ clock: NOON })
    const page = await openHome(url)
    const { control } = await worldOf(page)
    await tap(page, 'sell', 'review', 'confirm', 'send', 'sim-settle', 'home')
    const seen = async () => {
      await step(page, 'sell').waitFor()
      await page.locator('.phone .item').nth(2).waitFor()
      return page.locator('.phone .balance, .phone .list').allInnerTexts()
    }
    const first = await seen()
    expect(first.join()).toContain('Hello, Ana')
    expect(first.join()).toContain('20.00 USDC')
    expect(first.join()).toContain('Received USDC')
    await page.goto(`${url}/_sandbox/demo`)
    expect(await seen()).toEqual(first)
    await tap(page, 'sign-out', 'enter', 'use-code')
    expect(await seen()).toEqual(first)
    await chooseMore(page, 'Start over')
    const email = page.getByLabel('E-mail address')
    await expect.poll(() => email.inputValue()).toMatch(/^ana\d@/)
    await email.fill('ana@example.com')
    await tap(page, 'enter', 'use-code')
    expect(await seen()).toEqual(first)
    await control('POST', '/reset')
    await step(page, 'enter').waitFor()
    expect(await email.inputValue()).toBe('ana@example.com')
  })

  it('the demo wallet keeps the coins of each network apart, and does not sell them twice', async () => {
    const { url } = await start({ clock: NOON })
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

  it('the demo wallet lists a delayed webhook under its call, and says that the bank declined and why a webhook is ignored', async () => {
    const { url } = await start({ clock: NOON })
    const page = await openHome(url)
    const { control } = await worldOf(page)
    const phone = page.locator('.phone')
    await control('POST', '/faults', { on: 'webhook', times: 1, then: { delay: 400 } })
    await tap(page, 'buy', 'review', 'confirm')
    const group = page.locator('.wire-group', { hasText: 'places the order' })
    await group.locator('.wire.webhook', { hasText: 'signature verified' }).waitFor()
    // Over the page of the bank.
    await tap(page, 'bank')
    const bank = page.frameLocator('.phone iframe')
    await bank.locator('body[data-ready]').waitFor()
    await tap(page, 'sim-bank')
    const said = page.getByText('did not send the e-transfer')
    await said.waitFor()
    await bank.locator('[value="approve"]').click()
    await phone.getByText('Payment received').waitFor()
    await said.waitFor({ state: 'detached' })
    // A webhook that is ignored changes nothing.
    const { items } = await control('GET', '/transactions')
    await control('POST', '/faults', { on: 'webhook', then: { mutate: 'timestamp' } })
    await control('POST', `/simulate/transactions/${items[0].id}/settled`)
    await page.locator('.wire.failed', { hasText: 'ignored: The timestamp' }).waitFor()
    await phone.getByText('We will let you know').waitFor()
  })

  it('the demo wallet follows orders that a phone with the same customer places in the same world', async () => {
    const { url } = await start({ clock: NOON })
    const page = await openHome(url)
    const hand = await page.context().newPage()
    await hand.goto(`${(await worldOf(page)).url}/_sandbox/demo?view=wallet`)
    await hand.getByLabel('E-mail address').fill('ana@example.com')
    await tap(hand, 'enter', 'use-code', 'buy', 'review', 'confirm')
    await page.locator('.wire.webhook', { hasText: 'pending' }).waitFor()
    await tap(page, 'reconcile')
    await page.locator('.phone').getByText('To pay').waitFor()
  })

  it('the demo wallet continues after a lost KYC webhook when the server or the customer checks again', async () => {
    const { url } = await start({ clock: NOON })
    const page = await openPage(`${url}/_sandbox/demo`)
    await tap(page, 'enter', 'register', 'sim-lose', 'sim-approve', 'back', 'check-again')
    await step(page, 'use-code').waitFor()
    await chooseMore(page, 'Start over')
    await tap(page, 'enter', 'register', 'sim-lose', 'sim-approve', 'reconcile', 'use-code', 'sell')
    await page.locator('.phone').getByText('You have no coins to sell.').waitFor()
  })

  it('the demo wallet disables its buttons at once when one is pressed, so that no tap is lost', async () => {
    const { url } = await start({ clock: NOON })
    const page = await openPage(`${url}/_sandbox/demo`)
    await tap(page, 'enter', 'register')
    await step(page, 'sim-approve').waitFor()
    expect(await page.evaluate(pressTwo, ['sim-approve', 'back'])).toBe(true)
  })

  it('the demo wallet opens the message with the security answer, even on the bank’s page', async () => {
    const { url } = await start({ clock: NOON })
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

  it('the demo wallet shows an error beside the field that is wrong', async () => {
    const { url } = await start({ clock: NOON })
    const page = await openPage(`${url}/_sandbox/demo`)
    const email = page.locator('[name="email"]')
    // Before that the page fills in the address itself.
    await step(page, 'enter').waitFor()
    await email.fill('nobody')
    await tap(page, 'enter')
    await page.locator('[name="email"][aria-invalid="true"]').waitFor()
    await email.fill('ana@example.com')
    await tap(page, 'enter')
    await page.locator('[name="dob"]').fill('2024-01-01')
    await tap(page, 'register')
    await page.locator('#help-dob', { hasText: 'you must be 18' }).waitFor()
    await page.locator('[name="dob"]').fill('1990-01-01')
    await page.locator('[name="phone"]').fill('(416) 555-01')
    await tap(page, 'register')
    await page.locator('#help-phone', { hasText: 'ten digits' }).waitFor()
    await page.locator('[name="phone"]').fill('(416) 555-0142')
    await page.locator('[name="city"]').fill('')
    await tap(page, 'register')
    await page.locator('#help-city', { hasText: 'City' }).waitFor()
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

/** Presses one button and returns true if another is disabled by then; runs in the page. */
async function pressTwo([first, second]: string[]): Promise<boolean | undefined> {
  const find = (name = '') => document.querySelector<HTMLButtonElement>(`[data-step="${name}"]`)
  find(first)?.click()
  // What a browser does between two events.
  await Promise.resolve()
  return find(second)?.disabled
}
