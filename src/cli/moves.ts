import type { Command, OptionSpecs } from './command.ts'
import { formatMoved } from './control-format.ts'
import { createRemote, post } from './remote.ts'

const PAYMENT_ID = { value: 'HASH', help: 'the hash of its coins on the chain; derived by default' }
const THROUGH = { help: 'receive the funds first, where that is still to come' }

/** What moves a transaction and takes little but its id. */
export const moves = {
  'funds-received': createMove(
    'funds-received',
    'The e-transfer of a buy was approved, or the coins of a sell arrived.',
    { 'payment-id': PAYMENT_ID },
  ),
  settled: createMove('settled', 'The money is finished: a transaction becomes complete.', {
    through: THROUGH,
    'payment-id': PAYMENT_ID,
  }),
  'bank-refused': createMove('bank-refused', 'The bank of the user refused to pay a buy.'),
  expired: createMove('expired', 'The window of a pending transaction ran out.'),
  cancelled: createMove('cancelled', 'The user withdrew from a pending transaction.'),
}

function createMove(name: string, about: string, options: OptionSpecs = {}): Command {
  return createRemote({
    name,
    about,
    words: ['ID'],
    options,
    call: ({ words: [id = ''], values: { through, 'payment-id': paymentId } }) =>
      post(`/simulate/transactions/${encodeURIComponent(id)}/${name}`, {
        ...(through && { through }),
        ...(paymentId && { paymentId }),
      }),
    format: formatMoved,
  })
}
