// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'v1 and v2 run side by side',
  description:
    'A transaction is created with v1 and read with v2. Both versions send webhooks about it, ' +
    'signed with the same secret.',

  async play({ step, expect, api, control, login, webhooks }) {
    step('You switch the legacy webhooks on')
    const url = webhooks.url
    const legacy = {
      transactionInitiatedEnabled: true,
      transactionInitiatedUrl: url,
      transactionStatusUpdateEnabled: true,
      transactionStatusUpdateUrl: url,
      transactionCompleteEnabled: true,
      transactionCompleteUrl: url,
    }
    expect(await api.patch('/webhooks', legacy), { status: 200, body: legacy })

    step('You get a quote from v1')
    const pair = { leftSideLabel: 'CAD', leftSideValue: 1000, rightSideLabel: 'USDC-ETH' }
    const quote = await api.get('/priceQuote', pair)
    expect(quote.body, { cadusd: 1.4015, rightSideValue: '708.98', fee: 5, ethGasFee: 0.375 })

    step('A v2 access token creates a v1 transaction')
    const alice = await login('alice@example.com')
    const { quoteId, gasId } = quote.body
    const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
    const created = await alice.post('/transaction', { ...pair, wallet, quoteId, gasId })
    expect(created, { status: 200, body: { status: 'success' } })
    const id = created.body.tx

    step('Both versions show the same transaction')
    const inV1 = await alice.get('/transaction', { tx_id: id })
    expect(inV1.body, { tx_id: id, status: 'pending request money transfer', fee: '5.00' })
    const inV2 = await alice.get(`/v2/transactions/${id}`)
    expect(inV2.data, { id, status: inV1.body.status, rmtId: created.body.rmt })

    step('Both versions send webhooks for each change')
    await control.post(`/simulate/transactions/${id}/settled`, { through: true })
    const events = await webhooks.about(id)
    expect(
      events.map(({ generation, hook, body }) => [generation, hook, (body.payload ?? body).status]),
      [
        ['v2', null, 'pending request money transfer'],
        ['v1', 'transactionInitiated', 'pending request money transfer'],
        ['v2', null, 'processing request money transfer'],
        ['v1', 'transactionStatusUpdate', 'processing request money transfer'],
        ['v2', null, 'complete'],
        ['v1', 'transactionComplete', 'complete'],
        ['v1', 'transactionStatusUpdate', 'complete'],
      ],
    )

    step('Legacy webhooks stop once you switch them off')
    const off = {
      transactionInitiatedEnabled: false,
      transactionStatusUpdateEnabled: false,
      transactionCompleteEnabled: false,
    }
    await api.patch('/webhooks', off)
    const { data: next } = await alice.buy({ cad: 100 })
    const sent = (await webhooks.about(next.id)).filter(({ outcome }) => outcome !== 'suppressed')
    expect(sent, [{ generation: 'v2' }])
  },
}
