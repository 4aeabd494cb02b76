// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'Ten transactions are cancelled or expire',
  description: 'After ten cancelled or expired transactions in 24 hours, no more can be created.',

  async play({ step, expect, control, login }) {
    step('Alice cancels eight transactions and lets two expire')
    const alice = await login('alice@example.com')
    for (let i = 0; i < 8; i++) {
      const { data } = await alice.buy({ cad: 100 })
      expect(await alice.put(`/v2/transactions/${data.id}/cancel`), { status: 200 })
    }
    for (let i = 0; i < 2; i++) {
      const { data } = await alice.buy({ cad: 100 })
      await control.post(`/simulate/transactions/${data.id}/expired`)
    }

    step('The next is refused')
    const tooMany = { status: 400, body: { errors: [{ field: 'transactions' }] } }
    expect(await alice.buy({ cad: 100 }), tooMany)

    step('A second before the 24 hours are over, it is still refused')
    await control.post('/clock/advance', { by: '86399s' })
    const before = await login('alice@example.com')
    expect(await before.buy({ cad: 100 }), tooMany)

    step('A second later, it is accepted')
    await control.post('/clock/advance', { by: '1s' })
    expect(await before.buy({ cad: 100 }), { status: 200 })
  },
}
