import type { Command, OptionSpecs } from './command.ts'
import { formatMoved } from './control-format.ts'
import { createRemote, post } from './remote.ts'

const PAYMENT_ID = {
  'payment-id': { value: 'HASH', help: 'the hash of its coins on the chain; derived by default' },
} as const

export const fundsReceived = createMove(
  'funds-received',
  'The e-transfer of a buy was approved, or the coins of a sell arrived.',
  PAYMENT_ID,
)
export const settled = createMove(
  'settled',
  'The money is finished: a transaction becomes complete.',
  { through: { help: 'receive the funds first, where that is still to come' }, ...PAYMENT_ID },
)
export const bankRefused = createMove('bank-refused', 'The bank of the user refused to pay a buy.')
export const expired = createMove('expired', 'The window of a pending transaction ran out.')
export const cancelled = createMove('cancelled', 'The user withdrew from a pending transaction.')

/** What moves a transaction and takes little but its id. */
function createMove(name: string, about: string, options: OptionSpecs = {}): Command {
  return createRemote({
    name,
    about,
    words: ['ID'],
    options,
    call: ({ words: [id = ''], values: { through, 'payment-id': paymentId } }) =>
      post(`/simulate/transactions/${encodeURIComponent(id)}/${name}`, {
        through: through || undefined,
        paymentId,
      }),
    format: formatMoved,
  })
}
