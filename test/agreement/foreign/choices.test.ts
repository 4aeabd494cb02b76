import { describe, expect, it, onTestFinished } from 'vitest'
import choices from './choices.json' with { type: 'json' }
import { KYB, openForeign, PERSON, WALLET } from './open.ts'

describe('the choices', () => {
  it('are more than sixty, each once, and with a value wherever a setting is named', () => {
    expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length)
    expect(choices.length).toBeGreaterThan(60)
    const halves = choices.filter(
      (row) => 'setting' in row !== 'value' in row || ('setting' in row && 'cannotImitate' in row),
    )
    expect(halves).toEqual([])
  })

  it('are what the provider does, where a status shows it', async () => {
    const { send, logIn, order, quote, user, operate, close } = await openForeign()
    onTestFinished(() => close())
    const token = await logIn()
    const users = (body: unknown, headers = {}) => send('POST', '/v2/users', body, headers)
    const { id } = (await order(token)).body.data
    const cancel = () => send('PUT', `/v2/transactions/${id}/cancel`, undefined, token)
    await cancel()
    const { quoteId } = await quote('CAD', 100, 'USDC')
    const spend = () =>
      send('POST', '/v2/transactions', { quoteId, leftSideValue: 100, wallet: WALLET }, token)
    await spend()
    const late = await quote('CAD', 100, 'USDC')
    await send('POST', '/submitKYB', KYB)
    const other = (await users({ email: 'e@example.com', ...PERSON })).body.data.id
    const probes: Record<string, () => Promise<{ status: number }>> = {
      'key.wrong': () => users({}, { 'x-api-key': 'wrong' }),
      'validation.status': () => users({}),
      'json.malformed': () => users('{'),
      'users.create.status': () => users({ email: 'f@example.com', ...PERSON }),
      'users.duplicate': () => users({ email: 'F@example.com', ...PERSON }),
      'other-user': () => send('PATCH', `/v2/users/${other}`, {}, token),
      'kyc.refused': () => send('PUT', `/v2/users/${other}/kyc`, { share_token: 'x' }),
      'login.unknown': () => send('POST', '/v2/auth/login-codes', { email: 'g@example.com' }),
      'login.unverified': () => send('POST', '/v2/auth/login-codes', { email: 'e@example.com' }),
      'login.wrong': () =>
        send('POST', '/v2/auth/login-codes/verify', { email: user, code: '0000' }),
      'transactions.cancel-refused': cancel,
      'quotes.spent.status': spend,
      'kyb.again': () => send('POST', '/submitKYB', KYB),
      'quotes.expired': async () => {
        await operate('POST', '/clock', { seconds: 600 })
        const body = { quoteId: late.quoteId, leftSideValue: 100, wallet: WALLET }
        return await send('POST', '/v2/transactions', body, token)
      },
    }
    const found: [string, number][] = []
    for (const [choice, probe] of Object.entries(probes))
      found.push([choice, (await probe()).status])
    const listed = Object.keys(probes).map((name) => [
      name,
      choices.find((row) => row.id === name)?.value,
    ])
    expect(found).toEqual(listed)
  })
})
