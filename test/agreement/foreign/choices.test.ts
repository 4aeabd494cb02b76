import { describe, expect, it, onTestFinished } from 'vitest'
import type { Json } from '../../../src/client/http.ts'
import choices from './choices.json' with { type: 'json' }
import { createForeignProvider } from './provider.mjs'

const WALLET = `0x${'ab'.repeat(20)}`
const PERSON = { firstName: 'Ann', lastName: 'Roy', dob: '1990-01-31' }

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
    const provider = await createForeignProvider({ latencyMs: [0, 0], failEvery: 0 })
    onTestFinished(() => provider.close())
    const { url, operatorUrl, apiKey, user: email } = provider

    async function send(method: string, path: string, body?: unknown, more: object = {}) {
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', ...more }
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const response = await fetch(url + path, { method, headers, ...(body ? { body: text } : {}) })
      const { data }: Json = await response.json()
      return { status: response.status, data }
    }
    const post = (path: string, body: unknown, more = {}) => send('POST', path, body, more)
    await post('/v2/auth/login-codes', { email })
    const { messages }: Json = await (await fetch(`${operatorUrl}/mailbox?to=${email}`)).json()
    const login = { email, code: messages[0].code }
    const { accessToken } = (await post('/v2/auth/login-codes/verify', login)).data
    const token = { authorization: `Bearer ${accessToken}` }
    const quote = async () => {
      const query = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC'
      return (await send('GET', `/v2/quotes?${query}`)).data.quoteId
    }
    const order = (quoteId: number) =>
      post('/v2/transactions', { quoteId, leftSideValue: 100, wallet: WALLET }, token)
    const users = (body: unknown, headers = {}) => post('/v2/users', body, headers)
    const cancel = (id: string) => send('PUT', `/v2/transactions/${id}/cancel`, undefined, token)
    const spent = await quote()
    const { id } = (await order(spent)).data
    await cancel(id)
    const late = await quote()
    const other = (await users({ email: 'e@example.com', ...PERSON })).data.id
    const wrong = { email, code: '0000' }
    const probes: Record<string, () => Promise<{ status: number }>> = {
      'key.wrong': () => users({}, { 'x-api-key': 'wrong' }),
      'validation.status': () => users({}),
      'json.malformed': () => users('{'),
      'users.create.status': () => users({ email: 'f@example.com', ...PERSON }),
      'users.duplicate': () => users({ email: 'F@example.com', ...PERSON }),
      'other-user': () => send('PATCH', `/v2/users/${other}`, {}, token),
      'kyc.refused': () => send('PUT', `/v2/users/${other}/kyc`, { share_token: 'x' }),
      'login.unknown': () => post('/v2/auth/login-codes', { email: 'g@example.com' }),
      'login.unverified': () => post('/v2/auth/login-codes', { email: 'e@example.com' }),
      'login.wrong': () => post('/v2/auth/login-codes/verify', wrong),
      'transactions.cancel-refused': () => cancel(id),
      'quotes.spent.status': () => order(spent),
      'quotes.expired': async () => {
        const clock = { method: 'POST', body: '{"seconds":600}' }
        await fetch(`${operatorUrl}/clock`, clock)
        return await order(late)
      },
    }
    const found: [string, number][] = []
    for (const [choice, probe] of Object.entries(probes)) {
      found.push([choice, (await probe()).status])
    }
    const listed = found.map(([name]) => [name, choices.find(({ id }) => id === name)?.value])
    expect(found).toEqual(listed)
  })
})
