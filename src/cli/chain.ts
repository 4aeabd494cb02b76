import type { ChainBalances, ChainNetwork, ChainSent, ChainStatus } from '../http/control/wire.ts'
import type { DomainError } from '../world/domain-error.ts'
import type { OptionSpecs, Values } from './command.ts'
import { invalid } from './option-values.ts'
import { createRemote, post, type RemoteCall } from './remote.ts'

type Result = ChainStatus | ChainBalances | ChainSent

const OPTIONS = {
  to: { value: 'ADDRESS', help: 'who gets them, such as a deposit address' },
  from: { value: 'ADDRESS', help: 'who sends them; a funded account by default' },
  usdc: { value: 'AMOUNT', help: 'how many USDC' },
  cadc: { value: 'AMOUNT', help: 'how many CADC' },
  network: { value: 'LABEL', help: 'which chain, such as BASE; the first one by default' },
} as const satisfies OptionSpecs

export const chain = createRemote({
  name: 'chain',
  about:
    'chain status                   show the chains behind a sandbox, and their tokens\n' +
    'chain balances ADDRESS         show how many coins an address has\n' +
    'chain send --to ADDRESS --usdc 100   send coins from a funded account\n' +
    'chain scan                     read every block up to now',
  words: ['[status|balances|send|scan]', '[ADDRESS]'],
  options: OPTIONS,
  call: ({ words: [action = 'status', address], values }) => toCall(action, address, values),
  format(result: Result) {
    if ('hash' in result) return `${result.amount} ${result.coin} to ${result.to}: ${result.hash}`
    if ('balances' in result) return result.balances.map(formatBalance).join('\n')
    const lines = [...result.networks.map(formatNetwork), ...result.log]
    return lines.join('\n') || 'No chain (--chain URL).'
  },
})

type SendValues = Values<typeof OPTIONS>

function toCall(action: string, address: string | undefined, values: SendValues): RemoteCall {
  const isSend = action === 'send'
  const { to, from, usdc, cadc, network } = values
  if (!isSend && [to, from, usdc, cadc, network].some((value) => value !== undefined)) {
    throw misused('Only chain send takes these options.')
  }
  if (action === 'balances' && address !== undefined) {
    return { method: 'GET', path: `/chain/balances/${encodeURIComponent(address)}` }
  }
  if (address !== undefined) throw misused(`chain ${action} takes no ${address}.`)
  if (action === 'status') return { method: 'GET', path: '/chain' }
  if (action === 'scan') return post('/chain/scan')
  if (isSend) return post('/chain/send', toSend(values))
  throw misused(
    `chain does not take ${action}${action === 'balances' ? ' without an address' : ''}.`,
  )
}

function toSend({ to, from, usdc, cadc, network }: SendValues): object {
  const amount = usdc ?? cadc
  if (to === undefined || amount === undefined || (usdc !== undefined && cadc !== undefined)) {
    throw misused('chain send needs --to, and one of --usdc and --cadc.')
  }
  if (!/^\d{1,10}(\.\d{1,6})?$/.test(amount)) {
    throw misused(`The amount must be a number such as 100, not ${amount}.`)
  }
  const coin = usdc === undefined ? 'CADC' : 'USDC'
  return { to, amount: Number(amount), coin, from, network }
}

function misused(message: string): DomainError {
  const hint = 'ramp-sandbox chain --help shows what it takes.'
  return invalid('chain', message, hint)
}

const formatBalance = ({ network, coin, amount }: ChainBalances['balances'][number]) =>
  `${amount} ${coin} on ${network}`

function formatNetwork({ labels, tokens, problem, ...chain }: ChainNetwork) {
  const { chainId, block, readBlock, account } = chain
  const names = labels.join(', ')
  if (problem !== null) return `${names}: ${problem}`
  const coins = tokens.map(({ coin, address }) => `${coin} ${address}`).join(', ')
  return `${names}: chain ${chainId}, block ${block}, read ${readBlock}, account ${account}, ${coins}`
}
