import { expect } from '@playwright/test'
import { test } from './fixtures.js'

const ALICE = 'alice@example.com'

async function logIn(page, sandbox) {
  await page.goto('/')
  await page.getByLabel('E-mail').fill(ALICE)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('Code').fill(await sandbox.inbox.loginCode(ALICE))
  await page.getByRole('button', { name: 'Log in' }).click()
}

test('a customer buys, pays and sees the coins', async ({ page, sandbox }) => {
  await logIn(page, sandbox)
  await page.getByLabel('Pay, in CAD').fill('1000')
  await page.getByRole('button', { name: 'Buy USDC' }).click()
  await expect(page.getByRole('listitem')).toContainText('pending')

  const { ref } = await sandbox.events.next({ type: 'transaction.update' })
  await sandbox.simulate.settled(ref, { through: true })

  await expect(page.getByRole('listitem')).toContainText('708.98 USDC: complete')
  await expect(page.locator('#balance')).toHaveText('708.98')
})

test('a customer who does not pay within the hour sees it expire', async ({ page, sandbox }) => {
  await logIn(page, sandbox)
  await page.getByRole('button', { name: 'Buy USDC' }).click()
  await sandbox.events.next({ type: 'transaction.update' })

  await sandbox.clock.advance('1h')

  await expect(page.getByRole('listitem')).toContainText('expired')
  await expect(page.locator('#balance')).toHaveText('0')
})
