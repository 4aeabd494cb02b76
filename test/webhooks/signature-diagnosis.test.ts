import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signBody, verifySignature } from '../../src/webhooks/sign.ts'
import { diagnoseSignature } from '../../src/webhooks/signature-diagnosis.ts'
import fc from '../helpers/fast-check.ts'

describe('a signature that the sandbox did not make', () => {
  const secret = 'whsec_0123456789abcdef'
  const timestamp = '1751328000'
  const body = '{"id":"evt_1","payload":{"email":"é/漢"}}'
  const diagnose = (digest: string, change: object = {}) =>
    diagnoseSignature({
      headers: { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': `v1=${digest}` },
      body,
      secret,
      headerPrefix: 'X-Service',
      now: Number(timestamp) * 1000,
      signers: [],
      deliveries: [],
      ...change,
    })
  const codes = (digest: string, change: object = {}) =>
    diagnose(digest, change).problems.map(({ code }) => code)
  const of = (text: string) => createHmac('sha256', secret).update(text).digest('hex')

  it.each([
    [body, ['signed-body-only']],
    [`${timestamp}.${JSON.stringify(JSON.parse(body), null, 2)}`, ['body-reserialised']],
    [`${timestamp}.another`, ['signature-wrong']],
  ])('over %s is diagnosed', (text, expected) => {
    expect(codes(of(text))).toEqual(expected)
  })

  it('comes with the headers that would be right', () => {
    const { expected } = diagnose(of('nothing'))
    expect(expected).toEqual({ timestamp, signature: signBody({ secret, timestamp, body }) })
  })

  it.each([
    [300, []],
    [301, ['timestamp-stale']],
    [-300, []],
    [-301, ['timestamp-ahead']],
  ])('%i s after its timestamp has the problems %j', (age, expected) => {
    const now = (Number(timestamp) + age) * 1000
    expect(codes(of(`${timestamp}.${body}`), { now })).toEqual(expected)
  })

  it('is valid exactly when verifySignature accepts it, and never throws', () => {
    const piece = fc.constantFrom(
      'v1=',
      'v1',
      '=',
      ' ',
      '\n',
      'A',
      'a'.repeat(64),
      of(`${timestamp}.${body}`),
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(piece).map((parts) => parts.join('')),
    )
    const times = fc.oneof(
      fc.constantFrom(timestamp, `0${timestamp}`, `${timestamp}000`),
      fc.string(),
    )
    const bodies = fc.oneof(
      fc.constantFrom(body, '', '{}', '[{"a":[]}]', 'null'),
      fc.json(),
      fc.string(),
    )
    const secrets = fc.oneof(fc.constantFrom(secret, '', 'whsec_'), fc.string())
    const genuine = fc.boolean()
    fc.assert(
      fc.property(times, text, bodies, secrets, genuine, (time, value, sent, key, isGenuine) => {
        const signature = isGenuine ? signBody({ secret: key, timestamp: time, body: sent }) : value
        const headers = { 'x-service-timestamp': time, 'x-service-signature': signature }
        const now = Number(timestamp) * 1000
        const { valid } = diagnose('', { headers, body: sent, secret: key, now })
        const { ok } = verifySignature({ headers, body: sent, secret: key, now })
        expect(valid).toBe(ok)
      }),
      { numRuns: 500 },
    )
  })
})
