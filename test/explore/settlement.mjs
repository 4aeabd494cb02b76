/**
 * A story of one webhook, where each run costs a process.
 *
 * @type {import('../../src/index.ts').Scenario}
 */
export default {
  title: 'An order completes',
  description: 'It was paid before the story begins.',
  fixture: {
    users: [{ email: 'alice@example.com', status: 'verified' }],
    transactions: [
      {
        user: 'alice@example.com',
        leftSideLabel: 'CAD',
        leftSideValue: 1000,
        rightSideLabel: 'USDC-ETH',
        status: 'processing request money transfer',
      },
    ],
  },

  async play({ step, control }) {
    const { items } = await control.get('/transactions')
    step('The coins arrive')
    await control.post(`/simulate/transactions/${items[0].id}/settled`)
  },
}
