import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, useBrowser } from './browser.ts'
import { NOON, start } from './sandbox.ts'

useBrowser()

const wire = (page: Page) => page.locator('.wire summary')

describe('the demo wallet', () => {
  it('plays a whole buy and a whole sell by itself', async () => {
    const sandbox = await start('--clock', NOON)
    const page = await openPage(`${sandbox.url}/_sandbox/demo?pace=0.02`)
    await page.getByRole('button', { name: 'Play it all' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByRole('button', { name: 'Play it all' }).waitFor({ timeout: 25_000 })
    expect(await page.locator('.problem').count()).toBe(0)
    const { items } = await sandbox.control('GET', '/transactions')
    expect(
      items.map(({ side, status }: { side: string; status: string }) => [side, status]),
    ).toEqual([
      ['buy', 'complete'],
      ['sell', 'complete'],
    ])
    const lines = await wire(page).allInnerTexts()
    const webhooks = lines.filter((line) => line.startsWith('webhook'))
    expect(webhooks).toHaveLength(7)
    expect(webhooks.every((line) => line.endsWith('delivered'))).toBe(true)
  })

  it('sees money move by itself where it does', async () => {
    const { url } = await start('--clock', NOON, '--auto-settle')
    const page = await openPage(`${url}/_sandbox/demo`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Create my account' }).click()
    await page.frameLocator('iframe').getByRole('button', { name: 'Approve' }).click()
    const notice = page.locator('.notice')
    await expect.poll(() => notice.innerText()).toMatch(/Your login code is \d{4}/)
    const [code = ''] = /\d{4}/.exec(await notice.innerText()) ?? []
    await page.getByLabel('Login code').fill(code)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    await page.getByRole('button', { name: 'Buy now' }).click()
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    await page.getByRole('button', { name: '+10 min' }).click()
    await page.getByText('All done').waitFor()
    expect(await page.locator('.problem').count()).toBe(0)
  })

  it('is used by hand: rejected, tried again, cancelled, expired by fast forward', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('First name').fill('Zoë')
    await page.getByRole('button', { name: 'Create my account' }).click()
    const frame = page.frameLocator('iframe')
    await frame.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Your identity could not be verified.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await frame.getByRole('button', { name: 'Approve' }).click()
    const notice = page.locator('.notice')
    await expect.poll(() => notice.innerText()).toMatch(/Your login code is \d{4}/)
    const [code = ''] = /\d{4}/.exec(await notice.innerText()) ?? []
    await page.getByLabel('Login code').fill(code === '0000' ? '1111' : '0000')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.locator('.problem').waitFor()
    await page.getByLabel('Login code').fill(code)
    await page.getByRole('button', { name: 'Log in' }).click()

    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    await page.getByText('Rate locked for 30 min').waitFor()
    await page.getByLabel('You pay, in CAD').fill('1000')
    await page.getByText('708.98 USDC').waitFor()
    await page.getByRole('button', { name: 'Buy now' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('This transaction is cancelled').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Sell', exact: true }).click()
    await page.getByLabel('Coin').selectOption('CADC-ETH')
    await page.getByText('1 CADC is 1 CAD').waitFor()
    await page.getByRole('button', { name: 'Sell now' }).click()
    await page.getByText('Expires in 1 d').waitFor()
    await page.getByRole('button', { name: '+10 min' }).click()
    await page.getByText('Expires in 23 h 50 min').waitFor()
    await page.getByRole('button', { name: 'Send from my other wallet' }).click()
    await page.getByRole('button', { name: 'The provider settles' }).click()
    await page.getByText('All done').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    await page.getByRole('button', { name: '+1 h' }).click()
    await page.getByText('This quote has expired.').waitFor()
    await page.getByRole('button', { name: 'Get a new quote' }).click()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => page.locator('.problem, .code-input').count()).toBeGreaterThan(0)
  })
})
