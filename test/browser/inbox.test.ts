import { expect, it } from 'vitest'
import { validKyb } from '../helpers/kyb.ts'
import { copied, openPage, press, useBrowser, visit } from './browser.ts'
import { startStory } from './sandbox.ts'

useBrowser()

it('the inbox shows a login code to copy, and leads to the bank and back', async () => {
  const sandbox = await startStory()
  await sandbox.buy(sandbox.token, 250)
  const inbox = await fetch(`${sandbox.url}/_sandbox/inbox?kind=login-code&last=1`)
  const [{ id }] = (await inbox.json()).messages
  const page = await openPage(`${sandbox.url}/_sandbox/ui/inbox/${id}`)
  await page.getByLabel('Copy the code').click()
  expect(await copied(page)).toMatch(/^\d{4}$/)
  await page.getByRole('link', { name: 'Request for $250.00' }).click()
  await press(page, 'Decline', 'Bank declined')
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: "Open the bank's page" }).click()
  const bank = await opened
  await bank.getByRole('button', { name: 'Approve and send' }).click()
  await bank.getByRole('heading', { name: 'Sent' }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'hidden' })
})

it('a buy and a sell can be paid from the inbox', async () => {
  const sandbox = await startStory()
  await sandbox.buy(sandbox.token, 250)
  await sandbox.sell(sandbox.token, 50)
  const page = await openPage(`${sandbox.url}/_sandbox/ui/inbox`)
  await page.getByRole('link', { name: 'Request for $250.00' }).click()
  await press(page, 'Approve', '→ processing')
  await page.getByRole('link', { name: /^Send your 50/ }).click()
  await press(page, 'Send the coins', '→ processing')
  await page.getByLabel('Any kind').selectOption('login-code')
  await expect.poll(() => page.locator('.rows tbody tr').count()).toBe(1)
})

it('the inbox shows a message even if the filter of its list excludes it, and says when there is no such message', async () => {
  const sandbox = await startStory()
  const { messages } = await sandbox.control('GET', '/inbox?kind=login-code')
  const { id } = messages[0]
  const page = await openPage(`${sandbox.url}/_sandbox/ui/inbox/${id}?kind=payout`)
  await page.getByRole('heading', { name: 'Your login code' }).waitFor()
  await page.getByText('No messages match.').waitFor()
  await visit(page, `${sandbox.url}/_sandbox/ui/inbox/msg_99`)
  await page.getByText('There is no message msg_99').waitFor()
})

it('KYB submissions can be listed and found, and show fingerprints of their documents', async () => {
  const sandbox = await startStory()
  const page = await openPage(`${sandbox.url}/_sandbox/ui/kyb`)
  await page.getByText('No KYB submissions yet.').waitFor()
  for (const number of ['1234567', '7654321']) {
    const response = await fetch(`${sandbox.url}/submitKYB`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' },
      body: JSON.stringify({
        ...validKyb(),
        paytrie_email: 'alice@example.com',
        corporation_number: number,
      }),
    })
    expect(response.status).toBe(200)
  }
  await expect.poll(() => page.locator('#nav-kyb .count').innerText()).toBe('2')
  await page.getByLabel('Find in KYB submissions').fill('7654321')
  await expect.poll(() => page.locator('.rows tbody tr').count()).toBe(1)
  await page.locator('.row-link').click()
  await page.locator('.detail').getByText('7654321').waitFor()
  await page.locator('.detail').getByText('"sha256"').first().waitFor()
})
