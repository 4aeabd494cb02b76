import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeProblems } from './axe.ts'
import { copied, openPage, useBrowser } from './browser.ts'
import { chooseMore, openHome, startWith, step, tap, worldOf } from './demo.ts'
import { NOON, start } from './sandbox.ts'

useBrowser()

const demoOf = (base: string, query: string) => `${base}/_sandbox/demo?${query}`

/** Signed up, verified and logged in by hand, with the keyboard where a button has the focus. */
async function signUp(url: string) {
  const page = await openPage(demoOf(url, ''))
  const phone = page.locator('.phone')
  const enter = (name: string) => step(page, name).press('Enter')
  await enter('enter')
  await enter('register')
  const frame = page.frameLocator('iframe')
  await frame.locator('body[data-ready] [data-send]').press('Enter')
  // Until the wallet is drawn again, the reviewer's button looks enabled, and is not.
  await phone.getByText('We are reviewing your documents').waitFor()
  await enter('sim-approve')
  await enter('use-code')
  await phone.locator('[data-step="buy"]:enabled').waitFor()
  await phone.getByText('$0.00').first().waitFor()
  await enter('sim-receive')
  await phone.getByText('+120.00 USDC').waitFor()
  return page
}

/** The ways in which the tests look at a page and press its buttons. */
const handsOn = (page: Page) => ({
  page,
  phone: page.locator('.phone'),
  press: (...names: string[]) => tap(page, ...names),
})

describe('the demo wallet', () => {
  it('the demo wallet works with the keyboard alone, and requests no quote for an amount that cannot be ordered', async () => {
    const { url } = await start({ clock: NOON })
    const { page, phone, press } = handsOn(await signUp(url))
    await press('buy')
    await phone.getByText('Rate locked for 30:00').waitFor()
    await phone.getByText('$100.00 to $9,999.00 per order').waitFor()
    const quotes = page.locator('.wire', { hasText: 'asks for a price' })
    const before = await quotes.count()
    const amount = phone.getByLabel('You pay')
    for (const [typed, said] of [
      ['abc', 'Enter an amount in digits'],
      ['99', 'The minimum per order is $100.00.'],
      ['10000', 'The maximum per order is $9,999.00.'],
      ['1234567890123', 'The maximum per order is $9,999.00.'],
      ['250.999', 'At most 2 decimals.'],
    ] as const) {
      await amount.fill(typed)
      await phone.getByText(said).waitFor()
      expect(await phone.locator('[data-step="review"]').isDisabled()).toBe(true)
    }
    await amount.fill('1,000')
    await phone.getByText('708.98 USDC').waitFor()
    expect(await quotes.count()).toBe(before + 1)
    await phone.locator('summary').click()
    await phone.getByText('$5.00').waitFor()
    await press('review', 'confirm')
    await phone.getByText('Expires in 60:00').waitFor()
    await press('sim-1h')
    await phone.getByText('This order has expired').waitFor()
    // A sentence says what came, and the HTTP is inside.
    const webhook = page.locator('.wire.webhook', { hasText: 'learns that the order has expired' })
    await webhook.locator('summary').click()
    await webhook.locator('pre', { hasText: '"transaction.update"' }).waitFor()
  })

  it('the demo wallet says that a sell expired even if the session has expired too, and then asks the user to log in', async () => {
    const { url } = await start({ clock: NOON })
    const { phone, press } = handsOn(await openHome(url))
    await press('sell', 'review', 'confirm')
    await phone.getByText('Expires in 24 h 00').waitFor()
    await press('sim-24h')
    await phone.getByText('The coins did not arrive in time').waitFor()
    await press('home')
    await phone.getByText('For your security, log in again.').waitFor()
    await press('use-code')
    await phone.getByText('Expired').waitFor()
  })

  it('the demo wallet shows a hash for coins and none for a payout, and can cancel an order', async () => {
    const { url } = await startWith({ 'transactions.settlement': 'auto' })
    const { page, phone, press } = handsOn(await openHome(url))
    for (const [side, links] of [
      ['buy', 1],
      ['sell', 0],
    ] as const) {
      await press(side, 'review', 'confirm', 'sim-10m')
      await phone.getByText('Total fees').waitFor()
      await press('share')
      expect(await copied(page)).toMatch(/^Reference: CA\w+ · /)
      expect(await phone.locator('a.hash').count()).toBe(links)
      await press('home')
    }
    const coins = phone.locator('.item', { hasText: '1 USDC =' })
    expect(await coins.innerText()).toContain('197.04 USDC')
    await press('buy', 'coin')
    // It listens for the key once it has the focus.
    await phone.locator('[role="dialog"]:focus').waitFor()
    await page.keyboard.press('Escape')
    await press('coin', 'coin-CADC-ETH')
    await phone.getByText('1 CADC = $1.00').waitFor()
    await press('review', 'confirm', 'cancel')
    await phone.getByText('This order was cancelled').waitFor()
  })

  it('the demo wallet explains a wrong code and each limit on orders in plain words', async () => {
    const { url } = await startWith({ 'limits.active': 1, 'limits.cancelled': 1 })
    const { page, phone, press } = handsOn(await openHome(url))
    await press('buy', 'review', 'confirm')
    await phone.getByRole('button', { name: 'Back' }).click()
    await phone.getByText('1 of 1 open orders').waitFor()
    expect(await phone.locator('[data-step="buy"]').isDisabled()).toBe(true)
    await chooseMore(page, 'Start over')
    await phone.getByLabel('E-mail address').fill('ana@example.com')
    await press('enter')
    const suggestion = phone.locator('[data-step="use-code"]')
    const code = /\d{4}/.exec(await suggestion.innerText())?.[0]
    await phone.getByLabel('Login code').fill(code === '0000' ? '1111' : '0000')
    await press('log-in')
    await phone.getByText('That code is wrong or has expired.').waitFor()
    await page.locator('.wire.failed .note').waitFor()
    await suggestion.click()
    await phone.getByText('1 of 1 open orders').waitFor()
    await press('activity', 'cancel', 'reorder', 'review', 'confirm')
    await phone.getByText('cancelled or expired today').waitFor()
  })

  it('the demo wallet offers a new code and a way back when the old one is used up', async () => {
    const { url } = await start({ clock: NOON })
    const page = await openPage(demoOf(url, ''))
    await tap(page, 'enter', 'register', 'sim-approve')
    const suggestion = step(page, 'use-code')
    const code = /\d{4}/.exec(await suggestion.innerText())?.[0]
    for (let wrong = 0; wrong < 5; wrong++) {
      await page.getByLabel('Login code').fill(code === '0000' ? '1111' : '0000')
      await tap(page, 'log-in')
      await page.locator('.phone .problem').waitFor()
    }
    await suggestion.click()
    await suggestion.waitFor({ state: 'detached' })
    await tap(page, 'resend')
    await suggestion.waitFor()
    await tap(page, 'back', 'enter', 'use-code', 'buy')
  })

  it('the demo wallet says so when the sandbox is gone', async () => {
    const sandbox = await start({ clock: NOON })
    const page = await openPage(demoOf(sandbox.url, ''))
    await step(page, 'enter').waitFor()
    await page.context().setOffline(true)
    await page.locator('[data-step="enter"]').click()
    await page.getByText('The sandbox is not responding').waitFor()
    await page.getByText('No connection.').waitFor()
    await page.context().setOffline(false)
    await page.locator('.offline').waitFor({ state: 'detached' })
    await page.getByLabel('E-mail address').press('Enter')
    await page.locator('[data-step="register"]').waitFor()
  })

  it('the demo wallet signs a customer up and receives webhooks even with the strictest settings', async () => {
    const { url } = await startWith({ preset: 'contract' })
    await signUp(url)
  })

  it('the demo wallet sends the missing profile fields when getRequirements returns a bare array', async () => {
    const { url } = await startWith({ 'requirements.shape': 'array' })
    const { control } = await worldOf(await signUp(url))
    const { profile } = await control('GET', '/users/ana@example.com')
    expect(profile.purpose).toBe('Savings')
  })

  it('the demo wallet uses the name, colour and logo in its address, but no picture from another site', async () => {
    const { url } = await start({ clock: NOON })
    const logo = encodeURIComponent(`${url}/_sandbox/assets/icon.svg`)
    const brand = `name=%3Cb%3EÉrable&accent=ffee00&logo=${logo}`
    const page = await openPage(demoOf(url, brand), { bypassCSP: true })
    await page.getByRole('heading', { name: '<b>Érable' }).waitFor()
    expect(await page.locator('.phone img').count()).toBe(1)
    expect(await axeProblems(page)).toEqual([])
    for (const bad of [
      'https://elsewhere.example/logo.png',
      'javascript:alert(1)',
      'data:text/html,x',
    ]) {
      await page.goto(demoOf(url, `accent=red;&logo=${encodeURIComponent(bad)}`))
      await page.getByRole('heading', { name: 'Example Wallet' }).waitFor()
      expect(await page.locator('.phone img').count(), bad).toBe(0)
    }
  })
})
