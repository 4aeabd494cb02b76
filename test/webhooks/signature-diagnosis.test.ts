import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { diagnoseSignature } from '../../src/webhooks/signature-diagnosis.ts'

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
    [`${timestamp}.{ "id": "evt_1", "payload": { "email": "é/漢" } }`, ['body-reserialised']],
    [`${timestamp}.another`, ['signature-wrong']],
  ])('over %s is diagnosed', (text, expected) => {
    expect(codes(of(text))).toEqual(expected)
  })

  it('over a body that arrives in base64 is diagnosed as if it had been decoded, too', () => {
    const change = { body: Buffer.from(body).toString('base64') }
    expect(codes(of(`${timestamp}.${body}`), change)).toEqual(['body-base64'])
    expect(diagnose(of(`${timestamp}.${body}`), change).valid).toBe(false)
    expect(codes(of(body), change)).toEqual(['body-base64', 'signed-body-only'])
  })

  it('is recognised where the receiver computed it over the body in base64', () => {
    const base64 = Buffer.from(body).toString('base64')
    const computed = `v1=${of(`${timestamp}.${base64}`)}`
    const [mistake] = diagnose(of(`${timestamp}.${body}`), { computed }).computed ?? []
    expect(mistake?.message).toContain('base64')
  })
})
