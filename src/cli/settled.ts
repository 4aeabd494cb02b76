import { formatMoved } from './control-format.ts'
import { toTransaction } from './moves.ts'
import { createRemote, post } from './remote.ts'

export const settled = createRemote({
  name: 'settled',
  about: 'The money is finished: a transaction becomes complete.',
  words: ['ID'],
  options: {
    through: { help: 'receive the funds first, where that is still to come' },
    'payment-id': { value: 'HASH', help: 'the hash on the chain; derived by default' },
  },
  call: ({ words: [id = ''], values }) =>
    post(`${toTransaction(id)}/settled`, {
      ...(values.through && { through: true }),
      ...(values['payment-id'] && { paymentId: values['payment-id'] }),
    }),
  format: formatMoved,
})
