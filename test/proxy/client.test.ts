import createClient from 'openapi-fetch'
import { describe, expect, it } from 'vitest'
import { Worlds } from '../../src/host/worlds.ts'
import { NOON } from '../helpers/app.ts'
import { EVM_WALLET, PROFILE } from '../helpers/story.ts'
import type { paths as ContractPaths } from './generated/contract.ts'
import type { paths as ControlPaths } from './generated/control.ts'

describe('a client that openapi-typescript generates', () => {
  it('takes a user from registration to a cancelled buy', async () => {
    const { api, control } = openClients()
    const email = 'alice@example.com'
    const created = await api.POST('/v2/users', { body: { email, ...PROFILE } })
    const id = created.data?.data.id ?? ''
    await control.POST('/_sandbox/simulate/users/{user}/kyc', {
      params: { path: { user: id } },
      body: { status: 'verified' },
    })
    await api.POST('/v2/auth/login-codes', { body: { email } })
    const inbox = await control.GET('/_sandbox/inbox', { params: { query: { email } } })
    const code = inbox.data?.messages.find(({ kind }) => kind === 'login-code')?.code ?? ''
    const login = await api.POST('/v2/auth/login-codes/verify', { body: { email, code } })
    const { accessToken, tokenType, expiresIn } = login.data?.data ?? {}
    expect([tokenType, expiresIn]).toEqual(['Bearer', 3600])

    const pair = { leftSideLabel: 'CAD', leftSideValue: 1000, rightSideLabel: 'USDC-ETH' }
    const quote = await api.GET('/v2/quotes', { params: { query: pair } })
    const quoteId = quote.data?.data.quoteId ?? 0
    const headers = { authorization: `Bearer ${accessToken}` }
    const bought = await api.POST('/v2/transactions', {
      headers,
      body: { ...pair, wallet: EVM_WALLET, quoteId },
    })
    const txId = bought.data?.data.id ?? ''
    const cancelled = await api.PUT('/v2/transactions/{txId}/cancel', {
      headers,
      params: { path: { txId } },
    })
    expect(cancelled.data?.data).toMatchObject({ id: txId, status: 'cancelled' })
    const page = await api.GET('/v2/transactions', { headers, params: { query: { limit: 5 } } })
    expect(page.data?.data).toMatchObject({ items: [{ id: txId }], total: 1, limit: 5 })
  })

  it('knows the type of an error', async () => {
    const { api } = openClients()
    const { error, response } = await api.POST('/v2/users', { body: { email: 'alice' } })
    expect(response.status).toBe(400)
    expect(error?.errors.map(({ field }) => field)).toEqual(['email'])
  })
})

function openClients() {
  const worlds = new Worlds({ clock: NOON })
  const options = {
    baseUrl: 'http://127.0.0.1:4100',
    fetch: async (request: Request) => worlds.fetch(request),
  }
  const headers = { 'x-api-key': 'sandbox-key' }
  return {
    api: createClient<ContractPaths>({ ...options, headers }),
    control: createClient<ControlPaths>(options),
  }
}
