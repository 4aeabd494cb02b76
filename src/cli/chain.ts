import { attachChain } from '../chain/attach.ts'
import { COINS, type Coin } from '../world/state.ts'
import { createCommand } from './command.ts'
import { whenAskedToEnd } from './ending.ts'
import { invalid, type Reader } from './option-values.ts'
import { REMOTE_OPTIONS, withSandbox } from './remote.ts'
import { printText } from './terminal.ts'

const readToken: Reader<readonly [Coin, string]> = (option, text) => {
  const [, name, address] = /^([A-Z]+)=(0x[0-9a-fA-F]{40})$/.exec(text) ?? []
  const coin = COINS.find((known) => known === name)
  if (coin !== undefined && address !== undefined) return [coin, address]
  throw invalid(option, `${option} must be a coin and an address, such as USDC=0x…, not ${text}.`)
}

export const chain = createCommand({
  usage: 'chain --rpc URL [options]',
  about:
    'Lets the coins of a running sandbox move on a development chain (anvil, Hardhat): coins that reach\n' +
    'the deposit address of a sell are its funds, and a buy that is processing is paid and completed.',
  options: {
    rpc: { value: 'URL', help: 'the node, such as http://127.0.0.1:8545' },
    token: {
      value: 'COIN=ADDRESS',
      read: readToken,
      many: true,
      help: 'a token to use, such as USDC=0x…; by default it deploys its own',
    },
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print what happens as lines of JSON' },
  },
  exits: { 0: 'Stopped on request.' },
  async act({ values }) {
    const { rpc, token, json } = values
    if (rpc === undefined) {
      const hint = 'ramp-sandbox chain --rpc http://127.0.0.1:8545'
      throw invalid('--rpc', 'chain needs --rpc URL.', hint)
    }
    const log = (line: string) => printText(json ? JSON.stringify({ event: 'chain', line }) : line)
    await withSandbox(values, async (sandbox) => {
      const attached = await attachChain(sandbox, { rpc, tokens: Object.fromEntries(token), log })
      const tokens = COINS.map((coin) => `${coin} is ${attached.tokens[coin].address}`)
      if (json) printText(JSON.stringify({ event: 'attached', tokens: attached.tokens }))
      else printText(`${sandbox.url} is on the chain at ${rpc}\n${tokens.join('\n')}`)
      await new Promise<void>((resolve) => whenAskedToEnd(() => resolve()))
      await attached.close()
    })
  },
})
