import type { Command } from './command.ts'
import { formatMoved } from './control-format.ts'
import { createRemote, post } from './remote.ts'

/** What moves a transaction and takes little but its id. */
export const moves = {
  'funds-received': createRemote({
    name: 'funds-received',
    about: 'The e-transfer of a buy was approved, or the coins of a sell arrived.',
    words: ['ID'],
    options: {
      'payment-id': { value: 'HASH', help: 'the hash of the coins of a sell; derived by default' },
    },
    call: ({ words: [id = ''], values }) =>
      post(`${toTransaction(id)}/funds-received`, {
        ...(values['payment-id'] && { paymentId: values['payment-id'] }),
      }),
    format: formatMoved,
  }),
  'bank-refused': createMove('bank-refused', 'The bank of the user refused to pay a buy.'),
  expired: createMove('expired', 'The window of a pending transaction ran out.'),
  cancelled: createMove('cancelled', 'The user withdrew from a pending transaction.'),
}

function createMove(name: string, about: string): Command {
  return createRemote({
    name,
    about,
    words: ['ID'],
    call: ({ words: [id = ''] }) => post(`${toTransaction(id)}/${name}`),
    format: formatMoved,
  })
}

export const toTransaction = (id: string) => `/simulate/transactions/${encodeURIComponent(id)}`
