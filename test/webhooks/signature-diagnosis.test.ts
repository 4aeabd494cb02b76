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
    [`${timestamp}.another`, ['signature-wrong']],
  ])('over %s is diagnosed', (text, expected) => {
    expect(codes(of(text))).toEqual(expected)
  })
})
