import { validKyb } from '../../helpers/kyb.ts'
import { createForeignProvider } from './provider.mjs'

// biome-ignore lint/suspicious/noExplicitAny: a body is judged field by field
type Body = any
type Options = Parameters<typeof createForeignProvider>[0]

export const WALLET = `0x${'ab'.repeat(20)}`
export const PERSON = { firstName: 'Ann', lastName: 'Roy', dob: '1990-01-31' }

const owners = { quarterOwners: 'Ann Roy', quarterOwnersDOB: PERSON.dob }
const owner = { quarterOwnersEmail: 'ann@example.com', quarterOwnersOccupation: 'Director' }
export const KYB = { ...validKyb(), list_of_quarter_owners: { ...owners, ...owner } }

/** The provider without its latency and failures, with what a test says to it. */
export async function openForeign(options: Options = {}) {
  const calm = { latencyMs: [0, 0], failEvery: 0, allowHttpWebhooks: true }
  const provider = await createForeignProvider({ ...calm, ...options })

  const text = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

  async function send(method: string, path: string, body?: unknown, more: object = {}) {
    const headers = { 'x-api-key': provider.apiKey, 'content-type': 'application/json', ...more }
    const init = { method, headers, ...(body !== undefined && { body: text(body) }) }
    const response = await fetch(provider.url + path, init)
    const content = await response.text()
    const json = response.headers.get('content-type') === 'application/json'
    return {
      status: response.status,
      body: (json ? JSON.parse(content) : content) as Body,
      response,
    }
  }

  async function operate(method: string, path: string, body?: object): Promise<Body> {
    const init = { method, ...(body && { body: JSON.stringify(body) }) }
    return await (await fetch(provider.operatorUrl + path, init)).json()
  }

  const codesOf = async (email: string) =>
    (await (await fetch(`${provider.operatorUrl}/mailbox/codes?to=${email}`)).text()).split('\n')

  async function logIn(email = provider.user) {
    await send('POST', '/v2/auth/login-codes', { email })
    const [code] = await codesOf(email)
    const { body } = await send('POST', '/v2/auth/login-codes/verify', { email, code })
    return { authorization: `Bearer ${body.data.accessToken}` }
  }

  async function quote(leftSideLabel: string, leftSideValue: number, rightSideLabel: string) {
    const query = new URLSearchParams({ leftSideLabel, rightSideLabel })
    const { body } = await send('GET', `/v2/quotes?${query}&leftSideValue=${leftSideValue}`)
    return body.data
  }

  async function order(token: object, left = 'CAD', value = 100, right = 'USDC-ETH') {
    const { quoteId } = await quote(left, value, right)
    const sides = { leftSideLabel: left, leftSideValue: value, rightSideLabel: right }
    const body = { ...sides, wallet: WALLET, quoteId, externalSessionId: 'session-1' }
    return await send('POST', '/v2/transactions', body, token)
  }

  return { ...provider, send, operate, codesOf, logIn, quote, order }
}
