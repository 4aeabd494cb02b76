import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { validKyb } from '../../helpers/kyb.ts'
import { createForeignProvider } from './provider.mjs'

// biome-ignore lint/suspicious/noExplicitAny: a body is judged field by field
export type Body = any
type Options = Parameters<typeof createForeignProvider>[0]

export const WALLET = `0x${'ab'.repeat(20)}`
export const PERSON = { firstName: 'Ann', lastName: 'Roy', dob: '1990-01-31' }
export const PENDING = 'pending request money transfer'

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

/** A receiver that keeps what it gets and says whether each signature is right. */
export async function openReceiver() {
  const received: { body: Body; signed: (secret: string) => boolean }[] = []
  const server = createServer(async (request, response) => {
    let raw = ''
    for await (const chunk of request) raw += chunk
    const timestamp = request.headers['x-harbour-timestamp']
    const signature = request.headers['x-harbour-signature']
    const signed = (secret: string) =>
      signature ===
        `v1=${createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex')}` &&
      Math.abs(Number(timestamp) - Date.now() / 1000) < 300
    received.push({ body: JSON.parse(raw), signed })
    response.writeHead(202).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, received, close }
}
