import type { Level } from '../../src/agreement/calibrate/probe.ts'
import type { Sandbox } from '../../src/client/client.ts'
import { EVM_WALLET, PROFILE, SOLANA_WALLET } from '../helpers/story.ts'
import { KEY, SECOND_KEY, USER } from './second-sandbox.ts'

interface Sent {
  token?: string | undefined
  key?: string | null
  body?: object
}

/** The answers of one sandbox, as texts, and what later calls need of them. */
export interface Listener {
  readonly answers: string[]
  send(route: string, sent?: Sent): Promise<{ status: number; data: Record<string, unknown> }>
}

/** Writes down every answer; tokens carry a signature of their own process. */
export function listenTo(sandbox: Sandbox): Listener {
  const answers: string[] = []
  return {
    answers,
    async send(route, { token, key = KEY, body } = {}) {
      const [method = '', path = ''] = route.split(' ')
      const answer = await sandbox.fetch(path, {
        method,
        headers: {
          ...(key !== null && { 'x-api-key': key }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      const known = text.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'token')
      // The contract lets the words of an error change, and they name settings that nothing else shows.
      const shown = answer.ok ? known : known.replace(/"message":"[^"]*"/g, '"message"')
      answers.push(`${route} ${JSON.stringify(body)}: ${answer.status} ${shown}`)
      const json = text === '' ? {} : JSON.parse(text)
      return { status: answer.status, data: json.data ?? json }
    },
  }
}

type Story = (listener: Listener, sandbox: Sandbox) => Promise<void>

/** Calls of each level, with other values than the probes use. */
export const STORIES: Record<Level, readonly Story[]> = {
  read: [readStory],
  write: [readStory, writeStory],
  money: [readStory, writeStory, moneyStory],
}

async function readStory({ send }: Listener, sandbox: Sandbox) {
  const token = await logIn(sandbox)
  for (const label of ['USDC', 'CADC', 'USDC-ETH', 'USDC-ARB', 'USDC-SOL', 'CADC-POLY', 'BTC']) {
    for (const amount of ['250.5', '77.777', '9999']) {
      await send(`GET /v2/quotes?leftSideLabel=CAD&leftSideValue=${amount}&rightSideLabel=${label}`)
      await send(`GET /v2/quotes?leftSideLabel=${label}&leftSideValue=${amount}&rightSideLabel=CAD`)
    }
  }
  await send('GET /v2/quotes?leftSideLabel=CAD&leftSideValue=-1&rightSideLabel=USDC')
  for (const email of [USER, 'nobody@example.com', 'x']) {
    await send(`GET /v2/users?email=${email}`)
    await send(`GET /apiFindUser?email=${email}`)
  }
  await send('GET /v2/users')
  const { data } = await send(`GET /v2/users?email=${USER}`)
  const [user] = data as unknown as { id: string }[]
  for (const who of [{}, { token }, { key: null }, { key: 'unknown' }]) {
    await send('GET /v2/limits', who)
    await send(`GET /v2/users/${user?.id}/requirements`, who)
    await send('GET /v2/webhook-configurations', who)
    await send('GET /priceQuote?leftSideLabel=CAD&leftSideValue=50&rightSideLabel=USDC', who)
    await send('GET /webhooks', who)
    for (const query of ['', '?limit=7', '?limit=0', '?limit=60', '?limit=9000', '?offset=0.5']) {
      await send(`GET /v2/transactions${query}`, who)
    }
  }
}

async function writeStory({ send }: Listener, sandbox: Sandbox) {
  const token = await logIn(sandbox)
  const create = (email: string, more: object = {}) =>
    send('POST /v2/users', { body: { email, ...more } })
  await create('one@example.com')
  const { data: two } = await create('two@example.com', PROFILE)
  for (const email of ['two@example.com', 'TWO@example.com', 'bad']) await create(email, PROFILE)
  await create('three@example.com', { ...PROFILE, phone: '12' })
  await create('four@example.com', { ...PROFILE, surprise: 1, dob: '1980-01-01' })
  for (const year of [2016, 2012, 2009, 2007, 2003, 1990, 1967, 1963, 1959, 1950]) {
    const { data } = await create(`born-${year}@example.com`, { ...PROFILE, dob: `${year}-09-02` })
    await send(`GET /v2/users/${data.id}/requirements`)
  }
  const user = `/v2/users/${two.id}`
  await send('GET /v2/users?email=two@example.com')
  await send('GET /v2/users?email=two@example.com', { key: SECOND_KEY })
  await send(`PATCH ${user}`, { body: { city: 'Oka', occupation: 'Baker' } })
  await send(`PATCH ${user}`, { body: { province: 'X' } })
  await send(`GET ${user}/kyc-url`)
  await send(`GET ${user}/requirements`, { token })
  for (const body of [{}, { shareToken: 'x' }, { share_token: 'x' }]) {
    await send(`PUT ${user}/kyc`, { body })
  }
  for (const email of ['two@example.com', 'nobody@example.com', USER]) {
    await send('POST /v2/auth/login-codes', { body: { email } })
    await send('POST /v2/auth/login-codes/verify', { body: { email, code: '0000' } })
  }
  for (const url of ['http://127.0.0.1:9/x', 'https://example.com/x', 'ftp://example.com']) {
    await send('PUT /v2/webhook-configurations', { body: { url } })
    await send('GET /v2/webhook-configurations')
  }
  await send('DELETE /v2/webhook-configurations')
  await send('DELETE /v2/webhook-configurations')
  await send('GET /v2/webhook-configurations')
  await send('PATCH /webhooks', { body: { transactionInitiatedEnabled: true } })
}

async function moneyStory({ send }: Listener, sandbox: Sandbox) {
  const token = await logIn(sandbox)
  const quote = async (label: string, amount: number) => {
    const query = `leftSideLabel=CAD&leftSideValue=${amount}&rightSideLabel=${label}`
    return (await send(`GET /v2/quotes?${query}`)).data.quoteId
  }
  const order = async (label: string, quoteId: unknown, more: object) => {
    const sides = { leftSideLabel: 'CAD', rightSideLabel: label }
    const body = { ...sides, leftSideValue: 120, wallet: EVM_WALLET, quoteId, ...more }
    const { data } = await send('POST /v2/transactions', { token, body })
    await send(`GET /v2/transactions/${data.id}`, { token })
    await send(`PUT /v2/transactions/${data.id}/cancel`, { token })
    await send(`PUT /v2/transactions/${data.id}/cancel`, { token })
  }
  for (const label of ['USDC', 'USDC-ETH', 'CADC']) {
    const quoteId = await quote(label, 120)
    await order(label, quoteId, { externalSessionId: 's-1' })
    await order(label, quoteId, { externalSessionId: 's-2' })
    await order(label, await quote(label, 120), {})
    for (const length of [70, 300, 2000]) {
      const externalSessionId = 'y'.repeat(length)
      await order(label, quoteId, { leftSideValue: 1, externalSessionId })
    }
  }
  const id = await quote('USDC-ETH', 130)
  await order('USDC-ETH', id, { externalSessionId: 's', wallet: SOLANA_WALLET })
  for (const leftSideValue of [4.99, 5, 9.99, 10, 19.99, 20, 1e6]) {
    const quoteId = await quote('USDC-ETH', leftSideValue)
    await order('USDC-ETH', quoteId, { externalSessionId: 's', leftSideValue })
  }
  await send('GET /v2/transactions', { token })
}

async function logIn(sandbox: Sandbox): Promise<string> {
  const { send } = listenTo(sandbox)
  await send('POST /v2/auth/login-codes', { body: { email: USER } })
  const code = await sandbox.inbox.loginCode(USER)
  const { data } = await send('POST /v2/auth/login-codes/verify', { body: { email: USER, code } })
  return String(data.accessToken)
}
