// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A transaction is too small, or too large',
  description: 'What one transaction may be worth: 10 to 9999 CAD, less where an account says so.',

  async play({ step, expect, control, login }) {
    const tooMuch = { status: 400, body: { errors: [{ field: 'leftSideValue' }] } }
    const alice = await login('alice@example.com')

    step('10 CAD are enough, a cent less is not')
    expect(await alice.buy({ cad: 9.99 }), tooMuch)
    expect(await alice.buy({ cad: 10 }), { status: 200 })

    step('9999 CAD are allowed, a cent more is not')
    expect(await alice.buy({ cad: 9999.01 }), tooMuch)
    expect(await alice.buy({ cad: 9999 }), { status: 200 })

    step('A sell is judged by what the coins are worth')
    expect(await alice.sell({ coins: 7134.5 }), tooMuch)
    expect(await alice.sell({ coins: 7134.49 }), { status: 200 })

    step('The limits of another account are lower, and can be read')
    await control.post(`/simulate/users/${alice.email}/account`, { maximumCad: 500 })
    const limits = await alice.get('/v2/limits')
    expect(limits.data.leftSideCurrency.CAD, { minimum: 100, maximum: 500 })
    expect(await alice.buy({ cad: 500.01 }), tooMuch)
  },
}
