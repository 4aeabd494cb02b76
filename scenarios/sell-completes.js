// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A sell completes',
  description: 'The user sends coins to the deposit address and receives CAD by e-transfer.',

  async play({ step, expect, control, login, webhooks }) {
    step('Alice sells 100 USDC')
    const alice = await login('alice@example.com')
    const { data: sold } = await alice.sell({ coins: 100 })
    expect(sold, { leftSideLabel: 'USDC-ETH', rightSideLabel: 'CAD', coin: 'USDC' })

    step('She is told where to send the coins, once: reading the transaction does not repeat it')
    expect(sold.depositAddress, /^0x[0-9a-fA-F]{40}$/)
    const read = await alice.get(`/v2/transactions/${sold.id}`)
    expect(read.data, { id: sold.id, depositAddress: undefined })

    step('The coins arrive')
    const arrived = await control.post(`/simulate/transactions/${sold.id}/funds-received`)
    expect(arrived, { to: 'processing request money transfer' })

    step('The e-transfer goes out')
    await control.post(`/simulate/transactions/${sold.id}/settled`)
    const done = await alice.get(`/v2/transactions/${sold.id}`)
    expect(done.data, { status: 'complete' })

    step('You were told the answer to the security question of the e-transfer')
    const told = await webhooks.about(sold.id)
    const inbox = await control.get('/inbox', { email: alice.email, kind: 'payout' })
    const answer = inbox.messages.at(-1)?.code
    expect(told.at(-1)?.body.payload, { status: 'complete', etransferSecurityAnswer: answer })

    step('With autodeposit there is no question, so there is no answer')
    await control.post(`/simulate/users/${alice.email}/account`, { autodeposit: true })
    const { data: next } = await alice.sell({ coins: 100 })
    const [first] = await webhooks.about(next.id)
    expect(first?.body.payload, { etransferSecurityAnswer: null })
  },
}
