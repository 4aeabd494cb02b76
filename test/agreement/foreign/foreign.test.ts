import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Body, KYB, openForeign, openReceiver, PENDING, PERSON, WALLET } from './open.ts'

const REST = {
  ...{ addressLine1: '1 Pier', city: 'Halifax', province: 'NS', postalCode: 'B3H 1A1' },
  ...{ occupation: 'Diver', phone: '9025550101' },
}
const text = expect.any(String)
const instant = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)
const uuid = expect.stringMatching(
  /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
)
const transactionOf = (more: object) => ({
  ...{ id: uuid, date: instant, coin: 'USDC', status: PENDING, wallet: WALLET, paymentId: null },
  ...{ leftSideValue: expect.any(Number), rightSideValue: expect.any(Number) },
  ...{ paymentType: text, rmtId: text, ...more },
})

async function open(options: Parameters<typeof openForeign>[0] = {}) {
  const provider = await openForeign(options)
  onTestFinished(() => provider.close())
  return provider
}

async function receive() {
  const receiver = await openReceiver()
  onTestFinished(receiver.close)
  return receiver
}

const HOUR = 3_600

describe('the foreign provider as a service', () => {
  it('has latency and one failure in 200 requests, both by its seed', async () => {
    const statuses = async (seed: string) => {
      const { send } = await open({ seed, failEvery: 20 })
      const calls = Array.from(
        { length: 60 },
        async () => (await send('GET', '/v2/users?email=a')).status,
      )
      return (await Promise.all(calls)).filter((status) => status === 500).length
    }
    expect([await statuses('a'), await statuses('b')]).toEqual([3, 3])
    const slow = await open({ latencyMs: [30, 40] })
    const before = performance.now()
    await slow.send('GET', '/v2/users?email=a')
    expect(performance.now() - before).toBeGreaterThan(29)
  })

  it('zips, sets cookies, and writes its headers in lower case', async () => {
    const { url, apiKey } = await open()
    const names = await new Promise<string[]>((resolve, reject) => {
      const headers = { 'x-api-key': apiKey, 'accept-encoding': 'gzip' }
      request(`${url}/v2/users?email=a`, { headers }, (response) => {
        response.resume()
        resolve(response.rawHeaders.filter((_, index) => index % 2 === 0))
      })
        .on('error', reject)
        .end()
    })
    expect(names).toEqual(expect.arrayContaining(['content-encoding', 'set-cookie', 'date']))
    expect(names.filter((name) => /^content|^x-|^date/i.test(name))).toSatisfy((all: string[]) =>
      all.every((name) => name === name.toLowerCase()),
    )
  })

  it('has HTML for an unknown path, and an envelope with additional fields for the rest', async () => {
    const { send } = await open()
    const unknown = await send('GET', '/v2/nothing')
    expect([unknown.status, unknown.body]).toEqual([
      404,
      expect.stringContaining('<!doctype html>'),
    ])
    const { body } = await send('POST', '/v2/users', { email: 'a@b.example' })
    const errors = ['firstName', 'lastName', 'dob'].map((field) => ({
      field,
      message: text,
      code: text,
    }))
    expect(body).toEqual({ success: false, errors, requestId: text })
  })

  it('ends a minute of too many requests with Retry-After', async () => {
    const { send } = await open({ terms: { requestsPerMinuteMax: 0 } })
    const { status, response } = await send('GET', '/v2/users?email=a')
    expect([status, Number(response.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
  })
})

describe('the foreign provider, of users', () => {
  it('onboards: creation, import, login, PATCH, requirements', async () => {
    const { send, operate, logIn } = await open()
    const email = 'ann@example.com'
    const created = await send('POST', '/v2/users', { email, ...PERSON })
    const { id } = created.body.data
    expect(created.body).toMatchObject({ success: true, data: { id: uuid } })
    expect((await send('GET', `/v2/users?email=${email}`)).body.data).toMatchObject([{ id }])
    const { shareToken } = await operate('POST', '/share-tokens', { email })
    const imported = await send('PUT', `/v2/users/${id}/kyc`, { share_token: shareToken })
    expect(imported.body.data).toMatchObject({ id, accessibleBy: ['jwt'], status: 'verified' })
    const token = await logIn(email)
    const early = await send(
      'POST',
      '/v2/transactions',
      { quoteId: 1, wallet: WALLET, leftSideValue: 5 },
      token,
    )
    expect([early.status, early.body.errors[0].field]).toEqual([403, 'requirements'])
    const patched = await send('PATCH', `/v2/users/${id}`, { ...REST, phone: undefined }, token)
    expect(patched.body.data).toMatchObject({ id, accessibleBy: ['jwt'], status: 'verified' })
    const { body } = await send('GET', `/v2/users/${id}/requirements`)
    expect(body.data).toEqual({ pending: [{ name: 'phone', kind: 'profile' }], count: 1 })
    const link = await send('GET', `/v2/users/${id}/kyc-url`, undefined, token)
    expect(link.body.data).toMatchObject({ url: text, expiresAt: instant })
    expect((await fetch(link.body.data.url)).status).toBe(200)
  })

  it('asks PATCH and the KYC link for a token, and shows no other user', async () => {
    const { send, logIn } = await open()
    const other = await send('POST', '/v2/users', { email: 'b@example.com', ...PERSON })
    const path = `/v2/users/${other.body.data.id}`
    const token = await logIn()
    const calls = [send('PATCH', path, {}), send('GET', `${path}/kyc-url`)]
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([401, 401])
    expect((await send('PATCH', path, {}, token)).status).toBe(404)
  })

  it('sends a code of four digits to verified users only, and hides the others', async () => {
    const { send, codesOf, user } = await open()
    await send('POST', '/v2/users', { email: 'c@example.com', ...PERSON })
    const emails = ['c@example.com', 'nobody@example.com', user]
    const calls = emails.map((email) => send('POST', '/v2/auth/login-codes', { email }))
    const [unverified, unknown, known] = (await Promise.all(calls)).map(({ status, body }) => [
      status,
      body.data,
    ])
    expect([unverified, unknown]).toEqual([known, known])
    expect(await codesOf('c@example.com')).toEqual([''])
    expect(await codesOf(user)).toEqual([expect.stringMatching(/^\d{4}$/), ''])
  })

  it('gives a token of an hour for a code of five minutes, which serves once', async () => {
    const { send, operate, codesOf, logIn, user: email } = await open()
    await send('POST', '/v2/auth/login-codes', { email })
    const [code = ''] = await codesOf(email)
    const verify = async () => await send('POST', '/v2/auth/login-codes/verify', { email, code })
    const result = (await verify()).body.data
    expect(result).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600 })
    expect(result.accessToken.split('.')).toHaveLength(3)
    expect((await verify()).status).toBe(400)
    const token = { authorization: `Bearer ${result.accessToken}` }
    await operate('POST', '/clock', { seconds: HOUR - 5 })
    expect((await send('GET', '/v2/limits', undefined, token)).status).toBe(200)
    await operate('POST', '/clock', { seconds: 6 })
    expect((await send('GET', '/v2/limits', undefined, token)).status).toBe(401)
    expect((await send('GET', '/v2/limits', undefined, await logIn())).status).toBe(200)
  })

  it('has the newest code first in the mailbox, or only the newest', async () => {
    for (const [mailbox, count] of [
      ['newest-first', 2],
      ['newest-only', 1],
    ] as const) {
      const { send, operate, user: email } = await open({ mailbox })
      await send('POST', '/v2/auth/login-codes', { email })
      await operate('POST', '/clock', { seconds: 5 })
      await send('POST', '/v2/auth/login-codes', { email })
      const { messages } = await operate('GET', `/mailbox?to=${email}`)
      expect(messages).toHaveLength(count)
      expect(messages[0].receivedAt).toBeGreaterThanOrEqual(messages.at(-1).receivedAt)
    }
  })
})

describe('the foreign provider, of transactions', () => {
  it('prices by the quote, and shows the transaction in all places', async () => {
    const { send, logIn, quote, order } = await open()
    const { quoteId, rightSideValue, breakdown } = await quote('CAD', 1000, 'USDC-ETH')
    expect([quoteId, breakdown.serviceFee]).toEqual([expect.any(Number), 10])
    // (1000 - 10 - 1.5) * (1 - 0.0025) / 1.3725
    expect(rightSideValue).toBe(718.418)
    const token = await logIn()
    const first = (await order(token)).body.data
    const labels = { leftSideLabel: 'CAD', rightSideLabel: 'USDC-ETH' }
    expect(first).toMatchObject(transactionOf({ ...labels, depositAddress: text }))
    const second = (await order(token, 'USDC-ETH', 90, 'CAD')).body.data
    expect(second).toMatchObject({ leftSideLabel: 'USDC-ETH', depositAddress: text })
    const list = (await send('GET', '/v2/transactions?limit=1&offset=0', undefined, token)).body
      .data
    const { depositAddress: _, ...listed } = first
    expect(list).toEqual({ items: [listed], total: 2, limit: 1, offset: 0, hasMore: true })
    const one = await send('GET', `/v2/transactions/${first.id}`, undefined, token)
    expect(one.body.data).toEqual(first)
    const cancelled = await send('PUT', `/v2/transactions/${first.id}/cancel`, undefined, token)
    expect(cancelled.body.data).toEqual({ ...listed, status: 'canceled' })
  })

  it.each(['ethCost', 'gasId'])('does not accept %s', async (field) => {
    const { send, logIn } = await open()
    const body = { quoteId: 700_000_001, leftSideValue: 100, wallet: WALLET, [field]: 1 }
    const { status, body: answer } = await send('POST', '/v2/transactions', body, await logIn())
    expect([status, answer.errors[0].field]).toEqual([422, field])
  })

  it.each([
    [9.99, 10],
    [7500.01, 7500],
  ])('refuses %d CAD with 400, and takes %d', async (refused, taken) => {
    const { logIn, order } = await open()
    const token = await logIn()
    expect((await order(token, 'CAD', refused)).status).toBe(400)
    expect((await order(token, 'CAD', taken)).status).toBe(200)
  })

  it('has three open transactions of a day, and ten cancelled ones', async () => {
    const { send, operate, logIn, order } = await open()
    const token = await logIn()
    for (const status of [200, 200, 200, 400]) expect((await order(token)).status).toBe(status)
    const { items } = (await send('GET', '/v2/transactions', undefined, token)).body.data
    const cancel = async (id: string) =>
      await send('PUT', `/v2/transactions/${id}/cancel`, undefined, token)
    for (const { id } of items) await cancel(id)
    for (let count = 3; count < 10; count++) await cancel((await order(token)).body.data.id)
    expect((await order(token)).status).toBe(400)
    await operate('POST', '/clock', { seconds: 24 * HOUR })
    expect((await order(await logIn())).status).toBe(200)
  })

  it.each([
    ['a buy an hour', HOUR, 'CAD', 100, 'USDC-ETH'],
    ['a sell 24 hours', 24 * HOUR, 'USDC-ETH', 90, 'CAD'],
  ] as const)(
    'expires %s after creation, never while being processed',
    async (_, seconds, left, value, right) => {
      const { send, operate, logIn, order } = await open()
      const [unpaid, paid] = [
        await order(await logIn(), left, value, right),
        await order(await logIn(), left, value, right),
      ]
      await operate('POST', '/funds', { id: paid.body.data.id })
      const statuses = async () => {
        const { body } = await send('GET', '/v2/transactions', undefined, await logIn())
        return body.data.items.map(({ status }: Body) => status)
      }
      const processing = 'processing request money transfer'
      await operate('POST', '/clock', { seconds: seconds - 5 })
      expect(await statuses()).toEqual([PENDING, processing])
      // The background job comes within 20 seconds, and a second.
      await operate('POST', '/clock', { seconds: 30 })
      expect(await statuses()).toEqual(['expired', processing])
      expect(unpaid.status).toBe(200)
    },
  )
})

describe('the foreign provider, of webhooks', () => {
  it('signs one event for each change of a user and a transaction', async () => {
    const { send, operate, logIn, order, user, idle } = await open()
    const { url, received } = await receive()
    const { signingSecret } = (await send('PUT', '/v2/webhook-configurations', { url })).body.data
    const { id } = (await order(await logIn())).body.data
    await operate('POST', '/funds', { id })
    await operate('POST', '/settle', { id })
    await operate('POST', '/kyc', { email: user, status: 'in-review' })
    await idle()
    const events = received.map(({ body }) => body)
    const processing = 'processing request money transfer'
    const statuses = [PENDING, processing, 'sending USDC', 'complete', 'in-review']
    expect(events.map(({ payload }) => payload.status)).toEqual(statuses)
    expect(received.every(({ signed }) => signed(signingSecret) && !signed('other'))).toBe(true)
    expect(new Set(events.map((event) => event.id ?? event.eventId)).size).toBe(statuses.length)
    const common = { apiVersion: 'v2', occurredAt: instant }
    const payload = {
      ...{ transactionId: id, status: 'complete', email: user, wallet: WALLET },
      ...{ paymentId: text, leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' },
      ...{ rightSideValue: expect.any(Number), bankTransferSecurityAnswer: null },
      externalSessionId: 'session-1',
    }
    expect(events[3]).toMatchObject({ ...common, type: 'transaction.update', payload })
    const person = { userId: uuid, email: user, status: 'in-review' }
    expect(events[4]).toMatchObject({ ...common, type: 'user.update', payload: person })
  })

  it('shows the secret by the first PUT and by a rotation only, and deletes with 204', async () => {
    const { send } = await open()
    const { url, received } = await receive()
    const path = '/v2/webhook-configurations'
    const shape = { url, createdAt: instant, updatedAt: instant, enabled: true }
    const first = (await send('PUT', path, { url })).body.data
    expect(first).toEqual({ ...shape, signingSecret: text })
    expect((await send('PUT', path, { url })).body.data).toEqual(shape)
    expect((await send('GET', path)).body.data).toEqual(shape)
    const rotated = (await send('POST', `${path}/signing-secret/rotate`)).body.data
    expect(rotated.signingSecret).not.toBe(first.signingSecret)
    const test = (await send('POST', `${path}/test`)).body.data
    expect(test).toMatchObject({ deliveredStatusCode: 202, deliveredStatusText: 'Accepted' })
    expect(received).toMatchObject([{ body: { eventId: test.eventId, apiVersion: 'v2' } }])
    expect(received[0]?.signed(rotated.signingSecret)).toBe(true)
    const deleted = await send('DELETE', path)
    expect([deleted.status, deleted.body]).toEqual([204, ''])
    const plain = await send('PUT', path, { url: 'http://example.com/hooks' })
    expect([plain.status, plain.body.errors[0].field]).toEqual([422, 'url'])
  })
})

describe('the foreign provider, of v1', () => {
  it('takes a user from the link to a complete transaction, with webhooks of its own', async () => {
    const { send, operate, codesOf, idle } = await open()
    const { url, received } = await receive()
    const secret = (await send('POST', '/webhook-signing-secret')).body.signingSecret
    const types = [
      'verifiedEmail',
      'transactionInitiated',
      'transactionComplete',
      'transactionStatusUpdate',
    ]
    const on = Object.fromEntries(
      types.flatMap((type) => [
        [`${type}Enabled`, true],
        [`${type}Url`, `${url}/${type}`],
      ]),
    )
    expect((await send('PATCH', '/webhooks', on)).body).toMatchObject(on)
    expect((await send('GET', '/webhooks')).body).toMatchObject(on)
    const email = 'dan@example.com'
    const body = {
      ...{ email, first_name: 'Dan', last_name: 'Lee', dob: '1980-02-29', phone: '9025550101' },
      ...{ address1: '1 Pier', address2: '', city: 'Halifax', province: 'ns', postal: 'B3H1A1' },
      ...{ occupation: 'Diver', pep: 'false', tpd: false },
    }
    const link = await send('POST', '/generateApiLink', body)
    expect(link.body).toMatchObject({ status: 'success', verificationLink: text })
    const { shareToken: share_token } = await operate('POST', '/share-tokens', { email })
    expect((await send('POST', '/sumsubImportUser', { share_token })).body.status).toBe('success')
    expect((await send('GET', `/apiFindUser?email=${email}`)).body.user.verified).toBe(true)
    expect((await send('POST', '/loginCodeSend', { email })).status).toBe(400)
    await send('POST', `/loginCodeSend?email=${email}`)
    const [code] = await codesOf(email)
    const login = await send('POST', `/loginCodeVerify?email=${email}&login_code=${code}`)
    expect(login.body).toMatchObject({ message: text, status: text, token: text })
    const token = { authorization: `Bearer ${login.body.token}` }
    const sides = { leftSideLabel: 'CAD', leftSideValue: 50, rightSideLabel: 'USDC-POLY' }
    const quote = await send('GET', `/priceQuote?${new URLSearchParams(sides as Body)}`)
    expect(quote.body).toMatchObject({ ...sides, leftSideValue: '50.00', rightSideValue: text })
    const { quoteId, gasId } = quote.body
    const order = { ...sides, quoteId, gasId, wallet: WALLET }
    const { tx } = (await send('POST', '/transaction', order, token)).body
    await operate('POST', '/funds', { id: tx })
    await operate('POST', '/settle', { id: tx })
    const read = await send('GET', `/transaction?tx_id=${tx}`, undefined, token)
    expect(read.body).toMatchObject({ tx_id: tx, status: 'complete', fee: text, coin: 'USDC' })
    await idle()
    expect(received.every(({ signed }) => signed(secret))).toBe(true)
    const [verified, ...rest] = received.map(({ body }) => body)
    expect(verified).toEqual({ email, status: 'verified' })
    expect(rest.map(({ status }) => status)).toEqual([
      ...[PENDING, PENDING, 'processing request money transfer'],
      ...['sending USDC', 'complete', 'complete'],
    ])
    expect(rest[0]).toMatchObject({ email, txId: tx, externalSessionId: null, paymentId: null })
  })

  it('has errors without an envelope, and stops at its sunset', async () => {
    const { send } = await open()
    const { status, body } = await send('POST', '/loginCodeSend')
    expect([status, body]).toEqual([
      400,
      { message: text, status: text, code: text, requestId: text },
    ])
    const ended = await open({ terms: { v1Until: '2026-08-21T00:00:00Z' } })
    expect((await ended.send('GET', '/webhooks')).status).toBe(410)
  })

  it('takes a corporate verification, with every field', async () => {
    const { send } = await open()
    const { tpd, ...without } = KYB
    expect((await send('POST', '/submitKYB', without)).status).toBe(422)
    expect((await send('POST', '/submitKYB', { ...without, purpose: 'fun', tpd })).status).toBe(422)
    const { status, body } = await send('POST', '/submitKYB', { ...without, tpd })
    expect([status, body]).toMatchObject([201, { message: text, status: text }])
  })
})
