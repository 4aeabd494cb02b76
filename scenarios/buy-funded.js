// @ts-check

/**
 * A buy that is paid and not complete yet: a `pending` that comes late must not overwrite `processing`.
 *
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A buy is paid',
  description: 'The user has paid by e-transfer, and the coins are on their way.',

  async play({ step, expect, api, control, login, webhooks }) {
    step('Alice logs in with the code from her inbox')
    const alice = await login('alice@example.com')

    step('A quote locks the rate')
    const pair = { leftSideLabel: 'CAD', leftSideValue: 1000, rightSideLabel: 'USDC-ETH' }
    const quote = await api.get('/v2/quotes', pair)

    step('The transaction waits for the e-transfer')
    const created = await alice.post('/v2/transactions', {
      ...pair,
      wallet: '0x52908400098527886e0f7030069857d2e4169ee7',
      quoteId: quote.data.quoteId,
      externalSessionId: 'session-1',
    })
    expect(created.data, { status: 'pending request money transfer' })

    step('Her e-transfer arrives')
    await control.post(`/simulate/transactions/${created.data.id}/funds-received`)
    const paid = await alice.get(`/v2/transactions/${created.data.id}`)
    expect(paid.data, { status: 'processing request money transfer', paymentId: null })

    step('You receive two webhooks, in order')
    const events = await webhooks.about(created.data.id)
    expect(
      events.map(({ body }) => body.payload.status),
      ['pending request money transfer', 'processing request money transfer'],
    )
  },
}
