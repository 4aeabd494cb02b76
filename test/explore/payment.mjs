/**
 * A story of two webhooks, which takes a third of the time of a whole buy.
 *
 * @type {import('../../src/index.ts').Scenario}
 */
export default {
  title: 'An order is paid and completes',
  description: 'It was made before the story begins.',
  fixture: {
    users: [{ email: 'alice@example.com', status: 'verified' }],
    transactions: [
      {
        user: 'alice@example.com',
        leftSideLabel: 'CAD',
        leftSideValue: 1000,
        rightSideLabel: 'USDC-ETH',
        status: 'pending request money transfer',
      },
    ],
  },

  async play({ step, control }) {
    const { items } = await control.get('/transactions')
    const order = `/simulate/transactions/${items[0].id}`
    step('The money comes')
    await control.post(`${order}/funds-received`)
    step('The coins arrive')
    await control.post(`${order}/settled`)
  },
}
