import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  formatUnits,
  http,
  parseUnits,
} from 'viem'

const LABEL = 'USDC-ETH'
const DECIMALS = 6
const POLL_MS = 50

/** A wallet with USDC on a chain, which it buys and sells through the ramp platform. */
export function createWallet({ ramp, account, node, usdc }) {
  const transport = http(node)
  const reader = createPublicClient({ transport, pollingInterval: POLL_MS })
  const signer = createWalletClient({ account, transport })
  const token = { address: usdc, abi: erc20Abi }
  return {
    async balance() {
      const call = { ...token, functionName: 'balanceOf', args: [account.address] }
      return toCoins(await reader.readContract(call))
    },
    buy: (cad) =>
      ramp.order({
        leftSideLabel: 'CAD',
        leftSideValue: cad,
        rightSideLabel: LABEL,
        wallet: account.address,
      }),
    /** The next coins that arrive: how many, and the hash of their transfer. */
    async waitForCoins() {
      const fromBlock = (await reader.getBlockNumber()) + 1n
      const event = { ...token, eventName: 'Transfer', args: { to: account.address }, fromBlock }
      return new Promise((resolve, reject) => {
        const stop = reader.watchContractEvent({
          ...event,
          onError: reject,
          onLogs([{ args, transactionHash }]) {
            stop()
            resolve({ amount: toCoins(args.value), hash: transactionHash })
          },
        })
      })
    },
    sell: (coins) =>
      ramp.order({
        leftSideLabel: LABEL,
        leftSideValue: coins,
        rightSideLabel: 'CAD',
        wallet: account.address,
      }),
    /** Signs the transfer that pays a sell; its hash, once it is in a block. */
    async pay({ depositAddress, leftSideValue }) {
      const hash = await signer.writeContract({
        ...token,
        functionName: 'transfer',
        args: [depositAddress, parseUnits(String(leftSideValue), DECIMALS)],
        chain: null,
      })
      const { status } = await reader.waitForTransactionReceipt({ hash })
      if (status !== 'success') throw new Error(`The chain reverted ${hash}.`)
      return hash
    },
  }
}

const toCoins = (units) => Number(formatUnits(units, DECIMALS))
