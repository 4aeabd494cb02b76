// @ts-check

/**
 * A complete buy, call by call: what your application sends, and the webhooks it receives.
 *
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A buy completes',
  description: 'A quote locks the rate, the user pays by e-transfer, and the coins are sent.',

  async play({ step, expect, api, control, login, webhooks }) {
    step('Alice logs in with the code from her inbox')
    const alice = await login('alice@example.com')

    step('A quote locks the rate')
    const pair = { leftSideLabel: 'CAD', leftSideValue: 1000, rightSideLabel: 'USDC-ETH' }
    const quote = await api.get('/v2/quotes', pair)
    expect(quote.data, { rate: 1.4015, rightSideValue: 708.98, breakdown: { fee: 5, gas: 0.375 } })

    step('The transaction waits for the e-transfer')
    const created = await alice.post('/v2/transactions', {
      ...pair,
      wallet: '0x52908400098527886e0f7030069857d2e4169ee7',
      quoteId: quote.data.quoteId,
      externalSessionId: 'session-1',
    })
    expect(created.data, { status: 'pending request money transfer', rightSideValue: 708.98 })
    const { id, rmtId } = created.data

    step('Her bank asks her to approve the request')
    const { messages } = await control.get('/inbox', { email: alice.email, kind: 'money-request' })
    expect(messages, [{ code: rmtId }])

    step('She approves it')
    await control.post(`/simulate/transactions/${id}/funds-received`)
    const paid = await alice.get(`/v2/transactions/${id}`)
    expect(paid.data, { status: 'processing request money transfer', paymentId: null })

    step('The coins arrive in her wallet')
    await control.post(`/simulate/transactions/${id}/settled`)
    const done = await alice.get(`/v2/transactions/${id}`)
    expect(done.data, { status: 'complete', paymentId: /^0x[0-9a-f]{64}$/ })

    step('You receive one webhook for each status, in order')
    const events = await webhooks.about(id)
    expect(
      events.map(({ body }) => body.payload),
      [
        { status: 'pending request money transfer', externalSessionId: 'session-1' },
        { status: 'processing request money transfer', externalSessionId: 'session-1' },
        { status: 'complete', externalSessionId: 'session-1', paymentId: done.data.paymentId },
      ],
    )
  },
}
