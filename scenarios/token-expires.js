// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'An access token expires',
  description: 'After an hour a call gets 401, and the user needs a new login code.',

  async play({ step, expect, control, login }) {
    step('Alice logs in')
    const alice = await login('alice@example.com')
    expect(await alice.get('/v2/limits'), { status: 200 })

    step('A second before the hour is over, her token works')
    await control.post('/clock/advance', { by: '3599s' })
    expect(await alice.get('/v2/limits'), { status: 200 })

    step('A second later, it is refused')
    await control.post('/clock/advance', { by: '1s' })
    const refused = await alice.get('/v2/limits')
    expect(refused, { status: 401, body: { errors: [{ field: 'authorization' }] } })

    step('After another login she can call again')
    const again = await login('alice@example.com')
    expect(await again.get('/v2/limits'), { status: 200 })
  },
}
