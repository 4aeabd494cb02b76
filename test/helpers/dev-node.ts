import type { NodeFetch } from '../../src/chain/attached-chain.ts'
import { COIN_CODE, OWN_COINS, SELECTORS, TOPICS } from '../../src/chain/coin.ts'
import { encodeCall, toAddress, toTopic } from '../../src/chain/token.ts'

export const ACCOUNT = `0x${'a1'.repeat(20)}`
export const FUNDED = `0x${'b2'.repeat(20)}`
/** A token that the service does not know. */
export const STRANGE = `0x${'c3'.repeat(20)}`
export const USDC: string = OWN_COINS.USDC.address
export const CADC: string = OWN_COINS.CADC.address

/** Where it says that it is. */
export const NODE_URL = 'http://127.0.0.1:8545'

interface Log {
  address: string
  topics: string[]
  data: string
  blockNumber: string
  blockHash: string
  transactionHash: string
}

interface Block {
  hash: string
  time: number
  logs: Log[]
}

export type DevNode = ReturnType<typeof createDevNode>

/** A development chain of a few lines, whose blocks are the same in every run. */
export function createDevNode(chainId = 31_337) {
  const failures = new Map<string, string>()
  const mintedIn = new Map<string, number>()
  const inputs = new Map<string, string>()
  const blocks: Block[] = []
  mine()

  const METHODS: Record<string, (first: never) => unknown> = {
    eth_chainId: () => hex(chainId),
    eth_accounts: () => [ACCOUNT, FUNDED],
    eth_getCode: () => COIN_CODE,
    eth_call: ({ to, data }: { to: string; data: string }) => read(to, data),
    eth_getBlockByNumber: (which: string) => presentBlock(which),
    eth_getLogs: (filter: LogFilter) => logsIn(filter),
    eth_getTransactionReceipt: (hash: string) => receiptOf(hash),
    eth_getTransactionByHash: (hash: string) => ({ hash, input: inputs.get(hash) ?? '0x' }),
    eth_sendTransaction: (sent: { from: string; to: string; data: string }) => accept(sent),
  }
  return {
    blocks,
    /** Somebody sends tokens: a block of its own. Returns the hash. */
    transfer: (token: string, to: string, units: bigint) =>
      addTransfer(token, { from: FUNDED, to, units }),
    mine: () => void mine(),
    /** Every call of a method fails with this text, until it is undefined. */
    fail(method: string, message: string | undefined) {
      if (message === undefined) failures.delete(method)
      else failures.set(method, message)
    },
    /** How many units of a token an address has. */
    received: (token: string, to: string) => balanceOf(token, to),
    /** How many units were minted for an address. */
    minted: (to: string) => balanceOf(USDC, to) + balanceOf(CADC, to),
    fetch: (async (_, { body }) => {
      const { id, method, params } = JSON.parse(String(body))
      const failure = failures.get(method)
      const run = METHODS[method]
      if (failure !== undefined || run === undefined) {
        const message = failure ?? `the method ${method} does not exist`
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32_000, message } })
      }
      try {
        return Response.json({ jsonrpc: '2.0', id, result: run(params[0] as never) })
      } catch (error) {
        const { message } = error as Error
        return Response.json({ jsonrpc: '2.0', id, error: { code: 3, message } })
      }
    }) satisfies NodeFetch as NodeFetch,
  }

  function mine(): Block {
    const number = blocks.length
    const hash = toTopic(`b${number}`)
    const block = { hash, time: number, logs: [] }
    blocks.push(block)
    return block
  }

  function addTransfer(
    token: string,
    { from, to, units }: { from: string; to: string; units: bigint },
  ) {
    const block = mine()
    const hash = toTopic(`c${blocks.length - 1}`)
    addLog(block, hash, token, [TOPICS.Transfer, toTopic(from), toTopic(to)], units)
    return hash
  }

  function addLog(block: Block, hash: string, address: string, topics: string[], units: bigint) {
    const blockNumber = hex(blocks.indexOf(block))
    const data = encodeCall('0x', units)
    block.logs.push({
      address,
      topics,
      data,
      blockNumber,
      blockHash: block.hash,
      transactionHash: hash,
    })
  }

  function accept({ from, to: token, data }: { from: string; to: string; data: string }): string {
    const [to = '', second = '', ref = ''] = data.slice(10).match(/.{64}/g) ?? []
    const units = BigInt(`0x${second}`)
    if (data.startsWith(SELECTORS.transfer)) {
      if (balanceOf(token, from) < units) throw new Error('execution reverted: balance too low')
      const sent = addTransfer(token, { from, to: toAddress(to), units })
      inputs.set(sent, data)
      return sent
    }
    if (!data.startsWith(SELECTORS.mint)) throw new Error('execution reverted')
    if (mintedIn.has(ref)) throw new Error('execution reverted: Coin: minted already')
    const hash = addTransfer(token, { from: `0x${'0'.repeat(40)}`, to: toAddress(to), units })
    mintedIn.set(ref, blocks.length - 1)
    const block = blocks.at(-1)
    if (block)
      addLog(block, hash, token, [TOPICS.Minted, `0x${ref}`, toTopic(toAddress(to))], units)
    return hash
  }

  function read(to: string, data: string): string {
    const word = data.slice(10)
    if (data.startsWith(SELECTORS.minter)) return toTopic(ACCOUNT)
    if (data.startsWith(SELECTORS.decimals)) return toTopic('6')
    if (data.startsWith(SELECTORS.mintedIn)) return toTopic(hex(mintedIn.get(word) ?? 0))
    return toTopic(balanceOf(to, toAddress(word)).toString(16))
  }

  function balanceOf(token: string, of: string): bigint {
    const moves = allLogs().filter(
      ({ address, topics }) => address === token && topics[0] === TOPICS.Transfer,
    )
    return moves.reduce((sum, { topics: [, from = '', to = ''], data }) => {
      const units = BigInt(data)
      return (
        sum +
        (toAddress(to) === of.toLowerCase() ? units : 0n) -
        (toAddress(from) === of.toLowerCase() ? units : 0n)
      )
    }, 0n)
  }

  function presentBlock(which: string) {
    const number = which === 'latest' || which === 'pending' ? blocks.length - 1 : Number(which)
    const block = blocks[number]
    if (block === undefined) return null
    return { number: hex(number), hash: block.hash, timestamp: hex(block.time), transactions: [] }
  }

  function receiptOf(hash: string) {
    const log = allLogs().find(({ transactionHash }) => transactionHash === hash)
    return log ? { ...log, status: '0x1' } : null
  }

  function logsIn({ address, fromBlock, toBlock, topics }: LogFilter): Log[] {
    const to = toBlock === 'latest' ? blocks.length - 1 : Number(toBlock)
    return blocks
      .slice(Number(fromBlock), to + 1)
      .flatMap(({ logs }) =>
        logs.filter(
          (log) =>
            (address === undefined || address === log.address) &&
            topics.every(
              (asked, i) => asked === null || [asked].flat().includes(log.topics[i] ?? ''),
            ),
        ),
      )
  }

  function allLogs(): Log[] {
    return blocks.flatMap(({ logs }) => logs)
  }
}

interface LogFilter {
  address?: string
  fromBlock: string
  toBlock: string
  topics: (string | string[] | null)[]
}

const hex = (value: number) => `0x${value.toString(16)}`
