import { createPublicClient, erc20Abi, formatUnits, http } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage, press, useBrowser } from '../browser/browser.ts'
import { end, startAnvil, startSandbox } from './anvil.mjs'

useBrowser()

const ALICE = 'alice@example.com'
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
  await end(running)
  await end(anvil)
})

/** As any client of the chain sees it, and not the sandbox. */
async function balanceOf(address) {
  const client = createPublicClient({ transport: http(anvil.url) })
  const call = { address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [address] }
  return Number(formatUnits(await client.readContract(call), 6))
}

it('sends coins to the deposit address of a sell from the inspector', async () => {
  const { transaction } = await running.sandbox.sell(ALICE, { coins: 70 })
  const page = await openPage(`${running.url}/_sandbox/ui/chain`)
  await press(page, 'Send to deposit address', 'The coins are on their way.')
  await press(page, 'Scan', 'Every block was read.')
  const { depositAddress, id } = transaction
  expect(await balanceOf(depositAddress)).toBe(70)
  const { paymentId } = await running.sandbox.control('GET', `/transactions/${id}`)
  await page.getByRole('cell', { name: paymentId }).waitFor()
  await page.getByText('Waiting for coins').waitFor({ state: 'detached' })
})

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

  await demo.settings.set({ 'chain.confirmations': 2 })
  for (const name of ['sell', 'review', 'confirm', 'send']) await step(name)
  await phone.locator('[data-step="send"]:disabled', { hasText: 'Sent' }).waitFor()
  await anvil.rpc('hardhat_mine', '0x1')
  await phone.getByText('Coins received').waitFor()

  await end(anvil, 'SIGKILL')
  await page.getByRole('alert').filter({ hasText: 'ECONNREFUSED' }).waitFor()
})
