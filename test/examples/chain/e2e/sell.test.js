import { chromium } from 'playwright-core'
import { expect } from 'vitest'
import { startServer } from '../src/server.js'
import { ALICE, account, test as sandboxTest } from '../test/sandbox.js'
import { injectWallet } from './injected-wallet.js'

const test = sandboxTest.extend({
  page: async ({ ramp, usdc }, use) => {
    const server = await startServer({ ramp, usdc })
    const { CHROMIUM: executablePath } = process.env
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    await use(await browser.newPage({ baseURL: server.url }))
    await browser.close()
    await server.close()
  },
  injected: async ({ page, node }, use) => {
    const wallet = await injectWallet(page, { account, node })
    await page.goto('/')
    await use(wallet)
  },
})

test('sells the coins that the injected wallet sends', async ({
  injected,
  page,
  ramp,
  sandbox,
  chain,
}) => {
  await chain.send({ to: injected.address, amount: 100 })
  await page.getByRole('button', { name: 'Sell' }).click()
  const hash = await page.locator('output', { hasText: '0x' }).textContent()
  await chain.scan()
  const [{ id }] = await sandbox.transactions.list({ email: ALICE })
  await sandbox.simulate.settled(id)
  await page.getByRole('status').filter({ hasText: 'complete' }).waitFor()
  expect(await ramp.transaction(id)).toMatchObject({ status: 'complete', paymentId: hash })
})

test('leaves the order open when the user rejects the transfer', async ({
  injected,
  page,
  sandbox,
  chain,
}) => {
  injected.reject()
  await page.getByRole('button', { name: 'Sell' }).click()
  await page.getByText('You kept your coins.').waitFor()
  await chain.scan()
  const [order] = await sandbox.transactions.list({ email: ALICE })
  expect(order.status).toMatch(/^pending/)
})
