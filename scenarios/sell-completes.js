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
    const { data: sell } = await alice.sell({ coins: 100 })
    expect(sell, { leftSideLabel: 'USDC-ETH', rightSideLabel: 'CAD', coin: 'USDC' })

    step('Only the response that creates the sell has the deposit address')
    expect(sell.depositAddress, /^0x[0-9a-fA-F]{40}$/)
    const read = await alice.get(`/v2/transactions/${sell.id}`)
    expect(read.data, { id: sell.id, depositAddress: undefined })

    step('The coins arrive')
    const arrived = await control.post(`/simulate/transactions/${sell.id}/funds-received`)
    expect(arrived, { to: 'processing request money transfer' })

    step('The e-transfer is sent')
    await control.post(`/simulate/transactions/${sell.id}/settled`)
    const done = await alice.get(`/v2/transactions/${sell.id}`)
    expect(done.data, { status: 'complete' })

    step('The webhook has the answer to the security question of the e-transfer')
    const events = await webhooks.about(sell.id)
    const inbox = await control.get('/inbox', { email: alice.email, kind: 'payout' })
    const answer = inbox.messages.at(-1)?.code
    expect(events.at(-1)?.body.payload, { status: 'complete', etransferSecurityAnswer: answer })

    step('With autodeposit there is no question, so there is no answer')
    await control.post(`/simulate/users/${alice.email}/account`, { autodeposit: true })
    const { data: next } = await alice.sell({ coins: 100 })
    const [first] = await webhooks.about(next.id)
    expect(first?.body.payload, { etransferSecurityAnswer: null })
  },
}
