import { createPublicClient, erc20Abi, formatUnits, http } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage, useBrowser } from '../browser/browser.ts'
import { startAnvil, startSandbox } from './anvil.mjs'

useBrowser()

let anvil
let running
let usdc

beforeAll(async () => {
  anvil = await startAnvil()
  running = await startSandbox('--fixture', 'verified-user', '--chain', anvil.url)
  const [network] = await running.sandbox.chain.networks()
  usdc = network.tokens.find(({ coin }) => coin === 'USDC').address
}, 60_000)

afterAll(async () => {
  await running.stop()
  await anvil.stop()
})

/** As any client of the chain sees it, and not the sandbox. */
async function balanceOf(address) {
  const client = createPublicClient({ transport: http(anvil.url) })
  const call = { address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [address] }
  return Number(formatUnits(await client.readContract(call), 6))
}

it('shows in the demo what the wallet has on the chain, and sells from there', async () => {
  const demo = running.sandbox.world('demo')
  const page = await openPage(`${demo.url}/_sandbox/demo?story=sell&speed=20`)
  const phone = page.locator('.phone')
  const newest = async () => (await demo.control('GET', '/transactions')).items.at(-1)
  const step = (name) => page.locator(`[data-step="${name}"]:enabled`).click()
  await page
    .locator('.controls')
    .getByRole('button', { name: 'Close' })
    .waitFor({ timeout: 25_000 })
  await phone.getByText('20.00 USDC', { exact: true }).waitFor()
  const sell = await newest()
  expect(await balanceOf(sell.depositAddress)).toBe(100)
  expect(await balanceOf(sell.wallet)).toBe(20)
  await step('activity')
  await phone.getByText(`${sell.paymentId.slice(0, 6)}…${sell.paymentId.slice(-6)}`).waitFor()
  await step('home')

  await step('buy')
  await step('review')
  await step('confirm')

  await phone.locator('[data-step="bank"]:enabled').waitFor()
  const buy = await newest()
  await demo.simulate.settled(buy.id, { through: true })
  await step('home')
  const expected = 20 + buy.rightSideValue
  expect(await balanceOf(buy.wallet)).toBeCloseTo(expected, 6)
  await phone.getByText(`${expected.toFixed(2)} USDC`, { exact: true }).waitFor()

  await running.sandbox.chain.send({ to: buy.wallet, amount: 0.5 })
  await phone.getByText(`${(expected + 0.5).toFixed(2)} USDC`, { exact: true }).waitFor()

  for (const name of ['sell', 'review', 'confirm', 'send']) await step(name)
  await phone.getByText('Coins received').waitFor()

  await anvil.stop('SIGKILL')
  await page.getByRole('alert').filter({ hasText: 'ECONNREFUSED' }).waitFor()
})
