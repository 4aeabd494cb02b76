import { createPublicClient, createWalletClient, http, parseAbi, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attachChain, createSandbox } from '../../dist/index.js'
import { startAnvil } from './anvil.mjs'

const ALICE = 'alice@example.com'
const ANYBODY = `0x${'44'.repeat(20)}`
const SHOP = `0x${'55'.repeat(20)}`
/** It has no coins and no gas: others send what it signed. */
const OWNER = privateKeyToAccount(`0x${'66'.repeat(32)}`)
const COIN = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function minter() view returns (address)',
  'function nonces(address) view returns (uint256)',
  'function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)',
  'function transferFrom(address, address, uint256) returns (bool)',
])
const FAR = 9_999_999_999n
const VALUE = 30_000_000n

let anvil
let sandbox
let chain

// A node that has unlocked no account.
beforeAll(async () => {
  anvil = await startAnvil('--accounts', '0')
  sandbox = await createSandbox({ fixture: 'verified-user', listen: false })
  chain = await attachChain(sandbox, { rpc: anvil.url })
}, 60_000)
afterAll(async () => {
  await chain.close()
  await sandbox.close()
  await anvil.stop()
})

const reader = () => createPublicClient({ transport: http(anvil.url) })
const read = (functionName, ...args) =>
  reader().readContract({ address: chain.tokens.USDC.address, abi: COIN, functionName, args })
const usdcOf = async (address) => Number(await read('balanceOf', address)) / 1e6

it('has a node without accounts impersonate one that mints, and one that sends', async () => {
  const { transaction: buy } = await sandbox.buy(ALICE, { cad: 100, wallet: ANYBODY })
  await sandbox.simulate.fundsReceived(buy.id)
  await chain.scan()
  expect(await usdcOf(ANYBODY)).toBe(buy.rightSideValue)
  const { transaction: sell } = await sandbox.sell(ALICE, { coins: 50 })
  const hash = await chain.send({ from: ANYBODY, to: sell.depositAddress, amount: 50 })
  await chain.scan()
  expect(await sandbox.transactions.get(sell.id)).toMatchObject({ paymentId: hash })
  const left = await usdcOf(ANYBODY)
  const tooMuch = { from: ANYBODY, to: SHOP, amount: left + 0.01 }
  await expect(chain.send(tooMuch)).rejects.toMatchObject({ code: 'chain' })
  await chain.send({ ...tooMuch, amount: left })
  expect(await usdcOf(ANYBODY)).toBe(0)
})

it('spends a coin with a permit (EIP-2612) that its owner signed, once and up to its value', async () => {
  const spender = await read('minter')
  await chain.send({ to: OWNER.address, amount: 100 })
  const signature = await sign(spender)
  const permit = (value) =>
    call(spender, 'permit', OWNER.address, spender, value, FAR, ...signature)
  const pay = (value) => call(spender, 'transferFrom', OWNER.address, SHOP, value)
  await expect(permit(VALUE + 1n)).rejects.toThrow('bad signature')
  await expect(pay(VALUE)).rejects.toThrow('allowance too low')
  await permit(VALUE)
  await expect(permit(VALUE)).rejects.toThrow('bad signature')
  await expect(pay(VALUE + 1n)).rejects.toThrow('allowance too low')
  await pay(VALUE)
  expect(await usdcOf(OWNER.address)).toBe(70)
})

/** Throws with the reason where the contract refuses. */
async function call(account, functionName, ...args) {
  const { address } = chain.tokens.USDC
  const asked = { account, address, abi: COIN, functionName, args }
  const { request } = await reader().simulateContract(asked)
  const client = createWalletClient({ account, transport: http(anvil.url) })
  const hash = await client.writeContract({ ...request, chain: null })
  await reader().waitForTransactionReceipt({ hash })
}

/** What `permit` takes after the deadline. */
async function sign(spender) {
  const { address } = OWNER
  const types = { owner: 'address', spender: 'address', value: 'uint256' }
  const all = { ...types, nonce: 'uint256', deadline: 'uint256' }
  const chainId = await reader().getChainId()
  const verifyingContract = chain.tokens.USDC.address
  const signed = await OWNER.signTypedData({
    domain: { name: 'Sandbox USDC', version: '1', chainId, verifyingContract },
    types: { Permit: Object.entries(all).map(([name, type]) => ({ name, type })) },
    primaryType: 'Permit',
    message: {
      owner: address,
      spender,
      value: VALUE,
      nonce: await read('nonces', address),
      deadline: FAR,
    },
  })
  const { v, r, s } = parseSignature(signed)
  return [Number(v), r, s]
}
