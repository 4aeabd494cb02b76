// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'Three transactions are active',
  description: 'A fourth is refused until one of them is final or 24 hours old.',

  async play({ step, expect, control, login }) {
    const tooMany = { status: 400, body: { errors: [{ field: 'transactions' }] } }

    step('Alice has three active transactions')
    const alice = await login('alice@example.com')
    const { data: first } = await alice.buy({ cad: 100 })
    const { data: second } = await alice.buy({ cad: 100 })
    const { data: third } = await alice.sell({ coins: 100 })

    step('A fourth is refused, whether it is a buy or a sell')
    expect(await alice.buy({ cad: 100 }), tooMany)
    expect(await alice.sell({ coins: 100 }), tooMany)

    step('A transaction that is being processed still counts')
    await control.post(`/simulate/transactions/${first.id}/funds-received`)
    expect(await alice.buy({ cad: 100 }), tooMany)

    step('A complete transaction does not count')
    await control.post(`/simulate/transactions/${first.id}/settled`)
    expect(await alice.buy({ cad: 100 }), { status: 200 })

    step('Nor does one created a day ago, even if it is still being processed')
    for (const { id } of [second, third]) {
      await control.post(`/simulate/transactions/${id}/funds-received`)
    }
    await control.post('/clock/advance', { by: '24h' })
    const later = await login('alice@example.com')
    for (const cad of [100, 200, 300]) expect(await later.buy({ cad }), { status: 200 })
    expect(await later.buy({ cad: 400 }), tooMany)
  },
}
