import { expect, it } from 'vitest'
import { signBody, verifySignature } from '../../src/webhooks/sign.ts'

const secret = 'whsec_test'
const timestamp = 1751328000
const body =
  '{"id":"evt_1","apiVersion":"v2","occurredAt":"2026-07-01T00:00:00.000Z","type":"user.update","payload":{"userId":"u","email":"é漢🙂@example.com","status":"verified"}}'
const signature = 'v1=d4440e3339c163de3b156b5e6b63858d92c771159e113651d24b7041be92d86f'
const headers = { 'X-Service-Timestamp': String(timestamp), 'X-Service-Signature': signature }
const now = timestamp * 1000
const signed = { secret, headers, body, now }

it('signing reproduces the published vector, from text and from bytes', () => {
  expect(signBody({ secret, timestamp, body })).toBe(signature)
  expect(signBody({ secret, timestamp, body: Buffer.from(body) })).toBe(signature)
})

it.each([
  ['a Headers object', new Headers(headers)],
  [
    'lists of values',
    { 'x-service-timestamp': [`${timestamp}`], 'x-service-signature': [signature] },
  ],
])('verifySignature finds the headers in %s', (_, given) => {
  expect(verifySignature({ ...signed, headers: given })).toEqual({ ok: true })
})

it('verifySignature takes another header prefix', () => {
  const named = { 'X-Ramp-Timestamp': String(timestamp), 'X-Ramp-Signature': signature }
  expect(verifySignature({ ...signed, headers: named, headerPrefix: 'X-Ramp' }).ok).toBe(true)
  expect(verifySignature({ ...signed, headers: named }).ok).toBe(false)
})

it.each([
  ['another secret', { secret: 'whsec_other' }, 'does not match'],
  ['another body', { body: `${body} ` }, 'does not match'],
  [
    'a body that was parsed and indented',
    { body: JSON.stringify(JSON.parse(body), null, 2) },
    'wrote it again, as JSON.stringify(body, null, 2), ',
  ],
  ['a secret in quotes', { secret: `"${signed.secret}"` }, 'has white space or quotes around it'],
  ['a body in base64', { body: Buffer.from(body).toString('base64') }, 'AWS Lambda'],
  ['bytes in base64', { body: Buffer.from(btoa(`{"a":1}`)) }, 'AWS Lambda'],
  ['no headers', { headers: undefined as never }, 'There are no headers'],
  ['null for headers', { headers: null as never }, 'There are no headers'],
  ['no header at all', { headers: {} }, 'X-Service-Timestamp is missing'],
  ['a parsed body', { body: JSON.parse(body) }, 'before anything parsed it'],
  ['no timestamp', { headers: { 'X-Service-Signature': signature } }, 'is missing'],
  ['no v1=', { headers: { ...headers, 'X-Service-Signature': signature.slice(3) } }, 'v1'],
])('verifySignature refuses %s and says why', (_, change, reason) => {
  const checked = verifySignature({ ...signed, ...change })
  expect(checked).toEqual({ ok: false, reason: expect.stringContaining(reason) })
})

it.each(['', undefined])(
  'verifySignature accepts nothing with the secret %j, which anyone could sign with',
  (none) => {
    const forged = {
      ...headers,
      'X-Service-Signature': signBody({ secret: '', timestamp, body }),
    }
    const checked = verifySignature({ ...signed, headers: forged, secret: none as string })
    expect(checked).toEqual({ ok: false, reason: 'There is no secret to verify with.' })
  },
)

it.each([
  ['300 s old', 300, true],
  ['301 s old', 301, false],
  ['300 s ahead', -300, true],
  ['301 s ahead', -301, false],
])('verifySignature judges a timestamp %s', (_, age, ok) => {
  expect(verifySignature({ ...signed, now: now + age * 1000 }).ok).toBe(ok)
})
