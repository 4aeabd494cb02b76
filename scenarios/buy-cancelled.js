// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A buy is cancelled',
  description: 'A user can cancel before paying, but not once the payment has been received.',

  async play({ step, expect, control, login, webhooks }) {
    step('Alice starts a buy and changes her mind')
    const alice = await login('alice@example.com')
    const { data: first } = await alice.buy({ cad: 100 })
    const cancelled = await alice.put(`/v2/transactions/${first.id}/cancel`)
    expect(cancelled.data, { id: first.id, status: 'cancelled' })

    step('You receive a webhook about it')
    const events = await webhooks.about(first.id)
    expect(
      events.map(({ body }) => body.payload.status),
      ['pending request money transfer', 'cancelled'],
    )

    step('It cannot be cancelled twice')
    const again = await alice.put(`/v2/transactions/${first.id}/cancel`)
    expect(again, { status: 400, body: { success: false } })

    step('Once the e-transfer has been received, it cannot be cancelled')
    const { data: second } = await alice.buy({ cad: 100 })
    await control.post(`/simulate/transactions/${second.id}/funds-received`)
    const tooLate = await alice.put(`/v2/transactions/${second.id}/cancel`)
    expect(tooLate, { status: 400, body: { success: false } })

    step('That transaction completes')
    await control.post(`/simulate/transactions/${second.id}/settled`)
    const done = await alice.get(`/v2/transactions/${second.id}`)
    expect(done.data, { status: 'complete' })
  },
}
