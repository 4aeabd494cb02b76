// Compiles src/chain/coin.sol and writes src/chain/coin.ts: its bytes, the addresses that they are
// deployed at, and the selectors and topics of what the sandbox uses. `npm run build:coin`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import solc from 'solc'
import {
  concatHex,
  encodeAbiParameters,
  getCreate2Address,
  padHex,
  toEventSelector,
  toFunctionSelector,
} from 'viem'

const folder = join(import.meta.dirname, '../../src/chain')
const file = join(folder, 'coin.ts')

/** The deterministic deployment proxy, at the same address on every chain. */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const SALT = padHex('0x', { size: 32 })
/** Functions that the sandbox calls, and events that it reads. */
const USED = {
  function: ['balanceOf', 'decimals', 'mint', 'mintedIn', 'minter', 'setMinter', 'transfer'],
  event: ['Minted', 'Transfer'],
}
const COINS = { USDC: ['Sandbox USDC', 'USDC', 6], CADC: ['Sandbox CADC', 'CADC', 18] }

const written = writeModule()
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== written) throw new Error(`${file} is not what compiles now.`)
} else writeFileSync(file, written)

function writeModule() {
  const { code, abi } = compile()
  const coins = Object.entries(COINS).map(([coin, values]) => {
    const types = [{ type: 'string' }, { type: 'string' }, { type: 'uint8' }]
    const args = encodeAbiParameters(types, values)
    const address = getCreate2Address({
      from: DEPLOYER,
      salt: SALT,
      bytecode: concatHex([code, args]),
    }).toLowerCase()
    const fields = [`address: '${address}'`, `decimals: ${values[2]}`, `args: '${args.slice(2)}'`]
    return `  ${coin}: {\n${fields.map((field) => `    ${field},\n`).join('')}  },\n`
  })
  const hashed = (type, toHash) =>
    USED[type]
      .map((name) => abi.find((item) => item.type === type && item.name === name))
      .map((item) => `  ${item.name}: '${toHash(item)}',\n`)
      .join('')
  return `// Made from coin.sol by test/chain/compile.mjs, so that a build needs no compiler; not edited.

export const DEPLOYER = '${DEPLOYER.toLowerCase()}'

export const COIN_CODE =
  '${code}'

export const OWN_COINS = {
${coins.join('')}} as const

export const SELECTORS = {
${hashed('function', toFunctionSelector)}}

export const TOPICS = {
${hashed('event', toEventSelector)}}
`
}

function compile() {
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'coin.sol': { content: readFileSync(join(folder, 'coin.sol'), 'utf8') } },
        settings: {
          evmVersion: 'paris',
          optimizer: { enabled: true, runs: 200 },
          metadata: { appendCBOR: false, bytecodeHash: 'none' },
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
      }),
    ),
  )
  const problems = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (problems.length > 0) throw new Error(problems[0].formattedMessage)
  const { abi, evm } = output.contracts['coin.sol'].Coin
  return { abi, code: `0x${evm.bytecode.object}` }
}
