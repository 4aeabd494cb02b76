// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A quote expires',
  description: 'A quote keeps its rate until it expires, even if the market rate changes.',

  async play({ step, expect, api, control, login }) {
    const pair = { leftSideLabel: 'CAD', leftSideValue: 1000, rightSideLabel: 'USDC-ETH' }
    const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'

    step('Alice asks for a quote')
    const alice = await login('alice@example.com')
    const { data: quote } = await api.get('/v2/quotes', pair)
    expect(quote, { rate: 1.4015, expiresAt: '2026-07-01T12:30:00.000Z' })
    const order = { ...pair, wallet, quoteId: quote.quoteId }

    step('The market rate rises, but hers is locked')
    await control.put('/rates', { USDC: { cad: 1.5 } })
    await control.post('/clock/advance', { to: '2026-07-01T12:29:59.999Z' })
    const locked = await alice.post('/v2/transactions', order)
    expect(locked.data, { rightSideValue: 708.98 })

    step('Once the quote has expired, it is refused')
    await control.post('/clock/advance', { to: quote.expiresAt })
    const refused = await alice.post('/v2/transactions', order)
    expect(refused, { status: 400, body: { errors: [{ field: 'quoteId' }] } })

    step('A new quote has the new rate')
    const { data: fresh } = await api.get('/v2/quotes', pair)
    expect(fresh, { rate: 1.5, rightSideValue: 662.42 })
    const created = await alice.post('/v2/transactions', { ...order, quoteId: fresh.quoteId })
    expect(created.data, { rightSideValue: fresh.rightSideValue })
  },
}
