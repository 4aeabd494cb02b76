import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, createWalletClient, erc20Abi, http, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli, startAnvil, startSandbox } from './anvil.mjs'

const ALICE = 'alice@example.com'
const PENDING = 'pending request money transfer'
const PROCESSING = 'processing request money transfer'
/** The third account that every anvil has: a user's wallet, whose key the sandbox never sees. */
const WALLET = privateKeyToAccount(
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
)

let anvil
let running
let tokens

beforeAll(async () => {
  anvil = await startAnvil()
  running = await startSandbox('--fixture', 'verified-user', '--chain', anvil.url)
  const [network] = await running.sandbox.chain.networks()
  tokens = Object.fromEntries(network.tokens.map(({ coin, address }) => [coin, address]))
  for (const coin of ['USDC', 'CADC']) {
    await running.sandbox.chain.send({ to: WALLET.address, amount: 1000, coin })
  }
}, 60_000)

afterAll(async () => {
  await running.stop()
  await anvil.stop()
})

const statusOf = async (sandbox, id) => (await sandbox.control('GET', `/transactions/${id}`)).status
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

const worldOf = async (name) => {
  const world = running.sandbox.world(name)
  await world.reset({ fixture: 'verified-user' })
  return world
}

describe('a buy', () => {
  it('mints CADC with its 18 decimals', async () => {
    const world = await worldOf('cadc')
    const wallet = `0x${'77'.repeat(20)}`
    const order = { cad: 500, coin: 'CADC-ETH', wallet, settle: true }
    const { transaction } = await world.buy(ALICE, order)
    const expected = parseUnits(String(transaction.rightSideValue), 18)
    expect(await balanceOf(wallet, 'CADC')).toBe(expected)
  })

  it('is minted once when it is settled twice at once', async () => {
    const world = await worldOf('twice')
    const wallet = `0x${'11'.repeat(20)}`
    const { transaction } = await world.buy(ALICE, { cad: 100, wallet })
    const settle = () => world.simulate.settled(transaction.id, { through: true })
    const ends = await Promise.allSettled([settle(), settle(), settle()])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await balanceOf(wallet)).toBe(parseUnits(String(transaction.rightSideValue), 6))
  })
})

describe('a sell', () => {
  it('is processing once two transfers have paid it', async () => {
    const world = await worldOf('two-parts')
    const { transaction } = await world.sell(ALICE, { coins: 100 })
    await transfer(transaction.depositAddress, 60)
    const paymentId = await transfer(transaction.depositAddress, 40)
    await world.chain.scan()
    const record = await world.control('GET', `/transactions/${transaction.id}`)
    expect(record).toMatchObject({ status: PROCESSING, paymentId })
  })

  it('is paid by another transfer where the block of the first was reverted', async () => {
    const world = await worldOf('reverted')
    const { transaction } = await world.sell(ALICE, { coins: 10 })
    const before = await anvil.rpc('evm_snapshot')
    await transfer(transaction.depositAddress, 6)
    await world.chain.scan()
    await anvil.rpc('evm_revert', before)
    await anvil.rpc('hardhat_mine', '0x3')
    await transfer(transaction.depositAddress, 6)
    await world.chain.scan()
    expect(await statusOf(world, transaction.id)).toBe(PENDING)
    await transfer(transaction.depositAddress, 4)
    await world.chain.scan()
    expect(await statusOf(world, transaction.id)).toBe(PROCESSING)
  })

  it('has another deposit address in each of fifty worlds, and after a reset', async () => {
    const worlds = await Promise.all(Array.from({ length: 50 }, (_, i) => worldOf(`many-${i}`)))
    const sells = await Promise.all(worlds.map((world) => world.sell(ALICE, { coins: 10 })))
    const addresses = sells.map(({ transaction }) => transaction.depositAddress)
    expect(new Set(addresses).size).toBe(50)
    await transfer(addresses[7], 10)
    await Promise.all(worlds.map((world) => world.chain.scan()))
    const statuses = await Promise.all(
      worlds.map((world, i) => statusOf(world, sells[i].transaction.id)),
    )
    expect(statuses.filter((status) => status === PROCESSING)).toHaveLength(1)
    expect(statuses[7]).toBe(PROCESSING)
    await worlds[7].reset({ fixture: 'verified-user' })
    const again = await worlds[7].sell(ALICE, { coins: 10 })
    expect(addresses).not.toContain(again.transaction.depositAddress)
    await worlds[7].chain.scan()
    expect(await statusOf(worlds[7], again.transaction.id)).toBe(PENDING)
  })
})

describe('a kill in the middle', () => {
  it.each(['minted', 'of the integrator'])(
    'of the sandbox neither loses a transfer nor pays twice: coins %s',
    async (kind) => {
      const data = join(mkdtempSync(join(tmpdir(), 'ramp-')), 'worlds.data')
      const options = ['--fixture', 'verified-user', '--chain', anvil.url, '--data', data]
      if (kind !== 'minted') {
        const [{ account }] = await running.sandbox.chain.networks()
        await running.sandbox.chain.send({ to: account, amount: 5000 })
        options.push('--token', `USDC-ETH=${tokens.USDC}`)
      }
      let crashed = await startSandbox(...options)
      const wallet = `0x${(kind === 'minted' ? '22' : '23').repeat(20)}`
      const { transaction: buy } = await crashed.sandbox.buy(ALICE, { cad: 100, wallet })
      const { transaction: sell } = await crashed.sandbox.sell(ALICE, { coins: 10 })
      await crashed.sandbox.simulate.fundsReceived(buy.id)
      const paidBefore = (async () => {
        while ((await balanceOf(wallet)) === 0n) await new Promise((go) => setTimeout(go, 1))
      })()
      crashed.sandbox.simulate.settled(buy.id).catch(() => undefined)
      await paidBefore
      await crashed.stop('SIGKILL')
      await transfer(sell.depositAddress, 10)
      crashed = await startSandbox(...options)
      await crashed.sandbox.chain.scan()
      expect(await statusOf(crashed.sandbox, sell.id)).toBe(PROCESSING)
      const status = await statusOf(crashed.sandbox, buy.id)
      if (status === PROCESSING) await crashed.sandbox.simulate.settled(buy.id)
      expect(await statusOf(crashed.sandbox, buy.id)).toBe('complete')
      expect(await balanceOf(wallet)).toBe(parseUnits(String(buy.rightSideValue), 6))
      await crashed.stop()
    },
  )

  it('of the node makes the lever fail with the reason, and the buy stays in processing', async () => {
    const node = await startAnvil()
    const other = await startSandbox('--fixture', 'verified-user', '--chain', node.url)
    const { transaction } = await other.sandbox.buy(ALICE, { cad: 100 })
    await node.stop('SIGKILL')
    const settled = other.sandbox.simulate.settled(transaction.id, { through: true })
    await expect(settled).rejects.toMatchObject({ status: 409, code: 'chain' })
    expect(await statusOf(other.sandbox, transaction.id)).toBe(PROCESSING)
    const [network] = await other.sandbox.chain.networks()
    expect(network.problem).toContain('ECONNREFUSED')
    await other.stop()
  })
})

describe('a start', () => {
  it('deploys the coins at the same addresses on every chain, also without the deployer', async () => {
    const bare = await startAnvil('--disable-default-create2-deployer')
    const other = await startSandbox('--chain', bare.url)
    const [network] = await other.sandbox.chain.networks()
    const found = Object.fromEntries(network.tokens.map(({ coin, address }) => [coin, address]))
    expect(found).toEqual(tokens)
    await other.stop()
    await bare.stop()
  })

  it.each([[[]], [['--disable-default-create2-deployer']], [['--block-time', '1']]])(
    'comes up twice at once on a fresh chain %j',
    async (options) => {
      const fresh = await startAnvil(...options)
      const starts = [1, 2].map(() => startSandbox('--chain', fresh.url))
      const started = await Promise.all(starts)
      for (const { sandbox } of started) {
        const [network] = await sandbox.chain.networks()
        expect(network.problem).toBeNull()
      }
      await Promise.all(started.map((each) => each.stop()))
      await fresh.stop()
    },
    60_000,
  )

  it('refuses the id of a public network, and a public address', async () => {
    const fork = await startAnvil('--chain-id', '1')
    const start = (url) => runCli('start', '--port', '0', '--chain', url)
    await expect(start(fork.url)).rejects.toThrow(/public network/)
    await expect(start('http://8.8.8.8:8545')).rejects.toThrow(/private address/)
    await fork.stop()
  })
})
