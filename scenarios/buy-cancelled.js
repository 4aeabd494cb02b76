// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A buy is cancelled',
  description: 'The user withdraws before paying; once the money is under way that is refused.',

  async play({ step, expect, control, login, webhooks }) {
    step('Alice orders USDC and changes her mind')
    const alice = await login('alice@example.com')
    const { data: first } = await alice.buy({ cad: 100 })
    const cancelled = await alice.put(`/v2/transactions/${first.id}/cancel`)
    expect(cancelled.data, { id: first.id, status: 'cancelled' })

    step('You were told so')
    const told = await webhooks.about(first.id)
    expect(
      told.map(({ body }) => body.payload.status),
      ['pending request money transfer', 'cancelled'],
    )

    step('It cannot be cancelled twice')
    const again = await alice.put(`/v2/transactions/${first.id}/cancel`)
    expect(again, { status: 400, body: { success: false } })

    step('Once the e-transfer was received, cancelling is refused')
    const { data: second } = await alice.buy({ cad: 100 })
    await control.post(`/simulate/transactions/${second.id}/funds-received`)
    const tooLate = await alice.put(`/v2/transactions/${second.id}/cancel`)
    expect(tooLate, { status: 400, body: { success: false } })

    step('That one completes')
    await control.post(`/simulate/transactions/${second.id}/settled`)
    const done = await alice.get(`/v2/transactions/${second.id}`)
    expect(done.data, { status: 'complete' })
  },
}
