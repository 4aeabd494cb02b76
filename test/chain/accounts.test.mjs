import { createPublicClient, createWalletClient, http, parseAbi, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli, startAnvil, startSandbox } from './anvil.mjs'

const ALICE = 'alice@example.com'
const ANYBODY = `0x${'44'.repeat(20)}`
const SHOP = `0x${'55'.repeat(20)}`
/** It has no coins and no gas: others send what it signed. */
const OWNER = privateKeyToAccount(`0x${'66'.repeat(32)}`)
const COIN = parseAbi([
  'function nonces(address) view returns (uint256)',
  'function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)',
  'function transferFrom(address, address, uint256) returns (bool)',
])

let anvil
let running
let sandbox
let usdc

// A node that has unlocked no account.
beforeAll(async () => {
  anvil = await startAnvil('--accounts', '0')
  running = await startSandbox('--fixture', 'verified-user', '--chain', anvil.url)
  ;({ sandbox } = running)
  const [network] = await sandbox.chain.networks()
  usdc = network.tokens.find(({ coin }) => coin === 'USDC').address
}, 60_000)

afterAll(async () => {
  await running.stop()
  await anvil.stop()
})

const reader = () => createPublicClient({ transport: http(anvil.url) })
const usdcOf = async (address) =>
  (await sandbox.chain.balances(address)).find(({ coin }) => coin === 'USDC').amount

describe('a node without accounts', () => {
  it('impersonates one that mints the coins of a buy, and one that sends them on', async () => {
    const order = { cad: 100, wallet: ANYBODY, settle: true }
    const { transaction: buy } = await sandbox.buy(ALICE, order)
    expect(await usdcOf(ANYBODY)).toBe(buy.rightSideValue)
    const { transaction: sell } = await sandbox.sell(ALICE, { coins: 50 })
    const { hash } = await sandbox.chain.send({
      from: ANYBODY,
      to: sell.depositAddress,
      amount: 50,
    })
    await sandbox.chain.scan()
    const { paymentId } = await sandbox.control('GET', `/transactions/${sell.id}`)
    expect(paymentId).toBe(hash)
    const left = await usdcOf(ANYBODY)
    expect(left).toBeCloseTo(buy.rightSideValue - 50, 6)

    const tooMuch = { from: ANYBODY, to: SHOP, amount: left + 0.01 }
    await expect(sandbox.chain.send(tooMuch)).rejects.toMatchObject({ status: 409, code: 'chain' })
    await sandbox.chain.send({ ...tooMuch, amount: left })
    expect(await usdcOf(ANYBODY)).toBe(0)
  })
})

describe('the log', () => {
  it('has a line for coins that are too few', async () => {
    const logging = await startSandbox(
      ...['--fixture', 'verified-user', '--chain', anvil.url, '--log', 'errors'],
    )
    const written = new Promise((resolve) => logging.child.stdout.on('data', resolve))
    const { transaction } = await logging.sandbox.sell(ALICE, { coins: 50 })
    await logging.sandbox.chain.send({ to: transaction.depositAddress, amount: 20 })
    await logging.sandbox.chain.scan()
    const sentence = `20 of 50 USDC arrived for ${transaction.id}`
    expect(JSON.parse(await written)).toMatchObject({ event: 'chain', world: 'default', sentence })
    await logging.stop()
  })
})

describe('the command chain', () => {
  it('sends coins, from any account, and reads balances', async () => {
    const wallet = `0x${'88'.repeat(20)}`
    const other = `0x${'99'.repeat(20)}`
    const chain = (...words) => runCli('chain', ...words, '--url', running.url)
    await chain('send', wallet, '12.5', '--coin', 'USDC')
    const send = (amount) => chain('send', other, amount, '--from', wallet)
    expect(await send('2.5')).toMatch(/^2.5 USDC to 0x9+: 0x[0-9a-f]{64}$/)
    await expect(send('10.01')).rejects.toThrow('too few USDC')
    expect(await chain('balances', wallet)).toBe('10 USDC on ETH\n0 CADC on ETH')
  })
})

describe('the coin', () => {
  const FAR = 9_999_999_999n
  const VALUE = 30_000_000n
  let spender

  beforeAll(async () => {
    ;[{ account: spender }] = await sandbox.chain.networks()
    await sandbox.chain.send({ to: OWNER.address, amount: 100 })
  })

  it('is spent with a permit (EIP-2612) that its owner signed, once and up to its value', async () => {
    const signature = await sign(VALUE, FAR)
    const permit = (value) => call('permit', OWNER.address, spender, value, FAR, ...signature)
    const pay = (value) => call('transferFrom', OWNER.address, SHOP, value)
    await expect(permit(VALUE + 1n)).rejects.toThrow('bad signature')
    await expect(pay(VALUE)).rejects.toThrow('allowance too low')
    await permit(VALUE)
    await expect(permit(VALUE)).rejects.toThrow('bad signature')
    await expect(pay(VALUE + 1n)).rejects.toThrow('allowance too low')
    await pay(VALUE)
    expect(await usdcOf(OWNER.address)).toBe(70)
  })

  /** Throws with the reason where the contract refuses. */
  async function call(functionName, ...args) {
    const asked = { account: spender, address: usdc, abi: COIN, functionName, args }
    const { request } = await reader().simulateContract(asked)
    const client = createWalletClient({ account: spender, transport: http(anvil.url) })
    const hash = await client.writeContract({ ...request, chain: null })
    await reader().waitForTransactionReceipt({ hash })
  }

  /** What `permit` takes after the deadline. */
  async function sign(value, deadline) {
    const client = reader()
    const owner = OWNER.address
    const read = { address: usdc, abi: COIN, functionName: 'nonces', args: [owner] }
    const fields = { owner: 'address', spender: 'address', value: 'uint256' }
    const all = { ...fields, nonce: 'uint256', deadline: 'uint256' }
    const chainId = await client.getChainId()
    const signed = await OWNER.signTypedData({
      domain: { name: 'Sandbox USDC', version: '1', chainId, verifyingContract: usdc },
      types: { Permit: Object.entries(all).map(([name, type]) => ({ name, type })) },
      primaryType: 'Permit',
      message: { owner, spender, value, nonce: await client.readContract(read), deadline },
    })
    const { v, r, s } = parseSignature(signed)
    return [Number(v), r, s]
  }
})
