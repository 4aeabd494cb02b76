import { describe, expect, it } from 'vitest'
import { copied, openPage, press, useBrowser, visit } from './browser.ts'
import { startStory } from './sandbox.ts'

useBrowser()

describe('transactions', () => {
  const moves = [
    ['E-transfer arrived', 'processing'],
    ['Settle at once', 'complete'],
    ['Cancel', 'cancelled'],
    ['Expire', 'expired'],
  ] as const

  it('each button moves a transaction to its status', async () => {
    const sandbox = await startStory()
    const page = await openPage(sandbox.dashboard)
    for (const [button, status] of moves) {
      const { id } = await sandbox.buy(sandbox.token, 250)
      await visit(page, `${sandbox.url}/_sandbox/ui/transactions/${id}`)
      await press(page, button, /→ .*webhooks? delivered/)
      await expect.poll(() => page.locator('.detail-head .badge').innerText()).toBe(status)
      if (status === 'processing') await press(page, 'Settle', /processing .* → complete/)
      await page.getByText('Nothing. This transaction is final.').waitFor()
    }
  })

  it('transactions stay pending when the bank declines, and show a forced status', async () => {
    const sandbox = await startStory()
    const { id } = await sandbox.buy(sandbox.token, 250)
    const page = await openPage(`${sandbox.url}/_sandbox/ui/transactions/${id}`)
    await press(page, 'Bank declines', 'Bank declined')
    await page.getByText('Your bank declined the e-transfer').waitFor()
    const forced = { status: 'sending USDC' }
    await sandbox.control('POST', `/simulate/transactions/${id}/status`, forced)
    await expect.poll(() => page.locator('.detail-head .badge').innerText()).toBe('sending USDC')
  })

  it('the page of a transaction copies its id, and the call that reads it', async () => {
    const sandbox = await startStory()
    const { id } = await sandbox.sell(sandbox.token, 50)
    const page = await openPage(`${sandbox.url}/_sandbox/ui/transactions/${id}`)
    await page.getByLabel("Copy the transaction's id").click()
    expect(await copied(page)).toBe(id)
    await page.getByLabel('Copy curl of this transaction').click()
    expect(await copied(page)).toBe(`curl -sS ${sandbox.url}/_sandbox/transactions/${id}`)
    await press(page, 'Coins arrived', '→ processing')
    await page.getByRole('button', { name: 'Copy curl' }).last().click()
    expect(await copied(page)).toContain(`/_sandbox/simulate/transactions/${id}/funds-received`)
  })

  it('the list of transactions loads older rows on demand when there are 55 of them', async () => {
    const { url, control } = await startStory()
    const user = 'alice@example.com'
    const sell = { user, leftSideLabel: 'USDC-ETH', leftSideValue: 50, rightSideLabel: 'CAD' }
    const transactions = Array.from({ length: 55 }, (_, at) => ({
      ...sell,
      status: 'complete',
      createdAt: `-${at + 1}h`,
    }))
    const users = [{ email: user, status: 'verified' }]
    await control('POST', '/reset', { fixture: { users, transactions } })
    const page = await openPage(`${url}/_sandbox/ui/transactions`)
    await page.getByText('55 transactions').waitFor()
    const rows = page.locator('.rows tbody tr')
    expect(await rows.count()).toBe(50)
    await page.getByText('50 of 55').waitFor()
    await page.getByRole('button', { name: 'Load older' }).click()
    await expect.poll(() => rows.count()).toBe(55)
    const last = await rows.last().locator('.row-link').getAttribute('id')
    expect(await rows.first().locator('.second').getAttribute('title')).toBe('alice@example.com')
    await visit(page, `${url}/_sandbox/ui/search?q=alice`)
    await page.getByRole('link', { name: 'All 55 transactions' }).click()
    await page.getByText('50 of 55').waitFor()
    await page.getByLabel('Find in transactions').fill(last?.replace('row-', '') ?? '')
    await expect.poll(() => rows.count()).toBe(1)
  })
})
