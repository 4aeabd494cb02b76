import type { TransactionCreated } from '../http/control/wire.ts'
import type { Side } from '../world/money.ts'
import type { Command } from './command.ts'
import { withHappened } from './control-format.ts'
import { invalid } from './option-values.ts'
import { createRemote, post } from './remote.ts'

export const buy = createTrade('buy', 'CAD', 'it receives the coins')
export const sell = createTrade('sell', 'coins', 'it sends the coins')

function createTrade(side: Side, unit: string, purpose: string): Command {
  return createRemote({
    name: side,
    about: `Lets a user ${side} for an amount of ${unit}: a quote and its transaction in one step.`,
    words: ['EMAIL', 'AMOUNT'],
    options: {
      coin: { value: 'COIN', help: 'the stablecoin with its chain; USDC-ETH by default' },
      wallet: { value: 'ADDRESS', help: `${purpose}; the same one each time by default` },
      settle: { help: 'let the funds arrive and the transaction complete, too' },
    },
    call: ({ words: [user = '', amount = ''], values: { coin, wallet, settle } }) =>
      post(`/simulate/users/${encodeURIComponent(user)}/${side}`, {
        [side === 'buy' ? 'cad' : 'coins']: toAmount(amount, unit),
        coin,
        wallet,
        settle: settle || undefined,
      }),
    format: formatCreated,
  })
}

function toAmount(text: string, unit: string): number {
  if (/^\d{1,15}(\.\d{1,6})?$/.test(text)) return Number(text)
  const message = `AMOUNT must be a number of ${unit} such as 250, not ${text}.`
  throw invalid('AMOUNT', message)
}

function formatCreated({ transaction, deliveries, pending }: TransactionCreated): string {
  const { id, side, status, leftSideLabel, leftSideValue } = transaction
  const { rightSideLabel, rightSideValue, email } = transaction
  const trade = `${leftSideValue} ${leftSideLabel} → ${rightSideValue} ${rightSideLabel}`
  // Nobody who has no webhook yet wants to read so for each event.
  const sent = deliveries.filter(({ outcome }) => outcome !== 'suppressed')
  const happened = { deliveries: sent, deliveryCount: sent.length, pending }
  return withHappened(`${id}: ${side} ${trade}, ${email}, ${status}`, happened)
}
