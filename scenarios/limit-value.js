// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A transaction is too small or too large',
  description:
    'A transaction may be worth 10 to 9999 CAD, and an account can have a lower maximum.',

  async play({ step, expect, control, login }) {
    const refused = { status: 400, body: { errors: [{ field: 'leftSideValue' }] } }
    const alice = await login('alice@example.com')

    step('10 CAD is enough, a cent less is not')
    expect(await alice.buy({ cad: 9.99 }), refused)
    expect(await alice.buy({ cad: 10 }), { status: 200 })

    step('9999 CAD is allowed, a cent more is not')
    expect(await alice.buy({ cad: 9999.01 }), refused)
    expect(await alice.buy({ cad: 9999 }), { status: 200 })

    step('A sell is limited by the CAD value of its coins')
    expect(await alice.sell({ coins: 7134.5 }), refused)
    expect(await alice.sell({ coins: 7134.49 }), { status: 200 })

    step('An account with a lower maximum shows it in its limits')
    await control.post(`/simulate/users/${alice.email}/account`, { maximumCad: 500 })
    const limits = await alice.get('/v2/limits')
    expect(limits.data.leftSideCurrency.CAD, { minimum: 100, maximum: 500 })
    expect(await alice.buy({ cad: 500.01 }), refused)
  },
}
