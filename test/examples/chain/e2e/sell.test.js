import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer } from '../src/server.js'
import { ALICE, account, openSandbox } from '../test/sandbox.js'
import { injectWallet } from './injected-wallet.js'

let opened
let server
let browser
let page
let wallet

beforeAll(async () => {
  opened = await openSandbox()
  server = await startServer(opened)
  const { CHROMIUM: executablePath } = process.env
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  page = await browser.newPage()
  wallet = await injectWallet(page, { account, node: opened.node })
  await opened.sandbox.chain.send({ to: account.address, amount: 100 })
  await page.goto(server.url)
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await opened?.sandbox.close()
})

const status = () => page.getByRole('status')
const sell = () => page.getByRole('button', { name: 'Sell' }).click()

it('sells the coins that the wallet in the browser sends', async () => {
  const { sandbox, ramp } = opened
  await sell()
  const output = page.locator('output', { hasText: '0x' })
  const hash = await output.textContent()
  const { transfers } = await sandbox.chain.scan()
  const [{ transactionId: id }] = transfers
  expect(transfers).toMatchObject([{ hash, amount: 100, outcome: 'exact' }])
  await sandbox.simulate.settled(id)
  await status().filter({ hasText: 'complete' }).waitFor()
  expect(await ramp.transaction(id)).toMatchObject({ status: 'complete', paymentId: hash })
})

it('leaves the order open when the user rejects the transfer', async () => {
  wallet.reject()
  await sell()
  await status().filter({ hasText: 'You kept your coins.' }).waitFor()
  const { transfers } = await opened.sandbox.chain.scan()
  expect(transfers).toHaveLength(1)
  const orders = await opened.sandbox.transactions.list({ email: ALICE })
  expect(orders.at(-1).status).toMatch(/^pending/)
})
