import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, createWalletClient, erc20Abi, http, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attachChain, createSandbox } from '../../dist/index.js'
import { freePort } from '../helpers/sandbox.mjs'
import { runCli, startAnvil, startAnvilAt, startChain, startSandbox } from './anvil.mjs'

const ALICE = 'alice@example.com'
const PENDING = 'pending request money transfer'
const PROCESSING = 'processing request money transfer'
/** The third account that every anvil has: a user's wallet, whose key the sandbox never sees. */
const WALLET = privateKeyToAccount(
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
)
let seeds = 0

let anvil
let tokens

beforeAll(async () => {
  anvil = await startAnvil()
  const { sandbox, chain } = await open()
  tokens = Object.fromEntries(Object.entries(chain.tokens).map(([coin, it]) => [coin, it.address]))
  for (const coin of ['USDC', 'CADC']) await chain.send({ to: WALLET.address, amount: 1000, coin })
  await close({ sandbox, chain })
}, 60_000)
afterAll(() => anvil.stop())

/** Worlds that share a chain have a seed each. */
async function open({ rpc = anvil.url, ...options } = {}) {
  const start = { fixture: 'verified-user', seed: `chain-${++seeds}`, listen: false }
  const sandbox = await createSandbox(start)
  return { sandbox, chain: await attachChain(sandbox, { rpc, ...options }) }
}

async function close({ sandbox, chain }) {
  await chain.close()
  await sandbox.close()
}

const statusOf = async (sandbox, { id }) => (await sandbox.transactions.get(id)).status
const reader = () => createPublicClient({ transport: http(anvil.url) })
const balanceOf = (address, coin = 'USDC') =>
  reader().readContract({
    address: tokens[coin],
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })

/** The user signs a transfer. */
async function transfer(to, amount, coin = 'USDC') {
  const client = createWalletClient({ account: WALLET, transport: http(anvil.url) })
  return await client.writeContract({
    chain: null,
    address: tokens[coin],
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to, parseUnits(String(amount), coin === 'USDC' ? 6 : 18)],
  })
}

describe('a buy', () => {
  it('mints CADC with its 18 decimals', async () => {
    const { sandbox, chain } = await open()
    const wallet = `0x${'77'.repeat(20)}`
    const { transaction } = await sandbox.buy(ALICE, { cad: 500, coin: 'CADC-ETH', wallet })
    await sandbox.simulate.fundsReceived(transaction.id)
    await chain.scan()
    expect(await balanceOf(wallet, 'CADC')).toBe(parseUnits(String(transaction.rightSideValue), 18))
    await close({ sandbox, chain })
  })

  it('is paid once where two clients are attached', async () => {
    const { sandbox, chain } = await open()
    const second = await attachChain(sandbox, { rpc: anvil.url })
    const wallet = `0x${'11'.repeat(20)}`
    const { transaction } = await sandbox.buy(ALICE, { cad: 100, wallet })
    await sandbox.simulate.fundsReceived(transaction.id)
    await Promise.all([chain.scan(), second.scan()])
    expect(await statusOf(sandbox, transaction)).toBe('complete')
    expect(await balanceOf(wallet)).toBe(parseUnits(String(transaction.rightSideValue), 6))
    await second.close()
    await close({ sandbox, chain })
  })
})

describe('a sell', () => {
  it('is processing once two transfers have paid it', async () => {
    const { sandbox, chain } = await open()
    const { transaction } = await sandbox.sell(ALICE, { coins: 100 })
    await transfer(transaction.depositAddress, 60)
    const paymentId = await transfer(transaction.depositAddress, 40)
    await chain.scan()
    const record = await sandbox.transactions.get(transaction.id)
    expect(record).toMatchObject({ status: PROCESSING, paymentId })
    await close({ sandbox, chain })
  })

  it('is paid by another transfer where the block of the first was reverted', async () => {
    const { sandbox, chain } = await open()
    const { transaction } = await sandbox.sell(ALICE, { coins: 10 })
    const before = await anvil.rpc('evm_snapshot')
    await transfer(transaction.depositAddress, 6)
    await chain.scan()
    await anvil.rpc('evm_revert', before)
    await anvil.rpc('hardhat_mine', '0x3')
    await transfer(transaction.depositAddress, 6)
    await chain.scan()
    expect(await statusOf(sandbox, transaction)).toBe(PENDING)
    await transfer(transaction.depositAddress, 4)
    await chain.scan()
    expect(await statusOf(sandbox, transaction)).toBe(PROCESSING)
    await close({ sandbox, chain })
  })
})

describe('a kill in the middle', () => {
  it.each([
    ['client', 'minted'],
    ['client', 'of the integrator'],
    ['sandbox', 'minted'],
  ])('of the %s neither loses a transfer nor pays twice: coins %s', async (killed, kind) => {
    const data = join(mkdtempSync(join(tmpdir(), 'ramp-')), 'worlds.data')
    const port = String(await freePort())
    const seed = ['--seed', `crash-${killed}-${kind}`]
    const serve = () =>
      startSandbox('--fixture', 'verified-user', '--data', data, '--port', port, ...seed)
    let running = await serve()
    const own = kind === 'minted' ? [] : ['--token', `USDC=${tokens.USDC}`]
    if (kind !== 'minted') {
      const [account] = await anvil.rpc('eth_accounts')
      await transfer(account, 200)
    }
    const attach = () => startChain('--rpc', anvil.url, '--url', running.url, ...own)
    let client = await attach()
    const { sandbox } = running
    const wallet = privateKeyToAccount(`0x${String(++seeds).padStart(64, '9')}`).address
    const { transaction: buy } = await sandbox.buy(ALICE, { cad: 100, wallet })
    const { transaction: sell } = await sandbox.sell(ALICE, { coins: 10 })
    await sandbox.simulate.fundsReceived(buy.id, { deliver: 'async' })
    while ((await balanceOf(wallet)) === 0n) await new Promise((go) => setTimeout(go, 1))
    if (killed === 'client') await client.stop('SIGKILL')
    else await running.stop('SIGKILL')
    await transfer(sell.depositAddress, 10)
    if (killed === 'client') client = await attach()
    else running = await serve()
    await expect.poll(() => statusOf(running.sandbox, buy), { timeout: 10_000 }).toBe('complete')
    await expect.poll(() => statusOf(running.sandbox, sell), { timeout: 10_000 }).toBe(PROCESSING)
    expect(await balanceOf(wallet)).toBe(parseUnits(String(buy.rightSideValue), 6))
    await client.stop()
    await running.stop()
  })

  it('of the node leaves the buy in processing, with the reason in the log', async () => {
    const node = await startAnvil()
    const lines = []
    const { sandbox, chain } = await open({ rpc: node.url, log: (line) => lines.push(line) })
    const { transaction } = await sandbox.buy(ALICE, { cad: 100 })
    await node.stop('SIGKILL')
    await sandbox.simulate.fundsReceived(transaction.id)
    await expect(chain.scan()).rejects.toMatchObject({ code: 'chain' })
    expect(await statusOf(sandbox, transaction)).toBe(PROCESSING)
    await expect.poll(() => lines.at(-1)).toContain('ECONNREFUSED')
    await close({ sandbox, chain })
  })
})

describe('a client', () => {
  it('deploys the coins at the same addresses on every chain, also without the deployer', async () => {
    const bare = await startAnvil('--disable-default-create2-deployer')
    const { sandbox, chain } = await open({ rpc: bare.url })
    expect(chain.tokens.USDC.address).toBe(tokens.USDC)
    expect(chain.tokens.CADC.address).toBe(tokens.CADC)
    await close({ sandbox, chain })
    await bare.stop()
  })

  it.each([[[]], [['--disable-default-create2-deployer']], [['--block-time', '1']]])(
    'attaches twice at once to a fresh chain %j',
    async (options) => {
      const fresh = await startAnvil(...options)
      const opened = await Promise.all([1, 2].map(() => open({ rpc: fresh.url })))
      for (const { chain } of opened) expect(chain.tokens.USDC.address).toBe(tokens.USDC)
      await Promise.all(opened.map(close))
      await fresh.stop()
    },
    60_000,
  )

  it('goes on with a node that was started anew', async () => {
    const port = await freePort()
    const first = await startAnvilAt(port)
    const { sandbox, chain } = await open({ rpc: first.url })
    await first.stop('SIGKILL')
    const second = await startAnvilAt(port)
    const { transaction } = await sandbox.sell(ALICE, { coins: 10 })
    await chain.scan()
    await chain.send({ to: transaction.depositAddress, amount: 10 })
    await chain.scan()
    expect(await statusOf(sandbox, transaction)).toBe(PROCESSING)
    await close({ sandbox, chain })
    await second.stop()
  })

  it('says so where the command has the id of a public network', async () => {
    const fork = await startAnvil('--chain-id', '1')
    const running = await startSandbox()
    const attached = runCli('chain', '--rpc', fork.url, '--url', running.url)
    await expect(attached).rejects.toThrow(/public network/)
    await running.stop()
    await fork.stop()
  })
})
