import { describe, expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { writeSpaced } from '../../src/webhooks/body.ts'
import fc from '../helpers/fast-check.ts'
import { findRejection } from '../verifier.ts'
import { openScene, SECRET } from './scene.ts'

/** Written a second time, piece by piece: a space goes inside every bracket and behind every comma. */
function writeByHand(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map(writeByHand)
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${writeByHand(each)}`)
  const [open, close] = isList ? '[]' : '{}'
  return parts.length === 0 ? `${open}${close}` : `${open} ${parts.join(', ')} ${close}`
}

/** Texts that a careless replacement would change: line breaks, indents, quotes and brackets. */
const Tricky = fc.string({
  unit: fc.constantFrom('\n', '\r', ' ', '\t', '\u2028', '"', '\\', 'n', '{', ',', ':', 'é', '🙂'),
})
const Text = fc.oneof(fc.string({ unit: 'binary' }), Tricky)
const { value: Json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    Text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(Text, tie('value'), { maxKeys: 4 }),
  ),
}))

describe('the spaced JSON of a webhook', () => {
  it('adds spaces between values, and changes nothing inside a text', () => {
    fc.assert(
      fc.property(Json, (value) => {
        const written = writeSpaced(value)
        expect(written).toBe(writeByHand(value))
        expect(written).not.toMatch(/\n/)
        expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(value))
      }),
    )
  })

  it('is what no usual writer makes of an event', () => {
    const event = { id: 'evt_1', payload: { status: 'verified', paymentId: null } }
    const written = writeSpaced(event)
    expect(written).toBe(
      '{ "id": "evt_1", "payload": { "status": "verified", "paymentId": null } }',
    )
    const python = '{"id": "evt_1", "payload": {"status": "verified", "paymentId": null}}'
    const others = [undefined, 1, 2, '\t'].map((indent) => JSON.stringify(event, null, indent))
    expect([...others, python]).not.toContain(written)
  })
})

describe('a receiver that verifies a re-serialised body', () => {
  it.each([
    ['spaced', 'signature'],
    ['compact', null],
  ])('is noticed while webhooks.body is %s: %s', async (body, rejection) => {
    await using receiver = await createReceiver()
    const settings = { 'webhooks.body': body }
    await using scene = openScene({ urls: { alpha: receiver.url }, settings })
    await scene.deliver()
    const { headers, bytes, json } = await receiver.next()
    expect(findRejection({ headers, bytes }, SECRET)).toBeNull()
    const again = Buffer.from(JSON.stringify(json))
    expect(findRejection({ headers, bytes: again }, SECRET)).toBe(rejection)
  })
})
